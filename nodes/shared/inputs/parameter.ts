import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import { isJsonObject, jsonObject } from '../../../client/formats/json';
import { valueText } from '../display/valueText';

/** An input of an operation: what n8n shows, and how its value is read. `read` throws InvalidInput for a value that cannot be used. */
export interface Parameter<Value> {
	property: INodeProperties;
	read(raw: unknown): Value;
}

/** Reads the value of one of the operation's own inputs, for the current item. */
export type ReadParameter = <Value>(parameter: Parameter<Value>) => Value;

/** An input whose value a schema describes: an expression may yield anything, so nothing is taken on trust. */
export function parameter<Schema extends z.ZodType>(
	property: INodeProperties,
	schema: Schema,
): Parameter<z.infer<Schema>> {
	return {
		property,
		read(raw) {
			const parsed = schema.safeParse(raw);
			if (parsed.success) return parsed.data;
			const issue = parsed.error.issues[0];
			const where = issue && issue.path.length > 0 ? ` (${issue.path.join(' → ')})` : '';
			throw new InvalidInput(
				`"${property.displayName}"${where} cannot be used: ${issue?.message ?? 'it is not valid'}`,
				`It holds ${valueText(raw)}. Enter a value, or check the expression that makes it.`,
			);
		},
	};
}

/** A text as an expression may yield it: a number or a boolean is one, too; an object is not, nor is nothing. @param empty what is said of an empty one */
export function textWith(empty: string) {
	return z
		.union([z.string(), z.number(), z.boolean()], { error: 'it is not a text' })
		.transform((given) => String(given).trim())
		.refine((given) => given !== '', empty);
}

/** A number, or its text; nothing else is taken for one. */
export const numeric = z.union(
	[
		z.number(),
		z
			.string()
			.trim()
			.regex(/^[+-]?\d+(\.\d+)?$/)
			.transform(Number),
	],
	{ error: 'it is not a number' },
);

/**
 * Makes sure that no expression in an input yields nothing: what such a one was to choose, nobody can know. Columns of a mapper are left
 * out by it, which the mapper says itself.
 * @throws InvalidInput naming the input, and the option or row in it
 */
export function refuseHoles({ displayName, type, options = [] }: INodeProperties, raw: unknown): void {
	const fix = 'Check the expression that makes it, or let it yield an empty text where that means none.';
	const refuse = (name: string, where = '') => {
		throw new InvalidInput(`"${name}"${where} is given an expression that yields nothing (undefined)`, fix);
	};
	if (raw === undefined) refuse(displayName);
	if (!isJsonObject(raw)) return;
	if (type === 'resourceLocator' && 'value' in raw && raw['value'] === undefined) refuse(displayName);
	if (type !== 'collection' && type !== 'fixedCollection') return;
	for (const option of options) {
		if (!Object.hasOwn(raw, option.name)) continue;
		const given = raw[option.name];
		if ('type' in option && given === undefined) refuse(option.displayName, ` in "${displayName}"`);
		const rows = 'values' in option && Array.isArray(given) ? given : [];
		for (const [index, row] of rows.entries())
			for (const [name, value] of Object.entries(jsonObject.catch({}).parse(row)))
				if (value === undefined && 'values' in option)
					refuse(
						option.values.find((member) => member.name === name)?.displayName ?? name,
						` in row ${index + 1} of "${displayName}"`,
					);
	}
}
