import {
	Cache,
	type Client,
	endpoints,
	type Entity,
	expandHref,
	type Field,
	Forbidden,
	type Grid,
	type GridReference,
	idInUrl,
	idsInUrl,
	InvalidInput,
	isJsonObject,
	NotFound,
	outcomeOf,
	ownMember,
	pathOf,
	type Values,
} from '../../../client';
import { chosenReference } from '../../shared/inputs/pickers/chosenGrid';
import { keyColumns } from '../../shared/inputs/columns/columnMapper';
import { findLinkedRowsBy, isPicked, LINKED_GRID, linkColumn } from '../../shared/inputs/columns/linkedRows';
import { gridReferenceIn, pickedBy } from '../../shared/inputs/pickers/locators';
import { resolved } from '../../shared/inputs/pickers/resolvedPickers';
import { refuseProblems } from '../../shared/inputs/problems';
import { InvalidCell } from '../../shared/rows/conversion';
import { inFormat, type ChosenFormats } from '../../shared/rows/textFormats';
import { toServiceValue } from '../../shared/rows/values';
import { valueTypeOf } from '../../shared/rows/valueTypes';
import type { ItemContext } from '../../shared/runner/context';
import { KeyedGrids, readAllAhead, type KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';

/** The grid whose rows a column links. */
interface LinkTarget {
	/** The link column. */
	field: Field;
	grid: Grid;
	/** The column of the linked grid that identifies its rows; undefined for the ID of the row. */
	by: { key: Field; rows: KeyedRows } | undefined;
	/** @throws NotFound if no row has the ID */
	requireRow(id: string): Promise<unknown>;
}

/** Targets of the link columns of an item, by field id. */
export type LinkTargets = ReadonlyMap<string, LinkTarget>;

/** A cell with values that identify linked rows, to be replaced with links. */
export class LinkedCell {
	constructor(
		private readonly target: LinkTarget,
		/** Finished links, IDs to check, and keys to look up. */
		private readonly parts: ReadonlyArray<
			{ link: unknown } | { id: string } | { key: RowKey; rows: KeyedRows }
		>,
	) {}

	/** The keys to look up. */
	get keys(): Array<{ rows: KeyedRows; key: RowKey }> {
		return this.parts.flatMap((part) => ('key' in part ? [part] : []));
	}

	/** The value to write. @throws InvalidInput unless exactly one row has each value */
	async links(): Promise<unknown> {
		const links: unknown[] = [];
		for (const part of this.parts)
			if ('link' in part) links.push(part.link);
			else if ('id' in part) links.push({ uri: await this.addressOf(part.id) });
			else links.push({ uri: await this.addressBy(part.key, part.rows) });
		return isList(this.target.field) ? links : links[0];
	}

	/** @throws InvalidCell unless exactly one row has the key */
	private async addressBy(key: RowKey, rows: KeyedRows): Promise<string> {
		const { field, grid } = this.target;
		const matches = await rows.matching(key);
		const [match] = matches;
		if (match && matches.length === 1) return addressOf(grid, match);
		throw match
			? this.problem(
					`${matches.length} rows have ${rows.keys.describeRows(key, matches)}`,
					`The value of "${field.name}" must identify one row of "${grid.name}". Enter the address of the row, e.g. { "uri": "${addressOf(grid, match)}" }, or choose another column under "Find Linked Rows By".`,
				)
			: this.problem(
					`No row of "${grid.name}" has ${rows.keys.describe(key.values)}, so the column "${field.name}" cannot link to it`,
					'Add the row first, correct the value, or choose another column under "Find Linked Rows By".',
				);
	}

	/** @throws InvalidCell unless a row has the ID; a key that may not read cannot be told */
	private async addressOf(id: string): Promise<string> {
		const { field, grid, requireRow } = this.target;
		const reading = await outcomeOf(requireRow(id));
		if (reading.state === 'failed' && reading.error instanceof NotFound)
			throw this.problem(
				`No row of "${grid.name}" has the ID "${id}", so the column "${field.name}" cannot link to it`,
				'Use the "_id" of a row, or choose in "Find Linked Rows By" the column that has the value.',
			);
		if (reading.state === 'failed' && !(reading.error instanceof Forbidden)) throw reading.error;
		return pathOf(endpoints.entityGet, { ...grid.address, entityId: id });
	}

	private problem(message: string, advice: string): InvalidCell {
		return new InvalidCell(this.target.field, new InvalidInput(message, advice));
	}
}

/** Lets items identify linked rows by a value instead of an address. */
export class LinkedRows {
	private keyed: KeyedGrids | undefined;
	/** Rows by the IDs of grid and row, each read once. */
	private readonly checked = new Cache<unknown>();

	/** The targets configured in the option. @throws InvalidInput, NotFound */
	async targetsOf(
		{ client, option, parameter }: Pick<ItemContext, 'client' | 'option' | 'parameter'>,
		fields: readonly Field[],
	): Promise<LinkTargets> {
		const targets = new Map<string, LinkTarget>();
		for (const rule of option(findLinkedRowsBy)) {
			const field = linkColumn(rule.column, fields, findLinkedRowsBy);
			const { linkedColumn, linkedGrid } = rule;
			const ofColumn = isPicked(linkedGrid) ? undefined : linkedGridOf(field);
			const reference = ofColumn ?? (await pickedGrid(client, linkedGrid, chosenReference(parameter)));
			targets.set(field.id, await this.open(client, field, { reference, linkedColumn }));
		}
		for (const field of fields) {
			const reference = targets.has(field.id) ? undefined : linkedGridOf(field);
			const target =
				reference && (await outcomeOf(this.open(client, field, { reference, linkedColumn: ROW_ID })));
			// Addresses can still be written to a column whose linked grid is gone.
			if (target?.state === 'done') targets.set(field.id, target.value);
		}
		return targets;
	}

	private async open(
		client: Client,
		field: Field,
		{ reference, linkedColumn }: { reference: GridReference; linkedColumn: string },
	): Promise<LinkTarget> {
		const grid = await pickedBy(findLinkedRowsBy, client.grids.open(reference));
		const requireRow = async (id: string) =>
			await this.checked.get(`${grid.id} ${id}`, async () => await client.entities.get(grid, id));
		if (linkedColumn === ROW_ID) return { field, grid, by: undefined, requireRow };
		const fields = await client.fields.of(grid);
		const names = linkedColumn === '' ? fields.slice(0, 1).map(({ id }) => id) : [linkedColumn];
		const keys = keyColumns(names, fields, 'Linked Column');
		const [key] = keys;
		if (!key) throw new InvalidInput(`"${grid.name}" has no columns`, 'Choose another "Linked Grid".');
		this.keyed ??= new KeyedGrids(client);
		return { field, grid, by: { key, rows: this.keyed.of(grid, keys, fields) }, requireRow };
	}

	/** Finds the rows of many cells, each value once; all at once if that takes fewer requests. */
	async readAhead({ session }: Client, cells: readonly LinkedCell[]): Promise<void> {
		const wanted = cells.flatMap((cell) => cell.keys);
		await readAllAhead(wanted, 'automatic');
		const unknown = wanted.filter(({ rows, key }) => rows.known(key) === undefined);
		// A failed search is repeated for its item, which then fails.
		await session.limiter.run(unknown, ({ rows, key }) => rows.matching(key));
	}
}

/** Values with links instead of `LinkedCell`s. @throws InvalidItem naming each problem */
export async function withLinks(values: Values): Promise<Values> {
	const linkedValues: Array<[string, unknown]> = [];
	const problems: InvalidInput[] = [];
	for (const [id, value] of Object.entries(values)) {
		const linking = await outcomeOf(value instanceof LinkedCell ? value.links() : Promise.resolve(value));
		if (linking.state === 'done') linkedValues.push([id, linking.value]);
		else if (linking.error instanceof InvalidInput) problems.push(linking.error);
		else throw linking.error;
	}
	const linked = Object.fromEntries(linkedValues);
	refuseProblems(problems, linked);
	return linked;
}

/**
 * Converts a value for the service, or to a `LinkedCell` if its column has a target.
 * @param formats how texts write numbers and dates; as programs do if omitted
 */
export const convertedBy =
	(targets: LinkTargets, formats?: ChosenFormats) =>
	(field: Field, value: unknown, timezone: string | undefined): unknown => {
		const target = targets.get(field.id);
		if (target) return linkedCell(target, value, timezone);
		return toServiceValue(field, formats ? inFormat(field, value, formats) : value, timezone);
	};

/**
 * The value of a link column: links unchanged, other values as keys of linked rows.
 * @throws InvalidInput if a value does not fit the column of the linked grid
 */
function linkedCell(target: LinkTarget, value: unknown, timezone: string | undefined): unknown {
	const { field, by } = target;
	const elements = isList(field) ? elementsOf(field, value) : [value];
	if (elements.every((element) => isBlank(element) || isLink(element)))
		return toServiceValue(field, value, timezone);
	const parts = elements
		.filter((element) => !isBlank(element))
		.map((element) => {
			if (!isLink(element) && !by) return { id: String(element).trim() };
			if (!isLink(element) && by) {
				const { key, rows } = by;
				return { rows, key: rows.keys.keyOf({ [key.id]: toServiceValue(key, element, timezone) }) };
			}
			const [link] = [toServiceValue(field, isList(field) ? [element] : element, timezone)].flat();
			return { link };
		});
	return new LinkedCell(target, parts);
}

/** Stands for the ID of a row in "Linked Column". */
const ROW_ID = '_id';

/** A picked grid, by default in the space of the grid that is written. @throws InvalidInput */
async function pickedGrid(
	client: Client,
	linkedGrid: unknown,
	{ spaceId }: GridReference,
): Promise<GridReference> {
	const raw = await resolved(client, LINKED_GRID, linkedGrid, () => spaceId);
	const grid = gridReferenceIn(raw, LINKED_GRID.displayName);
	return { ...grid, spaceId: grid.spaceId ?? spaceId };
}

/** The grid in the type of a link column (§2.5 leaves further members open). */
function linkedGridOf({ type }: Field): GridReference | undefined {
	const grid = ownMember(type, 'grid');
	const uri = isJsonObject(grid) ? grid['uri'] : grid;
	const { spaceId, gridId } = typeof uri === 'string' ? idsInUrl(uri) : {};
	return gridId === undefined ? undefined : { spaceId, gridId };
}

const isList = (field: Field) => valueTypeOf(field) === 'references';

const isBlank = (value: unknown) =>
	(value ?? null) === null || (typeof value === 'string' && value.trim() === '');

/** Whether a value is the address of a row, bare or in the form of §2.9. */
const isLink = (value: unknown) =>
	isJsonObject(value) || (typeof value === 'string' && idInUrl('entity', value) !== undefined);

/** Accepts a list, its JSON, or texts separated by commas. */
function elementsOf(field: Field, value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return [value];
	const texts = { ...field, type: { name: 'stringcollection', options: undefined } };
	const parsed = toServiceValue(texts, value);
	return Array.isArray(parsed) ? parsed : [];
}

/** §2.9: the address of a row, from its `self` link if it has one. */
function addressOf({ address }: Grid, { _id: entityId, _links }: Entity): string {
	const own = _links.get('self');
	return own ? expandHref(own.href) : pathOf(endpoints.entityGet, { ...address, entityId });
}
