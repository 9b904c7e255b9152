import type { Field, Linked } from '../../../client';
import { readRowsBack, simplify } from '../../shared/inputs/output/outputOptions';
import { rawRow, type RowWriter } from '../../shared/rows/output';
import type { ItemContext } from '../../shared/runner/context';

/** How a write outputs a row that it has created or found. */
export interface ReturnedRows {
	/** Whether to read a created row back. */
	full: boolean;
	row: RowWriter;
	represent: RowWriter;
}

/** How to return rows, according to "Simplify" and "Read Rows Back". */
export function returnOf(
	{ parameter, option, rowWriter }: ItemContext,
	fields: readonly Field[],
): ReturnedRows {
	const row = rowWriter(fields);
	if (parameter(simplify)) return { full: option(readRowsBack), row, represent: row };
	// A row that may not be read back consists of the values sent.
	return { full: true, row, represent: (entity) => (isLinked(entity) ? rawRow(entity) : row(entity)) };
}

/** Whether an entity was read: values that were sent have no links. */
const isLinked = (entity: object): entity is Linked => '_links' in entity;
