import {
	type CreatedUnlocated,
	type Field,
	Forbidden,
	type Grid,
	type GridReference,
	type Layout,
	outcomeOf,
	type OutcomeUnknown,
	ownMember,
	type Values,
	type Linked,
	fieldSchema,
} from '../../../client';
import { chosenReference, openGridWithFields, type ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { valuesOf } from '../../shared/inputs/columns/columnMapper';
import { requireValue } from '../../shared/inputs/columns/emptyRow';
import type { KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { storedOtherwise } from './differences';
import { convertedBy, LinkedCell, LinkedRows, withLinks } from './linkedRows';
import type { ChangedRow } from './steps';
import { OptionReader } from './unknownOptions';
import { withIds, type Mapping, mappedValues } from '../../shared/inputs/columns/storedColumns';
import { type RowWriter, rawRow } from '../../shared/rows/output';
import type { ChosenFormats } from '../../shared/rows/textFormats';
import type { ItemContext, ItemsContext } from '../../shared/runner/context';
import type { Parameter } from '../../shared/inputs/parameter';
import { readRowsBack, simplify } from '../../shared/inputs/output/outputOptions';
import { z } from 'zod/v4';
import { ROW_MEMBERS } from '../../shared/rows/columnNames';

/** What one item is to write. */
export interface Write {
	grid: Grid;
	fields: Field[];
	mapping: Mapping;
	/** Keys depend on the layout. */
	values: Values;
	/** §2.7: `field`, or `keyAndField` if the columns may not be read. */
	layout: Layout;
	/** Members of the input that match no column. */
	unknown: string[];
	/** Whether to add options that the columns lack. */
	addsOptions: boolean;
}

/**
 * Reads the values that items write. Collects unmatched members and columns with undefined
 * expressions, and shows one hint for each kind.
 * @param columns the operation's column mapper
 * @param allowsUnreadable whether a grid that cannot be read (role creator, §5) is allowed; its
 *   columns are then those stored by the editor, and the item's member names are keys or ids
 */
export class WriteReader {
	private readonly unmatched = new Map<string, Set<string>>();
	private readonly undefinedColumns = new Set<string>();
	private readonly options = new OptionReader();
	private readonly unreadableGrids = new Map<string, Grid>();
	/** Grids that were opened: asking the client for each item would create many promises. */
	private readonly opened = new Map<string, ChosenGrid & { layout: Layout }>();

	private readonly linked = new LinkedRows();
	private ahead: Promise<void> | undefined;

	constructor(
		private readonly context: ItemsContext,
		private readonly columns: Parameter<Mapping>,
		private readonly allowsUnreadable = false,
		private readonly formats?: Parameter<ChosenFormats>,
	) {}

	/** Lets the grid of an item have other columns than it has now. */
	assume({ parameter }: Pick<ItemContext, 'parameter'>, chosen: ChosenGrid): void {
		this.opened.set(referenceKey(chosenReference(parameter)), { ...chosen, layout: 'field' });
	}

	/**
	 * @param clear columns to write null to
	 * @throws InvalidInput if a value does not fit its column, or a column no longer exists
	 */
	async read(source: ItemContext, clear: readonly string[] = []): Promise<Write> {
		const read = await this.valuesAt(source, clear);
		const { grid, fields, mapping, layout, unknown } = read;
		const linked = read.targets.size === 0 ? read.values : await this.linkedValues(read.values);
		const { values, addsOptions } = await this.options.read(source, { grid, fields, values: linked });
		return { grid, fields, mapping, values, layout, unknown, addsOptions };
	}

	/** The values of an item, with linked rows still to be found. */
	private async valuesAt(source: ItemContext, clear: readonly string[]) {
		const { item, option, parameter, timezone } = source;
		const stored = parameter(this.columns);
		const { grid, fields, layout } = await this.gridOf(source, stored);
		// If the columns may not be read, only the stored ones are known.
		const mapping = layout === 'field' ? withIds(stored, fields, this.columns.property.displayName) : stored;
		const targets = await this.linked.targetsOf(source, fields);
		const { values, unknown, undefinedColumns } = valuesOf({
			mapping,
			input: item.json,
			fields,
			clear,
			timezone,
			convert: convertedBy(targets, this.formats && option(this.formats)),
		});
		if (unknown.length > 0) {
			const names = this.unmatched.get(grid.name) ?? new Set();
			for (const name of unknown) names.add(name);
			this.unmatched.set(grid.name, names);
		}
		for (const name of undefinedColumns) this.undefinedColumns.add(name);
		return { grid, fields, mapping, values, layout, unknown, targets };
	}

	/** Finds linked rows; the first call finds those of all items, each once. */
	private async linkedValues(values: Values): Promise<Values> {
		this.ahead ??= this.readAhead();
		await this.ahead;
		return await withLinks(values);
	}

	private async readAhead(): Promise<void> {
		const { client, items, at } = this.context;
		const cells: LinkedCell[] = [];
		for (const itemIndex of items.keys()) {
			// An invalid item fails later, when it is prepared itself.
			const reading = await outcomeOf(Promise.resolve().then(() => this.valuesAt(at(itemIndex), [])));
			if (reading.state === 'failed') continue;
			for (const value of Object.values(reading.value.values))
				if (value instanceof LinkedCell) cells.push(value);
		}
		await this.linked.readAhead(client, cells);
	}

	private async gridOf(
		{ client, item, parameter }: ItemContext,
		mapping: Mapping,
	): Promise<ChosenGrid & { layout: Layout }> {
		const reference = chosenReference(parameter);
		const key = referenceKey(reference);
		const withoutReading = (grid: Grid) => {
			this.unreadableGrids.set(key, grid);
			return { grid, fields: unreadColumns(mapping, item.json), layout: 'keyAndField' as const };
		};
		const opened = this.opened.get(key);
		if (opened) return opened;
		const unreadable = this.unreadableGrids.get(key);
		if (unreadable) return withoutReading(unreadable);
		const outcome = await outcomeOf(openGridWithFields(client, parameter));
		if (outcome.state === 'done') {
			const grid = { ...outcome.value, layout: 'field' as const };
			this.opened.set(key, grid);
			return grid;
		}
		// Without the space, the address of an unreadable grid is unknown.
		const { spaceId, gridId } = reference;
		if (!this.allowsUnreadable || spaceId === undefined || !(outcome.error instanceof Forbidden))
			throw outcome.error;
		return withoutReading(await client.grids.unread({ spaceId, gridId }));
	}

	/** Shows which parts of the input were not written. */
	showHints({ hint }: Pick<ItemsContext, 'hint'>): void {
		this.options.showHints({ hint });
		for (const [gridName, names] of this.unmatched)
			hint(`Not written, because "${gridName}" has no such column: ${[...names].join(', ')}`, 'warning');
		if (this.undefinedColumns.size > 0)
			hint(
				`Not written in some items, because the expression returns undefined there: ${[...this.undefinedColumns].join(', ')}`,
				'warning',
			);
	}
}

function referenceKey({ spaceId, gridId }: GridReference): string {
	return JSON.stringify([spaceId, gridId]);
}

/** Requires a value for at least one column, if the grid has any. @throws InvalidInput */
export function requireValues({ grid, fields, values, unknown }: Write, hint?: string): void {
	const where = 'Columns';
	// Listing all values of each of thousands of rows would take longer than finding one.
	if (fields.some(({ id }) => (ownMember(values, id) ?? null) !== null)) return;
	if (fields.length > 0 || unknown.length > 0)
		requireValue({ values, unknown, where, owner: `the grid "${grid.name}"` }, hint);
}

/** The row of output for a created row whose outcome or address is unknown. */
export function unlocatedRow(
	{ row, values }: { row: RowWriter; values: Values },
	{ outcome, message }: OutcomeUnknown | CreatedUnlocated,
): object {
	return { ...row({ ...values, _id: '' }), _id: null, _outcome: outcome, _error: message };
}

/** The row of output for a created row whose address, but not id, is known (§5, creator). */
export function addressedRow({ row, values }: { row: RowWriter; values: Values }, href: string): object {
	return { ...row({ ...values, _id: '' }), _id: null, _href: href };
}

/** Creates the row of an item, and reads it back if the user wants it. */
export async function createdRow(
	{ client, hint }: ItemsContext,
	{ grid, fields, values, layout, target, full }: RowToCreate,
): Promise<ChangedRow> {
	const { rows, key } = target;
	const { id, href } =
		rows && key
			? { id: await rows.createOnce(key, values), href: '' }
			: await client.entities.create(grid, values, layout);
	if (id === null) return { href };
	const sent = { ...values, _id: id };
	const reading = full ? await outcomeOf(client.entities.get(grid, id)) : undefined;
	if (reading?.state === 'failed') {
		// §5: a creator may not read.
		const reason = reading.error instanceof Error ? reading.error.message : String(reading.error);
		hint(`Rows were written, but could not be read back: ${reason}`, 'warning');
	}
	const row = reading?.state === 'done' ? reading.value : sent;
	// Rows with a key are compared when the run looks for duplicates, others if they were read back.
	return { id, row, stored: key || row === sent ? [] : storedOtherwise(fields, values, row) };
}

interface RowToCreate extends Pick<Write, 'grid' | 'values'>, Pick<ReturnedRows, 'full'> {
	fields: readonly Field[];
	layout?: Layout;
	/** The key of the row, if it has one. */
	target: { readonly rows?: KeyedRows; readonly key?: RowKey };
}

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

/** A column as n8n's mapper stores it in the workflow. */
const knownColumn = z.looseObject({
	id: z.string().min(1),
	displayName: z.string().catch(''),
	type: z.string().catch(''),
});

/** Types of §2.5 by the mapper's types; values of other types are passed on unchanged. */
const TYPES = new Map(Object.entries({ string: 'string', number: 'decimal', boolean: 'boolean' }));

/**
 * The columns of a grid that cannot be read: those stored in the workflow by the editor, plus one
 * per other member to write, whose name must be a column's key or id (§2.7, keyAndField).
 */
function unreadColumns(mapping: Mapping, input: object): Field[] {
	const automatic = mapping.mappingMode === 'autoMapInputData';
	const members: Readonly<Record<string, unknown>> = { ...(automatic ? input : mappedValues(mapping)) };
	const fields = (mapping.schema ?? []).flatMap((column) => {
		const parsed = knownColumn.safeParse(column);
		if (!parsed.success) return [];
		const { id, displayName, type } = parsed.data;
		const name =
			type === 'dateTime' ? momentType(members[id] ?? members[displayName]) : (TYPES.get(type) ?? 'any');
		return [fieldSchema.parse({ id, name: displayName, type: { name } })];
	});
	const names = new Set(fields.flatMap(({ id, name }) => [id, name]));
	const further = Object.keys(members).filter((name) => !names.has(name) && !ROW_MEMBERS.has(name));
	return [...fields, ...further.map((id) => fieldSchema.parse({ id, type: { name: 'any' } }))];
}

/** n8n has one type for dates and for dates with time; the value decides. */
const momentType = (value: unknown) =>
	typeof value === 'string' && /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(value) ? 'date' : 'date-time';
