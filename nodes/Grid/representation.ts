import { isWritable, type Field } from '../../client/fields';
import type { Grid } from '../../client/grids';
import type { Drift } from '../../client/pages';
import { recordOf } from '../shared/record';

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

/** The items of a list; where it changed all the while, the user is told. */
export function settled<Item>(
	list: { items: Item[]; drift?: Drift },
	hint: (message: string) => void,
): Item[] {
	if (list.drift)
		hint('The list changed while it was read: an entry that was added or removed meanwhile may be missing.');
	return list.items;
}
