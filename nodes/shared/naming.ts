import { z } from 'zod/v4';
import type { Entity } from '../../client/entities';
import type { Field } from '../../client/fields';
import { labelsOf } from './columns';
import { parameter } from './parameter';

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
		description: 'What the values of a row stand under in the output',
	},
	naming,
);

/** The output names of columns by field id; two columns never share one. */
export function namesOf(fields: readonly Field[], by: ColumnNaming): Map<string, string> {
	if (by === 'name') return labelsOf(fields);
	return new Map(fields.map((field) => [field.id, by === 'key' ? (field.key ?? field.id) : field.id]));
}

/**
 * An entity as a row of output: `_id` first, then its values in the grid's order, under the names the user chose.
 * What belongs to no column (`_links`, `_representation`) is left out.
 */
export function rowOf(entity: Entity, fields: readonly Field[], by: ColumnNaming): object {
	const names = namesOf(fields, by);
	const values = fields
		.filter(({ id }) => Object.hasOwn(entity, id))
		.map(({ id }): [string, unknown] => [names.get(id) ?? id, entity[id]]);
	return Object.fromEntries([['_id', entity._id], ...values]);
}
