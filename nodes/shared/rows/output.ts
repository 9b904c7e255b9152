import {
	NodeApiError,
	NodeOperationError,
	type IBinaryKeyData,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';
import type { Created, Entity, Field, Linked, UnstableRead } from '../../../client';
import type { ShowHint } from '../display/hints';
import { ColumnNames, keyOf, MISREAD_BY_N8N, uniqueNames } from './columnNames';

const MISREAD = [...MISREAD_BY_N8N];

/** How the columns of an output row are named. */
export type ColumnNaming = 'name' | 'key' | 'id';

/** Makes a row of output from an entity. */
export type RowWriter = (entity: Pick<Entity, '_id'> & Readonly<Record<string, unknown>>) => object;

export interface RowShape {
	by: ColumnNaming;
	/** Columns by name, key or ID; empty for all. */
	only?: readonly string[];
	/** Shows which columns are renamed in the output. */
	hint?: ((message: string) => void) | undefined;
}

/** Unique output names by field ID; none equals a member that is not a column. */
export function namesOf(fields: readonly Field[], by: ColumnNaming): Map<string, string> {
	return uniqueNames(fields, (field) => textOf(field, by));
}

/**
 * Makes rows of output: `_id` first, then the values in the grid's order, named as the user chose.
 * Other members (`_links`, `_representation`) are dropped.
 * @throws InvalidInput if `only` names an unknown column
 */
export function rowWriter(
	fields: readonly Field[],
	{ by, only = [], hint }: RowShape,
): (entity: Pick<Entity, '_id'> & Readonly<Record<string, unknown>>) => Record<string, unknown> {
	const names = namesOf(fields, by);
	const selected = new Set(only.map((name) => ColumnNames.of(fields).get(name, 'Output Columns').id));
	const chosen = fields.filter(({ id }) => selected.size === 0 || selected.has(id));
	const columns = chosen.map(({ id }) => ({ id, name: names.get(id) ?? id, isInherited: id in {} }));
	for (const field of chosen)
		if (MISREAD_BY_N8N.has(textOf(field, by)))
			hint?.(
				`The column "${textOf(field, by)}" is output as "${names.get(field.id) ?? ''}": n8n treats an item with that member as failed.`,
			);
	// Assigning to `__proto__` would change the row's prototype.
	if (columns.some(({ name }) => name === '__proto__'))
		return (entity) => {
			const present = columns.filter(({ id }) => Object.hasOwn(entity, id));
			return Object.fromEntries([['_id', entity._id], ...present.map(({ id, name }) => [name, entity[id]])]);
		};
	const blank = Object.fromEntries(['_id', ...columns.map(({ name }) => name)].map((name) => [name, null]));
	return (entity) => {
		// JSON has no undefined.
		const isPresent = ({ id, isInherited }: (typeof columns)[number]) =>
			entity[id] !== undefined && (!isInherited || Object.hasOwn(entity, id));
		// V8 stores a copy compactly, but an object that gets many members one by one as a hash table.
		const row: Record<string, unknown> = columns.every(isPresent) ? { ...blank } : {};
		row['_id'] = entity._id;
		for (const column of columns) if (isPresent(column)) row[column.name] = entity[column.id];
		return row;
	};
}

/** One entity as a row of output, with all its columns. */
export function entityRow(entity: Entity, fields: readonly Field[], by: ColumnNaming): object {
	return rowWriter(fields, { by })(entity);
}

function textOf(field: Field, by: ColumnNaming): string {
	if (by === 'id') return field.id;
	return by === 'key' ? keyOf(field) : field.name;
}

/** A resource or entity as the service sent it, with `_links` as plain JSON (§2.6). */
export function rawRow(resource: Linked): object {
	return { ...resource, _links: Object.fromEntries(resource._links) };
}

/** Members that describe a representation, not its content (§2.1). */
const NOTATION = new Set(['_links', '_representation', '_embedded', 'metaType', 'displayValue']);

/** A representation as a row of output. @param simple whether to drop links and other metadata */
export function representationRow(resource: Linked, simple: boolean): object {
	if (!simple) return rawRow(resource);
	return Object.fromEntries(Object.entries(resource).filter(([name]) => !NOTATION.has(name)));
}

/** A JSON schema as a row of output. */
export function schemaRow(schema: object): object {
	return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '_links'));
}

/** The id of a new resource, or its address if the id is not disclosed to this identity. */
export function idOrAddress({ id, href }: Created): Partial<Created> {
	return id === null ? { id, href } : { id };
}

/** The same members without undefined ones, which would appear in a row of output. */
export function withoutUndefined<Members extends object>(members: Members): Members {
	const defined = { ...members };
	for (const [name, value] of Object.entries(members))
		if (value === undefined) Reflect.deleteProperty(defined, name);
	return defined;
}

/** Hint for a list of rows that kept changing while it was read. */
export function unstableHint(
	{ readings, numberOfItems, found, duplicates }: UnstableRead,
	gridName: string,
): string {
	const counts = numberOfItems.join(', then ');
	const isUnordered = duplicates > 0 && numberOfItems.length < 2;
	const why = isUnordered
		? ' Or the service returns equal rows in no fixed order: sort by more columns.'
		: '';
	const counted = `the service counted ${counts} rows`;
	return `"${gridName}" was being changed while it was read ${readings} times: ${counted}, and ${found} were found. Rows that were added in the meantime may be missing, and deleted rows may be included.${why}`;
}

/** The items of a list; shows a hint if it kept changing while it was read. */
export function listItems<Item>(
	{ items, unstable }: { items: Item[]; unstable?: UnstableRead },
	hint: ShowHint,
): Item[] {
	if (unstable)
		hint(
			`The list kept changing while it was read ${unstable.readings} times: entries that were added in the meantime may be missing, and deleted entries may be included.`,
			'warning',
		);
	return items;
}

/** A row of output with binary files. */
export class RowWithFiles {
	constructor(
		readonly row: object,
		readonly files: IBinaryKeyData,
	) {}
}

/** A row that failed in part: output with its values and, if possible, the message as `error`. */
export class FailedRow {
	constructor(
		readonly row: object,
		readonly error: NodeApiError | NodeOperationError,
	) {}
}

/** Where an item is output. */
export interface ItemPlace {
	itemIndex: number;
	/** Whether `json.error` would rerun all items: the first item of a node with Retry On Fail. */
	decidesOnRetry: boolean;
	/** The engine sends an item there only if it contains nothing but an error. */
	hasErrorOutput: boolean;
	hint: ShowHint;
}

/** A row as an n8n item, paired with the item it came from. */
export function outputItem(row: object, place: ItemPlace): INodeExecutionData {
	const pairedItem = { item: place.itemIndex };
	if (row instanceof RowWithFiles) return { json: asJson(row.row, place), binary: row.files, pairedItem };
	if (!(row instanceof FailedRow)) return { json: asJson(row, place), pairedItem };
	if (place.decidesOnRetry || place.hasErrorOutput) return failedItem(row.error, place);
	return { json: { ...asJson(row.row, place), error: row.error.message }, pairedItem };
}

/**
 * The output of a failed item. The engine sends it to the error branch with the input's values. If
 * `json.error` would make n8n run all items again, the error goes next to `json`; the engine copies
 * it into `json` later, but drops the input's values of this item.
 */
export function failedItem(error: Error, { itemIndex, decidesOnRetry }: ItemPlace): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	if (decidesOnRetry && (error instanceof NodeApiError || error instanceof NodeOperationError))
		return { json: {}, error, pairedItem };
	return { json: { error: error.message }, pairedItem };
}

/**
 * Types a row as n8n's JSON, which cannot be inferred from `unknown` values. Members that the
 * engine reads as a failure are renamed.
 */
function asJson(row: object, { hint }: ItemPlace): IDataObject {
	// Listing the row's members would cost more than the rest of the item.
	if (!MISREAD.some((name) => Object.hasOwn(row, name))) return row as IDataObject;
	const taken = new Set(Object.keys(row));
	const safe = (name: string): string => {
		if (!MISREAD_BY_N8N.has(name)) return name;
		let other = `${name} (value)`;
		while (taken.has(other)) other += '*';
		hint(`"${name}" is output as "${other}": n8n treats an item with that member as failed.`);
		return other;
	};
	return Object.fromEntries(Object.entries(row).map(([name, value]) => [safe(name), value])) as IDataObject;
}
