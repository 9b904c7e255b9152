import { isWritable, type Field } from '../../client/resources/fields';
import type { Grid } from '../../client/resources/grids';
import { recordOf } from '../shared/rows/representation';

/** A JSON schema as a row of output. */
export function schemaRow(schema: object): object {
	return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '_links'));
}

/** A column as a row of output. */
export function fieldRow(field: Field, simple: boolean): object {
	if (!simple) return recordOf(field, false);
	const { id, name, key, description, type } = field;
	return { id, name, key, description, type, writable: isWritable(field) };
}

/** A grid or view as a row of output, with the id of its space: a grid's id alone makes no address (§4.4). */
export function gridRow({ address, fields, ...grid }: Grid, simple: boolean): object {
	return {
		...recordOf(grid, simple),
		spaceId: address.spaceId,
		...(fields ? { fields: fields.map((field) => fieldRow(field, simple)) } : {}),
	};
}
