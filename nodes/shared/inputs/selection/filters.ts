import { z } from 'zod/v4';
import { type EntitiesQuery, type Field, InvalidInput, recordOf, type Sorting } from '../../../../client';
import { choice } from '../choice';
import { jsonObject } from '../json';
import { ColumnNames } from '../../rows/columnNames';
import { parameter, type ReadParameter, toggle } from '../parameter';
import {
	byFieldId,
	columnChoice,
	combine,
	conditions,
	conditionsOf,
	filterJson,
	givenTwice,
	rowFilterOf,
	selectBy,
	withoutDisplayOptions,
} from './conditions';

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

const order = parameter(
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add column to sort by',
		default: {},
		displayOptions: { show: { selectBy: ['conditions'] } },
		description:
			'Columns to sort the rows by; each further column sorts rows whose values in the columns above are equal',
		options: [
			{
				displayName: 'Column',
				name: 'by',
				values: [columnChoice, direction.property],
			},
		],
	},
	z
		.looseObject({
			by: z
				.array(
					z.object({
						column: z.string().min(1),
						direction: direction.schema.default('ascending'),
					}),
				)
				.default([]),
		})
		.transform(({ by }) => by),
);

/** §2.8: `{ fieldId: { $order: "ascending" } }`. */
const sortingJson = parameter(
	{
		displayName: 'Sorting (JSON)',
		name: 'sorting',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "f1": { "$order": "ascending" } }',
		displayOptions: { show: { selectBy: ['json'] } },
		description: 'The order of the rows: columns (ID, name or key) with $order',
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

/** The inputs for filter and sorting, read by `selectionOf`. */
export const selectionFields = [selectBy, conditions, combine, order, filterJson, sortingJson];

/** The order of the rows, as options of an operation on rows. */
export const rowSort = { ...order, property: withoutDisplayOptions(order.property) };
export const jsonSort = {
	...sortingJson,
	property: {
		...withoutDisplayOptions(sortingJson.property),
		description: 'The order of the rows, instead of "Sort": columns (ID, name or key) with $order',
	},
};

/** Filter and sorting of an operation on rows; see `selectionOf`. */
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

/**
 * Filter and sorting in the shapes of §2.8.
 * @param timezone of the workflow, for moments without an offset
 * @throws InvalidInput if a column is unknown or a value does not fit
 */
export function selectionOf(
	parameterOf: ReadParameter,
	fields: readonly Field[],
	timezone: string,
): Pick<EntitiesQuery, 'filter' | 'sorting'> {
	const names = ColumnNames.of(fields);
	const filter = conditionsOf(parameterOf, fields, timezone);
	if (parameterOf(selectBy) === 'json')
		return { filter, sorting: byFieldId(parameterOf(sortingJson), names, sortingJson) };
	const sorting = sortingOf(parameterOf(order), names);
	return { filter, sorting: Object.keys(sorting).length > 0 ? sorting : undefined };
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
