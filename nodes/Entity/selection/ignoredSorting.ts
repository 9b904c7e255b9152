import type { Sorting } from '../../../client/resources/entities';
import type { Field } from '../../../client/resources/fields';
import { valueOrder } from '../../shared/rows/equality';
import { valueTypeOf } from '../../shared/rows/valueTypes';

/** Types whose values every service sorts in the same order. */
const ORDERED = new Set(['integer', 'decimal', 'currency', 'boolean', 'date', 'date-time']);

/** The first column that rows are sorted by, if its values show whether they are sorted. */
export function firstSortedColumn(fields: readonly Field[], sorting: Sorting = {}): Field | undefined {
	const [id] = Object.keys(sorting);
	return fields.find((field) => field.id === id && ORDERED.has(valueTypeOf(field)));
}

/**
 * Whether a list is not in the requested order: §2.8 documents `ascending` only, so a service may
 * ignore other orders. The position of empty cells is not specified.
 * @param values of the column, in the order of the list
 */
export function ignoresSorting(column: Field, sorting: Sorting = {}, values: readonly unknown[]): boolean {
	const direction = sorting[column.id]?.$order;
	if (direction !== 'ascending' && direction !== 'descending') return false;
	const given = values.filter((value) => value !== null && value !== undefined);
	return given.some((value, at) => {
		const order = at === 0 ? 0 : (valueOrder(column, given[at - 1], value) ?? 0);
		return direction === 'ascending' ? order > 0 : order < 0;
	});
}
