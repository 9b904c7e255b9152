import type { Linked } from '../../../client/hal/links';
import type { Field } from '../../../client/resources/fields';
import { readRowsBack, returnFullEntity, simplifySince2 } from '../../shared/inputs/output/outputOptions';
import { rawRow, type RowWriter } from '../../shared/rows/output';
import type { ItemContext } from '../../shared/runner/context';

/** How a write outputs a row that it has created or found. */
export interface ReturnedRows {
	/** Whether to read a created row back. */
	full: boolean;
	represent: RowWriter;
}

/** How to return rows, according to "Return" (version 1) or "Simplify" (later versions). */
export function returnOf(
	{ version, parameter, option, rowWriter }: ItemContext,
	fields: readonly Field[],
): ReturnedRows {
	const row = rowWriter(fields);
	if (version === 1) return { full: parameter(returnFullEntity), represent: row };
	if (parameter(simplifySince2)) return { full: option(readRowsBack), represent: row };
	// A row that may not be read back consists of the values sent.
	return { full: true, represent: (entity) => (isLinked(entity) ? rawRow(entity) : row(entity)) };
}

/** Whether an entity was read: values that were sent have no links. */
const isLinked = (entity: object): entity is Linked => '_links' in entity;
