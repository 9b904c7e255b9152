import { z } from 'zod/v4';
import { type Field, InvalidInput, jsonObject, type Values } from '../../../../client';
import { unescaped, unescapedKeys } from '../../display/expressionEscape';
import { ColumnNames } from '../../rows/columnNames';

/** What the column mapper stores in a workflow: values keyed by the result of `storedNames`. */
export const mappingSchema = z.looseObject({
	mappingMode: z.string().catch('defineBelow'),
	value: jsonObject.transform(unescapedKeys).nullish(),
	matchingColumns: z.array(z.string()).catch([]),
	/** The columns as the editor knew them; a removed one keeps its value in `value`. */
	schema: z
		.array(z.looseObject({ id: z.string().transform(unescaped), removed: z.boolean().catch(false) }))
		.optional()
		.catch(undefined),
});
export type Mapping = z.infer<typeof mappingSchema>;

/*
 * The column mapper stores keys, which a rename does not change. n8n shows the stored text until
 * the user opens the list of key columns.
 */

/** Whether n8n can use a key as a part of a parameter's path. */
const isUsable = (key: string) => /^\p{L}[\p{L}\p{N}_-]*$/u.test(key) && !(key in {});

/** What the mapper stores for each column, by field id: its key, or its id if the key is unsafe. */
export function storedNames(fields: readonly Field[]): Map<string, string> {
	const ids = new Set(fields.map(({ id }) => id));
	const counts = new Map<string, number>();
	for (const { key } of fields) if (key) counts.set(key, (counts.get(key) ?? 0) + 1);
	return new Map(
		fields.map(({ id, key }) => {
			const isKey = key && isUsable(key) && counts.get(key) === 1 && (key === id || !ids.has(key));
			return [id, isKey ? key : id];
		}),
	);
}

/**
 * A stored mapping with the ids of its columns instead of their keys. Names that were never in the
 * editor's list, e.g. from an AI agent, stay unchanged.
 * @throws InvalidInput for a column that no longer exists, or a text that now means two columns
 */
export function withIds(mapping: Mapping, fields: readonly Field[], where: string): Mapping {
	const { value, matchingColumns, schema = [], mappingMode } = mapping;
	const { labels } = ColumnNames.of(fields);
	const columns = new Map(schema.map((column) => [column.id, column]));
	const idOf = (stored: string): string => {
		const text = unescaped(stored);
		const matches = fields.filter(({ id, key }) => id === text || key === text);
		const label = columns.get(text)?.['displayName'];
		const named = matches.length < 2 ? matches : matches.filter(({ id }) => labels.get(id) === label);
		const [field] = named;
		if (field && named.length === 1) return field.id;
		if (matches.length > 1)
			throw new InvalidInput(
				`"${where}" contains "${text}", which is the key of one column and the ID of another`,
				`Open "${where}", refresh the list, and map the column again.`,
			);
		if (!columns.has(text)) return stored;
		throw new InvalidInput(
			`"${where}" contains "${typeof label === 'string' && label ? label : text}", whose column does not exist, was deleted or has another key`,
			`Open "${where}" and refresh the list, then map the value to another column or remove it.`,
		);
	};
	const values = mappingMode === 'autoMapInputData' ? {} : (value ?? {});
	const ids: Record<string, unknown> = {};
	for (const [name, cell] of Object.entries(values)) {
		if (columns.get(name)?.removed) continue;
		const id = idOf(name);
		// A column named twice keeps both names, so that reading the values compares them.
		ids[Object.hasOwn(ids, id) ? name : id] = cell;
	}
	return { ...mapping, value: ids, matchingColumns: matchingColumns.map(idOf), schema: undefined };
}

/** The mapped values, without those of columns removed from the mapper. */
export function mappedValues({ value, schema = [] }: Mapping): Values {
	const removed = new Set(schema.filter((column) => column.removed).map(({ id }) => id));
	return Object.fromEntries(Object.entries(value ?? {}).filter(([id]) => !removed.has(id)));
}
