import { z } from 'zod/v4';
import { parameter } from './parameter';

/** An object, or its JSON text; an empty text is none. */
const jsonObject = z
	.union([
		z.record(z.string(), z.unknown()),
		z.string().transform((text, context) => {
			if (text.trim() === '') return undefined;
			const parsed = z.record(z.string(), z.unknown()).safeParse(jsonOf(text));
			if (parsed.success) return parsed.data;
			context.addIssue({ code: 'custom', message: 'it is not a JSON object' });
			return z.NEVER;
		}),
	])
	.nullish();

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** §2.8: `{ fieldId: { $eq: value } }`. */
export const filterJson = parameter(
	{
		displayName: 'Filter (JSON)',
		name: 'filter',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "f1": { "$eq": "new" } }',
		description:
			'Which rows to return: column IDs with an operator and a value. $eq (equals) is the only operator that every service has.',
	},
	jsonObject,
);

/** §2.8: `{ fieldId: { $order: "ascending" } }`. */
export const sortingJson = parameter(
	{
		displayName: 'Sorting (JSON)',
		name: 'sorting',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "f1": { "$order": "ascending" } }',
		description: 'The order of the rows: column IDs with $order',
	},
	jsonObject.pipe(z.record(z.string(), z.object({ $order: z.string() })).nullish()),
);
