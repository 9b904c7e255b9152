import { type Grid, type Field, isWritable } from '../../../client';
import { representationRow, rawRow } from '../../shared/rows/output';

/** A column as a row of output. */
export function fieldRow(field: Field, simple: boolean): object {
	if (!simple) return rawRow(field);
	const { id, name, key, description, type } = field;
	return { id, name, key, description, type, writable: isWritable(field) };
}

/** A row of output for a grid or view, with the ID of the space that its address needs (§4.4). */
export function gridRow({ address, fields, fieldIds, ...grid }: Grid, simple: boolean): object {
	return {
		...representationRow(grid, simple),
		spaceId: address.spaceId,
		...(fieldIds ? { fields: fieldIds } : {}),
		...(fields ? { fields: fields.map((field) => fieldRow(field, simple)) } : {}),
	};
}
