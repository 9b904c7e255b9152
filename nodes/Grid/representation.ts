import { isWritable, type Field } from '../../client/fields';
import type { Grid } from '../../client/grids';
import type { Linked } from '../../client/hal';
import type { Drift } from '../../client/pages';
import type { ReadParameter } from '../shared/operation';
import { limit, returnAll } from '../shared/paging';

/** What says how a representation is written rather than what it is (§2.1). */
const FORM = new Set(['_links', '_representation', '_embedded', 'metaType', 'displayValue']);

/** A representation as a row of output: with its links, or without all that only says how it is written. */
export function representation(resource: Linked, simple: boolean): object {
	if (!simple) return { ...resource, _links: Object.fromEntries(resource._links) };
	return Object.fromEntries(Object.entries(resource).filter(([name]) => !FORM.has(name)));
}

/** A JSON schema as a row of output. */
export function schemaRow(schema: object): object {
	return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '_links'));
}

/** A column as a row of output. */
export function fieldRow(field: Field, simple: boolean): object {
	if (!simple) return representation(field, false);
	const { id, name, key, description, type } = field;
	return { id, name, key, description, type, writable: isWritable(field) };
}

/** A grid or view as a row of output, with the id of its space: a grid's id alone makes no address (§4.4). */
export function gridRow({ address, fields, ...grid }: Grid, simple: boolean): object {
	return {
		...representation(grid, simple),
		spaceId: address.spaceId,
		...(fields ? { fields: fields.map((field) => fieldRow(field, simple)) } : {}),
	};
}

/** How many results the user wants. */
export function wanted(parameter: ReadParameter): number {
	return parameter(returnAll) ? Infinity : parameter(limit);
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
