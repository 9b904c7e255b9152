import { z } from 'zod/v4';
import type { Entity } from '../../../client/resources/entities';
import type { Field } from '../../../client/resources/fields';
import { ColumnNames, keyOf, MISREAD_BY_N8N, uniqueNames } from './columnNames';
import { columnsOption } from '../inputs/options';
import { parameter } from '../inputs/parameter';

const naming = z.enum(['name', 'key', 'id']);
export type ColumnNaming = z.infer<typeof naming>;

/** What the values of an output row stand under. */
export const columnNaming = parameter(
	{
		displayName: 'Name Columns By',
		name: 'columnNaming',
		type: 'options',
		options: [
			{ name: 'ID', value: 'id', description: 'Never changes, hard to read' },
			{
				name: 'Key',
				value: 'key',
				description: 'The key that a column was given for integrations; its ID where it has none',
			},
			{ name: 'Name', value: 'name', description: 'As people see it in the grid' },
		],
		default: 'name',
		description:
			'What columns are called in the output: by their name as in the grid, or by what a rename does not change. A column called "error" is output as "error (key)", because n8n takes an item with that member for a failed one.',
	},
	naming,
);

/** Which columns the output holds; all where none is named. */
export const outputColumns = columnsOption({
	displayName: 'Output Columns',
	name: 'outputColumns',
	description: 'The columns to output, besides the ID of the row. Leave it empty for all of them.',
});

/** The output names of columns by field id; two columns never share one, and none is that of a member that is no column. */
export function namesOf(fields: readonly Field[], by: ColumnNaming): Map<string, string> {
	return uniqueNames(fields, (field) => textOf(field, by));
}

export interface RowShape {
	by: ColumnNaming;
	/** Columns by whatever name; all of them where it is empty. */
	only?: readonly string[];
	/** Told which columns cannot keep their names in the output. */
	hint?: ((message: string) => void) | undefined;
}

/**
 * Makes rows of output: `_id` first, then values in the grid's order, under the names the user chose.
 * What belongs to no column (`_links`, `_representation`) is left out.
 * @throws InvalidInput where `only` names a column that the grid does not have
 */
export function rowWriter(
	fields: readonly Field[],
	{ by, only = [], hint }: RowShape,
): (entity: Pick<Entity, '_id'> & Readonly<Record<string, unknown>>) => Record<string, unknown> {
	const names = namesOf(fields, by);
	const wanted = new Set(only.map((name) => ColumnNames.of(fields).get(name, 'Output Columns').id));
	const chosen = fields.filter(({ id }) => wanted.size === 0 || wanted.has(id));
	const shown = chosen.map(({ id }) => ({ id, name: names.get(id) ?? id }));
	for (const field of chosen)
		if (MISREAD_BY_N8N.has(textOf(field, by)))
			hint?.(
				`The column "${textOf(field, by)}" is output as "${names.get(field.id) ?? ''}": n8n takes an item with that member for a failed one.`,
			);
	// To assign to this name would change the row's prototype.
	if (shown.some(({ name }) => name === '__proto__'))
		return (entity) => {
			const present = shown.filter(({ id }) => Object.hasOwn(entity, id));
			return Object.fromEntries([['_id', entity._id], ...present.map(({ id, name }) => [name, entity[id]])]);
		};
	// Of thousands of rows, each is made in a quarter of the time so.
	return (entity) => {
		const row: Record<string, unknown> = { _id: entity._id };
		for (const { id, name } of shown) if (Object.hasOwn(entity, id)) row[name] = entity[id];
		return row;
	};
}

/** What a column is called in the output where no other name stands in its way. */
function textOf(field: Field, by: ColumnNaming): string {
	if (by === 'id') return field.id;
	return by === 'key' ? keyOf(field) : field.name;
}

/** One entity as a row of output, with all its columns. */
export function rowOf(entity: Entity, fields: readonly Field[], by: ColumnNaming): object {
	return rowWriter(fields, { by })(entity);
}
