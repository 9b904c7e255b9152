import { type Field, isWritable } from '../../../client';
import { rawRow } from '../../shared/rows/output';

/** A column as a row of output. */
export function fieldRow(field: Field, simple: boolean): object {
	if (!simple) return rawRow(field);
	const { id, name, key, description, type } = field;
	return { id, name, key, description, type, writable: isWritable(field) };
}
