import { addToGroup } from '../../../client/formats/grouping';
import { ownMember } from '../../../client/formats/json';
import type { Client } from '../../../client';
import type { Created } from '../../../client/session/created';
import { Cache } from '../../../client/session/cache';
import type { Entity, Values } from '../../../client/resources/entities';
import { CreatedUnlocated, InvalidInput, NotFound, OutcomeUnknown } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';
import { concernsAllItems } from '../../../client/errors/failures';
import { outcomeOf } from '../../../client/http/limiter';
import { ACCEPTED } from '../../../client/session/writeResult';
import { canBeFoundBy, canonicalKey, hasOneNotation } from '../../shared/rows/equality';
import { unstableListError } from '../../shared/rows/unstableListError';
import { valueText } from '../../shared/display/valueText';
import { CreatedRows } from './createdRows';
import type { FindRows } from './findRows';
import { KeyIndex } from './keyIndex';
import { KeyNotation } from './keyNotation';
import { isCheaperToReadAll } from './requestCost';

/** If a response contains more non-matching rows than this, the service ignores filters. */
const MAX_OTHER_ROWS = 100;

/** With at least this many keys, the grid is read without counting its rows first. */
const MIN_KEYS_WITHOUT_COUNT = 30;

/** Waits before each search for a row whose creation has an unknown outcome, in milliseconds. */
const SEARCH_DELAYS_MS = [0, 500, 2000];

/** Attempts to create a row that was found to be missing. */
const MAX_CREATE_ATTEMPTS = 3;

/** Maximum number of rows that a message lists. */
const MAX_NAMED_ROWS = 20;

/** Result of creating a row. */
export type CreatedRow = ({ outcome: 'created' } & Created) | { outcome: 'existing'; entity: Entity };

/** The rows of a grid, identified by key columns. */
export class KeyedRows {
	private readonly index: KeyIndex;
	private readonly created: CreatedRows;
	/** Ids of the key columns. */
	private readonly needs: readonly string[];
	private isFiltering = true;
	/** Rows by key, updated with each write. */
	private readonly known = new Cache<Entity[]>();
	/** Errors of creations whose row may appear later, by key. */
	private readonly promised = new Map<string, OutcomeUnknown | CreatedUnlocated>();
	/** Whether the rows were read before the first write, all at once. */
	private isReadAhead = false;

	constructor(
		private readonly client: Client,
		private readonly grid: Grid,
		private readonly keys: readonly Field[],
	) {
		this.index = new KeyIndex(client, grid, keys);
		this.created = new CreatedRows(client, grid);
		this.needs = keys.map(({ id }) => id);
	}

	/**
	 * Reads the rows of many keys at once if that takes fewer requests; `matching` then returns
	 * them without a request.
	 * @throws InvalidInput if they must be read at once and the grid kept changing
	 */
	async readAhead(wanted: ReadonlySet<string>, how: FindRows): Promise<void> {
		if (how === 'oneByOne' || (how === 'automatic' && !(await this.mayBeCheaperAtOnce(wanted.size)))) return;
		const notation = new KeyNotation(this.keys);
		const keep = (entity: Entity) => {
			notation.see(entity);
			const key = canonicalKey(this.keys, entity);
			return wanted.has(key) ? { key, entity } : undefined;
		};
		const maxPages = how === 'automatic' && !this.isReadAnyway ? wanted.size : undefined;
		const { needs } = this;
		const reading = await outcomeOf(this.client.entities.manyAs(this.grid, keep, {}, { maxPages, needs }));
		// A row that is too large to read with the others may not be needed.
		const isNeeded = how === 'allAtOnce' || (reading.state === 'failed' && concernsAllItems(reading.error));
		if (reading.state === 'failed' && isNeeded) throw reading.error;
		if (reading.state === 'failed') return;
		const { items, unstable, isTooLong } = reading.value;
		if (unstable && isNeeded) throw unstableListError(this.grid);
		if (unstable || isTooLong) return;
		notation.end();
		const found = new Map<string, Entity[]>();
		for (const item of items) if (item) addToGroup(found, item.key, item.entity);
		for (const key of wanted) this.known.set(key, found.get(key) ?? []);
		this.isReadAhead = true;
	}

	/** With many keys, no count is requested: the first page of the grid contains it. */
	private async mayBeCheaperAtOnce(keys: number): Promise<boolean> {
		if (this.isReadAnyway || keys >= MIN_KEYS_WITHOUT_COUNT) return true;
		return await isCheaperToReadAll(this.client, this.grid, keys);
	}

	/**
	 * Whether finding even one key requires reading the whole grid, because no filter can find it.
	 */
	private get isReadAnyway(): boolean {
		const isConclusive = this.keys.every((field) => hasOneNotation(field, undefined));
		return !isConclusive && !this.keys.some((field) => canBeFoundBy(field, undefined));
	}

	/**
	 * The key of a row, one text for all spellings.
	 * @throws InvalidInput if a key column has no value
	 */
	keyOf(values: Values): string {
		const field = this.emptyKeyOf(values);
		if (!field) return canonicalKey(this.keys, values);
		throw new InvalidInput(
			`The key column "${field.name}" has no value`,
			`Provide a value for "${field.name}" in each item, or choose other key columns.`,
		);
	}

	/**
	 * The first key column without a value. An empty text counts as a value if another key column
	 * has one.
	 */
	emptyKeyOf(values: Values): Field | undefined {
		const isBlank = this.keys.every(({ id }) => ownMember(values, id) === '');
		return this.keys.find(({ id }) => isBlank || (ownMember(values, id) ?? null) === null);
	}

	/**
	 * All rows with the same key, in the order of the grid. Each key is searched for once.
	 * @throws InvalidInput if the grid keeps changing while it is read
	 */
	async matching(values: Values, key = this.keyOf(values)): Promise<Entity[]> {
		return await this.known.get(key, () => this.search(values));
	}

	/** The same if they are known already, for items that take no request. */
	held(key: string): readonly Entity[] | undefined {
		return this.known.held(key);
	}

	/** Stores the current rows of a key. */
	remember(values: Values, rows: Entity[]): void {
		this.known.set(this.keyOf(values), rows);
	}

	/** The next item with this key searches for its rows again. */
	forget(values: Values): void {
		this.known.forget(this.keyOf(values));
	}

	/** The rows with a key, also those of this execution that a list lacks. */
	private async search(values: Values, isFresh = false): Promise<Entity[]> {
		const listed = await this.listedRows(values, isFresh);
		return [...listed, ...(await this.created.missingFrom(listed, this.keyOf(values)))];
	}

	/**
	 * Filters with `$eq` (§2.8) if the response is conclusive; otherwise reads the keys of all rows
	 * once, then the matching rows.
	 * @param isFresh whether to include rows created after an earlier read
	 */
	private async listedRows(values: Values, isFresh: boolean): Promise<Entity[]> {
		const asked = this.keys.filter((field) => hasOneNotation(field, ownMember(values, field.id)));
		const isSelective = this.keys.some((field) => canBeFoundBy(field, ownMember(values, field.id)));
		if (this.isFiltering && (asked.length === this.keys.length || isSelective))
			return await this.filtered(values, asked);
		const ids = await this.index.find(this.keyOf(values), isFresh);
		if (ids.length === 0 && this.isFiltering) return await this.filtered(values, this.keys);
		const found: Entity[] = [];
		for (const id of ids) {
			const reading = await outcomeOf(this.client.entities.get(this.grid, id));
			if (reading.state === 'done') found.push(reading.value);
			else if (!(reading.error instanceof NotFound)) throw reading.error;
		}
		return this.withKeyOf(values, found);
	}

	/** @param asked columns to filter by */
	private async filtered(values: Values, asked: readonly Field[]): Promise<Entity[]> {
		const filter = Object.fromEntries(asked.map(({ id }) => [id, { $eq: ownMember(values, id) }]));
		const { needs } = this;
		const { items, unstable } = await this.client.entities.many(this.grid, { filter }, { needs });
		if (unstable) throw unstableListError(this.grid);
		const notation = new KeyNotation(this.keys);
		for (const entity of items) notation.see(entity);
		notation.end();
		const key = canonicalKey(asked, values);
		const others = items.filter((entity) => canonicalKey(asked, entity) !== key);
		if (others.length > MAX_OTHER_ROWS) this.isFiltering = false;
		return this.withKeyOf(values, items);
	}

	private withKeyOf(values: Values, rows: readonly Entity[]): Entity[] {
		const key = this.keyOf(values);
		return rows.filter((entity) => canonicalKey(this.keys, entity) === key);
	}

	/**
	 * Creates a row without risking a duplicate: if the outcome or address is unknown, searches for
	 * the row and repeats the request only if it is missing and will not appear later.
	 * @throws OutcomeUnknown if the service never responded, or only accepted the request (202);
	 *   CreatedUnlocated if the new row cannot be found
	 */
	async create(values: Values): Promise<string> {
		const key = this.keyOf(values);
		const promised = this.promised.get(key);
		if (promised) throw promised;
		this.forget(values);
		for (let creations = 1; ; creations++) {
			const outcome = await outcomeOf(this.client.entities.create(this.grid, values));
			if (outcome.state === 'done' && outcome.value.id !== null) {
				this.created.add(key, outcome.value.id);
				return outcome.value.id;
			}
			const error = outcome.state === 'done' ? unidentified(outcome.value) : outcome.error;
			if (!(error instanceof CreatedUnlocated) && !(error instanceof OutcomeUnknown)) throw error;
			// A row whose creation was accepted may appear later.
			const isPromised = error instanceof CreatedUnlocated || error.facts.status === ACCEPTED;
			const found = await this.findCreated(values);
			if (found) {
				this.created.add(key, found._id);
				return found._id;
			}
			if (isPromised) this.promised.set(key, error);
			if (isPromised || creations === MAX_CREATE_ATTEMPTS) throw error;
		}
	}

	/** Creates a row unless one with its key exists. Items with the same key must run in turn. */
	async createOnce(values: Values): Promise<CreatedRow> {
		const known = await this.matching(values);
		// Another writer may have created the row since the grid was read.
		const [entity] = known.length > 0 || !this.isReadAhead ? known : await this.search(values);
		if (entity) return { outcome: 'existing', entity };
		return { outcome: 'created', id: await this.create(values), href: '' };
	}

	/** Describes a key for messages, e.g. `Order "A-1"`. */
	describe(values: Values): string {
		return this.keys.map((field) => `${field.name} ${valueText(ownMember(values, field.id))}`).join(', ');
	}

	/** A key with the ids of its rows, for errors about ambiguous keys. */
	listed(values: Values, found: readonly Entity[]): string {
		const ids = found.slice(0, MAX_NAMED_ROWS).map(({ _id }) => _id);
		return `${this.describe(values)}: ${ids.join(', ')}${found.length > ids.length ? ' …' : ''}`;
	}

	private async findCreated(values: Values): Promise<Entity | undefined> {
		for (const wait of SEARCH_DELAYS_MS) {
			if (wait > 0) await this.client.session.limiter.waitWithoutSlot(wait);
			const [found] = await this.search(values, true);
			if (found) return found;
		}
		return undefined;
	}
}

/** Signals that the new row must be searched for by its key. */
function unidentified({ href }: Created): CreatedUnlocated {
	return new CreatedUnlocated(`The address ${href} does not contain the row's ID`, {});
}

/** Reads the rows of many items beforehand, each grid once. */
export async function readAllAhead(
	items: ReadonlyArray<{ rows?: KeyedRows | undefined; key?: string | undefined }>,
	how: FindRows,
): Promise<void> {
	const wanted = new Map<KeyedRows, Set<string>>();
	for (const { rows, key } of items) {
		if (rows === undefined || key === undefined) continue;
		const keys = wanted.get(rows) ?? new Set();
		wanted.set(rows, keys.add(key));
	}
	for (const [rows, keys] of wanted) await rows.readAhead(keys, how);
}

/** One `KeyedRows` for each grid and set of keys of an execution. */
export class KeyedGrids {
	private readonly known = new WeakMap<Grid, Map<string, KeyedRows>>();

	constructor(private readonly client: Client) {}

	of(grid: Grid, keys: readonly Field[]): KeyedRows {
		const ofGrid = this.known.get(grid) ?? new Map<string, KeyedRows>();
		this.known.set(grid, ofGrid);
		const name = JSON.stringify(keys.map(({ id }) => id));
		const rows = ofGrid.get(name) ?? new KeyedRows(this.client, grid, keys);
		ofGrid.set(name, rows);
		return rows;
	}
}
