import { z } from 'zod/v4';
import { type EntitiesQuery, type Field, InvalidInput, recordOf, type Sorting } from '../../../../client';
import { choice } from '../choice';
import { jsonObject } from '../json';
import { ColumnNames } from '../../rows/columnNames';
import { parameter, type ReadParameter, rowsInput, toggle } from '../parameter';
import { byFieldId, columnChoice, givenTwice, rowFilterOf } from './conditions';

const direction = choice(
	'direction',
	'Direction',
	{
		ascending: { name: 'Ascending', description: 'Every service supports it' },
		descending: {
			name: 'Descending',
			description: 'A service that does not know it may reject or ignore it',
		},
	},
	{ default: 'ascending', description: 'Whether the smallest or earliest value comes first or last' },
);

/** The order of the rows. */
export const rowSort = rowsInput(
	{
		displayName: 'Sort',
		name: 'sort',
		typeOptions: { sortable: true },
		placeholder: 'Add column to sort by',
		description:
			'Columns to sort the rows by; each further column sorts rows whose values in the columns above are equal',
	},
	{ displayName: 'Column', name: 'by', values: [columnChoice, direction.property] },
	z.object({ column: z.string().min(1), direction: direction.schema.default('ascending') }),
);

/** Its JSON form (§2.8): `{ fieldId: { $order: "ascending" } }`. */
export const jsonSort = parameter(
	{
		displayName: 'Sorting (JSON)',
		name: 'sorting',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "f1": { "$order": "ascending" } }',
		description: 'The order of the rows, instead of "Sort": columns (ID, name or key) with $order',
	},
	jsonObject.pipe(
		recordOf(z.object({ $order: z.string() }), 'it is not of the form { "$order": "ascending" }').optional(),
	),
);

/** §4.5 `compose`. */
export const combineWithView = toggle(
	{
		displayName: 'Combine Filter With View',
		name: 'combineWithView',
		description:
			"Whether rows must meet both the filter of the view and the conditions. If off, the conditions replace the view's filter.",
	},
	true,
);

/**
 * Filter and sorting in the shapes of §2.8.
 * @param timezone of the workflow, for moments without an offset
 * @throws InvalidInput if a column is unknown, a value does not fit, or both forms are given
 */
export function rowSelectionOf(
	parameterOf: ReadParameter,
	fields: readonly Field[],
	timezone: string,
): Pick<EntitiesQuery, 'filter' | 'sorting'> {
	const names = ColumnNames.of(fields);
	const json = byFieldId(parameterOf(jsonSort), names, jsonSort);
	const sorting = sortingOf(parameterOf(rowSort), names);
	const isSorted = Object.keys(sorting).length > 0;
	if (json && isSorted) throw givenTwice('Sort', 'Sorting (JSON)');
	return { filter: rowFilterOf(parameterOf, fields, timezone), sorting: isSorted ? sorting : json };
}

function sortingOf(
	columns: ReadonlyArray<{ column: string; direction: string }>,
	names: ColumnNames,
): Sorting {
	const ids = columns.map(({ column }) => names.get(column, 'Sort').id);
	const sorting = Object.fromEntries(columns.map(({ direction }, at) => [ids[at], { $order: direction }]));
	const sorted = Object.keys(sorting);
	if (sorted.length < ids.length)
		throw new InvalidInput('"Sort" contains a column twice', 'Remove one of the two.');
	// JavaScript puts integer keys first.
	if (sorted.some((id, at) => id !== ids[at]))
		throw new InvalidInput(
			'"Sort" cannot be sent in this order, because the IDs of these columns are numbers',
			'Sort by one column, or sort the rows in a node after this one.',
		);
	return sorting;
}
