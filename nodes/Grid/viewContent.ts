import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Field } from '../../client/fields';
import type { Grid } from '../../client/grids';
import { jsonObject } from '../shared/json';
import { fieldNamed } from '../shared/pickers/field';

/** The columns that a view is to show. */
export const columnsProperty: INodeProperties = {
	displayName: 'Column Names or IDs',
	name: 'columns',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getFields', loadOptionsDependsOn: ['space.value', 'grid.value'] },
	default: [],
	description:
		'The columns that the view shows, in this order; all where none is chosen. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};
export const columnsSchema = z
	.array(z.string())
	.nullish()
	.transform((chosen) => chosen ?? []);

export const filterProperty: INodeProperties = {
	displayName: 'Filter (JSON)',
	name: 'filter',
	type: 'json',
	default: '',
	placeholder: 'e.g. { "f1": { "$eq": "new" } }',
	description:
		'Which rows the view shows: column IDs, names or keys with an operator and a value; {} for all rows. $eq (equals) is the only operator that every service has.',
};
export const filterSchema = jsonObject;

export const sortingProperty: INodeProperties = {
	displayName: 'Sorting (JSON)',
	name: 'sorting',
	type: 'json',
	default: '',
	placeholder: 'e.g. { "f1": { "$order": "ascending" } }',
	description: 'The order of the rows: column IDs, names or keys with $order',
};
export const sortingSchema = jsonObject.pipe(
	z.record(z.string(), z.object({ $order: z.string() })).optional(),
);

/** Ids of the columns that a user chose or an expression named; of all columns where that is none. @throws InvalidInput */
export function fieldIdsOf(chosen: readonly string[], fields: readonly Field[], grid: Grid): string[] {
	if (chosen.length === 0) return fields.map(({ id }) => id);
	return [...new Set(chosen.map((text) => fieldNamed(fields, text, grid.name).id))];
}

/** A filter or sorting with the ids of the columns in place of names and keys; operators such as `$and` are left alone. */
export function byFieldId<Value>(
	given: Record<string, Value>,
	fields: readonly Field[],
	grid: Grid,
): Record<string, Value> {
	const entries = Object.entries(given).map(([name, value]): [string, Value] => [
		name.startsWith('$') ? name : fieldNamed(fields, name, grid.name).id,
		value,
	]);
	return Object.fromEntries(entries);
}
