import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { parameter, type Parameter } from './parameter';

/** What users see of an option: its label, with a description where the label needs one. */
type Label = string | { name: string; description: string };

/** What users see of the input; `default` is the value chosen to begin with. */
type Further<Value> = Omit<INodeProperties, 'name' | 'displayName' | 'type' | 'options' | 'default'> & {
	default: Value;
};

export interface Choice<Value extends string> extends Parameter<Value> {
	/** Accepts exactly the values of the options. */
	schema: z.ZodType<Value>;
}

const ofType = { type: 'options' } as const;

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
	const options = Object.entries<Label>(labels).map(([value, label]) =>
		typeof label === 'string' ? { name: label, value } : { ...label, value },
	);
	const property: INodeProperties = { ...further, ...ofType, displayName, name, options };
	const isValue = (value: unknown): value is Value =>
		typeof value === 'string' && Object.hasOwn(labels, value);
	const values = options.map(({ value }) => `"${value}"`).join(', ');
	const schema = z.custom<Value>(isValue, `it is not one of ${values}`);
	return { ...parameter(property, schema), schema };
}
