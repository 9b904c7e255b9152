import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { parameter, type Parameter } from './parameter';

/** Label of an option, with a description if the label needs one. */
type Label = string | { name: string; description: string; action?: string };

/** Further members of n8n's property, including the default value. */
type Further<Default> = Omit<INodeProperties, 'name' | 'displayName' | 'type' | 'options' | 'default'> & {
	default: Default;
};

export interface Choice<Value extends string> extends Parameter<Value> {
	/** Accepts exactly the values of the options. */
	schema: z.ZodType<Value>;
}

const ofType = { type: 'options' } as const;
const ofSeveral = { type: 'multiOptions' } as const;

/** The options that n8n shows, and a schema that accepts exactly their values. */
function optionsWithSchema<Value extends string>(labels: Readonly<Record<Value, Label>>) {
	const options = Object.entries<Label>(labels).map(([value, label]) =>
		typeof label === 'string' ? { name: label, value } : { ...label, value },
	);
	const isValue = (value: unknown): value is Value =>
		typeof value === 'string' && Object.hasOwn(labels, value);
	const values = options.map(({ value }) => `"${value}"`).join(', ');
	return { options, schema: z.custom<Value>(isValue, `it is not one of ${values}`) };
}

/**
 * An input with a fixed list of options, as n8n's property and as a schema.
 * @param labels labels by value, in the order shown; the values are stored in workflows
 */
export function choice<const Value extends string>(
	name: string,
	displayName: string,
	labels: Readonly<Record<Value, Label>>,
	further: Further<NoInfer<Value>>,
): Choice<Value> {
	const { options, schema } = optionsWithSchema(labels);
	const property: INodeProperties = { ...further, ...ofType, displayName, name, options };
	return { ...parameter(property, schema), schema };
}

/** The same for an input that takes one or more options. */
export function choices<const Value extends string>(
	name: string,
	displayName: string,
	labels: Readonly<Record<Value, Label>>,
	further: Further<NoInfer<Value>[]>,
): Parameter<Value[]> {
	const { options, schema } = optionsWithSchema(labels);
	const property: INodeProperties = { ...further, ...ofSeveral, displayName, name, options };
	return parameter(property, z.array(schema).min(1, 'choose at least one'));
}
