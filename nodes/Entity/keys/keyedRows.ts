import {
	addToGroup,
	BadRequest,
	Cache,
	type Client,
	concernsAllItems,
	type Entity,
	type Field,
	type Grid,
	InvalidInput,
	outcomeOf,
	ownMember,
	type Values,
} from '../../../client';
import { valueText } from '../../shared/display/shownText';
import { canonicalKey, comparedPart, type ComparedField, hasOneSpelling } from '../../shared/rows/equality';
import { filterReading } from '../../shared/rows/filterReading';
import { unstableListError } from '../../shared/rows/unstableListError';
import { Creations, type CreatedRow, type RowKey } from './creations';
import { isCheaperToReadAll, pagesOf, type FindRows } from './findRows';
import type { RunTurns } from './turns';

/** With at least this many keys, the grid is read without counting its rows first. */
const MIN_KEYS_WITHOUT_COUNT = 30;

/** Maximum number of rows that a message lists. */
const MAX_NAMED_ROWS = 20;

/** What to do about rows with the same key. */
export const CLEAN_UP =
	'Delete the duplicate rows (the example "Remove doubled rows" plans and does it), or add a key column that tells them apart.';

export type { RowKey } from './creations';

type RowsByKey = ReadonlyMap<string, Entity[]>;

/** The rows of a grid, identified by key columns. */
export class KeyedRows {
	/** Rows by key, updated with each write. */
	private readonly rowsByKey = new Cache<Entity[]>();
	/** Keys that a list of the grid lacks. */
	private readonly absentKeys = new Map<string, RowKey>();
	private how: FindRows = 'automatic';
	private readonly neededIds = new Set<string>();
	/** Number of pages of that list. */
	private pages = 0;
	/** The same list, read again before the first row is created. */
	private secondReading: Promise<void> | undefined;
	/** The next reading of the grid for keys that no filter finds. */
	private nextReading: { keys: Set<string>; rows: Promise<RowsByKey | undefined> } | undefined;
	private lastReading: Promise<unknown> = Promise.resolve();
	private readonly creations: Creations;

	/** Other runs that write to the same grid by the same keys share it. */
	private readonly place: string;

	readonly client: Client;
	readonly grid: Grid;
	/** All columns of the grid. */
	readonly fields: readonly Field[];

	/** @param turns of a run that writes rows */
	constructor(
		{ client, grid, fields }: Pick<KeyedRows, 'client' | 'grid' | 'fields'>,
		readonly keys: readonly ComparedField[],
		private readonly turns?: RunTurns,
	) {
		this.client = client;
		this.grid = grid;
		this.fields = fields;
		const service = client.session.resolve('/api').href;
		this.place = JSON.stringify([service, grid.id, keys.map(({ id }) => id)]);
		turns?.join(this.place);
		this.creations = new Creations({ client, grid }, async (key) => await this.listed(key));
	}

	/** Rows that this run has created, by key. */
	get created(): Map<string, CreatedRow> {
		return this.creations.rows;
	}

	/**
	 * Writes rows with a key while no other run of this process does. What another run has written
	 * meanwhile is searched for again.
	 * @param work is told whether there is such a row
	 * @throws KeyInUse, Cancelled, and what `work` throws
	 */
	async inTurn<Result>(key: RowKey, work: (isChanged: boolean) => Promise<Result>): Promise<Result> {
		const { turns, place } = this;
		if (!turns) return await work(false);
		return await turns.run(place, key.text, {
			describe: () => this.describe(key.values),
			work: async () => {
				const isChanged = turns.takeChange(place, key.text);
				if (isChanged) {
					this.forget(key);
					this.absentKeys.delete(key.text);
				}
				return await work(isChanged);
			},
		});
	}

	/** The key of a row. @throws InvalidInput if a key column has no value */
	keyOf(values: Values): RowKey {
		const field = this.emptyKeyOf(values);
		if (!field) return { text: canonicalKey(this.keys, values), values };
		throw new InvalidInput(
			`The key column "${field.name}" has no value`,
			`Provide a value for "${field.name}" in each item, or choose other key columns.`,
		);
	}

	/**
	 * The first key column without a value. A text that is empty or of blanks only counts as a value
	 * if another key column has one.
	 */
	emptyKeyOf(values: Values): Field | undefined {
		const isBlankText = (value: unknown) => typeof value === 'string' && value.trim() === '';
		const isBlank = this.keys.every((field) => isBlankText(comparedPart(field, ownMember(values, field.id))));
		return this.keys.find(({ id }) => isBlank || (ownMember(values, id) ?? null) === null);
	}

	hasKey(row: Values, { text }: RowKey): boolean {
		return canonicalKey(this.keys, row) === text;
	}

	/**
	 * Reads the rows of many keys at once, if that takes fewer requests or no filter finds them;
	 * `matching` then returns them without a request.
	 * @throws InvalidInput if they must be read at once and the grid kept changing
	 */
	async readAhead(keys: readonly RowKey[], how: FindRows): Promise<void> {
		this.how = how;
		const wanted = how === 'oneByOne' ? keys.filter((key) => this.askedColumns(key).length === 0) : keys;
		const rowsByKey = await this.allAtOnceIfCheaper(wanted);
		if (!rowsByKey) return;
		for (const key of wanted) this.remember(key, rowsByKey.get(key.text) ?? []);
		this.markAbsent(wanted.filter(({ text }) => !rowsByKey.has(text)));
	}

	/**
	 * The rows of many keys from one reading of the grid.
	 * @returns undefined if asking for each key takes fewer requests, or the grid kept changing
	 */
	private async allAtOnceIfCheaper(keys: readonly RowKey[], how = this.how): Promise<RowsByKey | undefined> {
		const isRequired = how === 'allAtOnce' || keys.some((key) => this.askedColumns(key).length === 0);
		if (!isRequired && (how === 'oneByOne' || !(await this.mayBeCheaper(keys.length)))) return undefined;
		const maxPages = isRequired ? undefined : keys.length;
		const reading = await outcomeOf(this.allAtOnce(new Set(keys.map(({ text }) => text)), maxPages));
		if (reading.state === 'done') return reading.value;
		// Keys that can be asked for may be found nevertheless.
		if (isRequired || concernsAllItems(reading.error)) throw reading.error;
		return undefined;
	}

	/** With many keys, no count is requested: the first page of the grid contains it. */
	private async mayBeCheaper(keys: number): Promise<boolean> {
		if (this.pages > 0) return this.pages < keys;
		return keys >= MIN_KEYS_WITHOUT_COUNT || (await isCheaperToReadAll(this.client, this.grid, keys));
	}

	/**
	 * Notes that a list of the grid lacks these keys.
	 * @param rows number of its rows, if it was read elsewhere
	 */
	markAbsent(keys: readonly RowKey[], rows?: number): void {
		if (rows !== undefined) this.pages = pagesOf(rows);
		for (const key of keys) this.absentKeys.set(key.text, key);
	}

	/** All rows with a key, in the order of the grid. Each key is searched for once. */
	async matching(key: RowKey): Promise<Entity[]> {
		return await this.rowsByKey.get(key.text, () => this.search(key));
	}

	/** The same if they are known already, for items that take no request. */
	known(key: RowKey): readonly Entity[] | undefined {
		return this.rowsByKey.held(key.text);
	}

	/** Stores the current rows of a key. */
	remember(key: RowKey, rows: Entity[]): void {
		this.rowsByKey.set(key.text, rows);
	}

	/** The next item with this key searches for its rows again. */
	forget(key: RowKey): void {
		this.rowsByKey.forget(key.text);
	}

	/**
	 * All rows with a key, before one is created. A list passes over a row that moves while it is
	 * read, and others add rows in the meantime, so keys that the list lacks are looked for again:
	 * one by one, or all at once if that takes fewer requests.
	 */
	async matchingBeforeCreation(key: RowKey): Promise<Entity[]> {
		if (this.absentKeys.has(key.text)) await (this.secondReading ??= this.readAgain());
		return await this.matching(key);
	}

	private async readAgain(): Promise<void> {
		const keys = [...this.absentKeys.values()];
		const isCheaper = keys.length > this.pages || keys.some((key) => this.askedColumns(key).length === 0);
		const rowsByKey = isCheaper ? await this.allAtOnce(new Set(this.absentKeys.keys())) : undefined;
		for (const key of keys) {
			// A key that another run has written meanwhile is searched for once more.
			if (!this.absentKeys.delete(key.text)) continue;
			if (rowsByKey) this.remember(key, rowsByKey.get(key.text) ?? []);
			else this.forget(key);
		}
	}

	/** Finds the present rows of keys, the cheaper way; `known` then returns them. */
	async lookAgain(keys: readonly RowKey[]): Promise<void> {
		const rowsByKey = await this.allAtOnceIfCheaper(keys);
		for (const key of rowsByKey ? keys : []) this.remember(key, rowsByKey?.get(key.text) ?? []);
		const { outcomes } = await this.client.session.limiter.run(rowsByKey ? [] : keys, async (key) => {
			this.remember(key, await this.listed(key));
		});
		const failure = outcomes.find((outcome) => outcome.state === 'failed');
		if (failure) throw failure.error;
	}

	/** See `Creations.create`. Items with the same key run in turn. @returns the id of the row */
	async createOnce(key: RowKey, values: Values): Promise<string> {
		const id = await this.creations.create(key, values);
		this.forget(key);
		return id;
	}

	/** Rows that this run has created are read by their ids, because a list may not have them yet. */
	private async search(key: RowKey): Promise<Entity[]> {
		const row = await this.creations.rowOf(key);
		return row ? [row] : await this.listed(key);
	}

	private async listed(key: RowKey): Promise<Entity[]> {
		const asking = this.askedColumns(key).length > 0 ? await outcomeOf(this.oneByOne(key)) : undefined;
		if (asking?.state === 'done') return asking.value;
		// A value that its column does not accept is refused (§7), and may be in no row.
		if (asking && !(asking.error instanceof BadRequest)) throw asking.error;
		// Calls made during a reading share the next one.
		this.nextReading ??= this.readNext();
		this.nextReading.keys.add(key.text);
		return (await this.nextReading.rows)?.get(key.text) ?? [];
	}

	private readNext(): NonNullable<typeof this.nextReading> {
		const keys = new Set<string>();
		const rows = this.lastReading.then(async () => {
			this.nextReading = undefined;
			return await this.allAtOnce(keys);
		});
		this.lastReading = outcomeOf(rows);
		return { keys, rows };
	}

	/** Key columns that `$eq` finds all rows by: their values have one spelling. */
	private askedColumns({ values }: RowKey): Field[] {
		return this.keys.filter((field) => hasOneSpelling(field, ownMember(values, field.id)));
	}

	/**
	 * Asks for a key with `$eq` (§2.8). The service may ignore case; the other key columns are
	 * compared here.
	 * @throws InvalidInput if it ignores the filter, or the grid kept changing
	 */
	private async oneByOne(key: RowKey): Promise<Entity[]> {
		const asked = this.askedColumns(key);
		const filter = Object.fromEntries(asked.map(({ id }) => [id, { $eq: ownMember(key.values, id) }]));
		const { items, unstable } = await this.client.entities.many(this.grid, { filter }, { needs: this.needs });
		if (unstable) throw unstableListError(this.grid);
		const answerOf = filterReading(filter, asked);
		if (items.some((row) => answerOf(row) === 'fails'))
			throw new InvalidInput(
				`The service returned rows of "${this.grid.name}" that do not have ${this.describe(key.values)}, so it ignores filters; nothing was written`,
				'Set "Find Rows" to "All at Once".',
			);
		return items.filter((row) => canonicalKey(this.keys, row) === key.text);
	}

	/**
	 * Reads the grid once.
	 * @returns undefined if it has more than the maximum number of pages
	 * @throws InvalidInput if it kept changing
	 */
	private async allAtOnce(wanted: ReadonlySet<string>, maxPages?: number): Promise<RowsByKey | undefined> {
		const keep = (row: Entity) => {
			const text = canonicalKey(this.keys, row);
			return wanted.has(text) ? { text, row } : undefined;
		};
		const bounds = { needs: this.needs, maxPages };
		const { items, unstable, isTooLong } = await this.client.entities.manyAs(this.grid, keep, {}, bounds);
		if (unstable) throw unstableListError(this.grid);
		if (isTooLong) return undefined;
		this.pages = pagesOf(items.length);
		const rowsByKey = new Map<string, Entity[]>();
		for (const item of items) if (item) addToGroup(rowsByKey, item.text, item.row);
		return rowsByKey;
	}

	/** @param ids of columns whose stored values a plan compares, besides the keys */
	need(ids: Iterable<string>): void {
		for (const id of ids) this.neededIds.add(id);
	}

	private get needs(): string[] {
		return [...this.keys.map(({ id }) => id), ...this.neededIds];
	}

	/** Describes a key for messages, e.g. `Order "A-1"`. */
	describe(values: Values): string {
		return this.keys.map((field) => `${field.name} ${valueText(ownMember(values, field.id))}`).join(', ');
	}

	/** A key with the ids of its rows, for errors about ambiguous keys. */
	describeRows({ values }: Pick<RowKey, 'values'>, rows: readonly Entity[]): string {
		const ids = rows.slice(0, MAX_NAMED_ROWS).map(({ _id }) => _id);
		return `${this.describe(values)}: ${ids.join(', ')}${rows.length > ids.length ? ' …' : ''}`;
	}
}

/** Reads the rows of many items beforehand, each grid once. */
export async function readAllAhead(
	items: ReadonlyArray<{ rows?: KeyedRows | undefined; key?: RowKey | undefined }>,
	how: FindRows,
): Promise<void> {
	const keysByRows = new Map<KeyedRows, Map<string, RowKey>>();
	for (const { rows, key } of items) {
		if (rows === undefined || key === undefined) continue;
		const keys = keysByRows.get(rows) ?? new Map<string, RowKey>();
		keysByRows.set(rows, keys.set(key.text, key));
	}
	for (const [rows, keys] of keysByRows) await rows.readAhead([...keys.values()], how);
}

/** One `KeyedRows` for each grid and set of keys of an execution. */
export class KeyedGrids {
	private readonly byGrid = new WeakMap<Grid, Map<string, KeyedRows>>();
	/** All of them, for a look at the end of the run. */
	readonly all: KeyedRows[] = [];

	/** @param turns of a run that writes rows */
	constructor(
		private readonly client: Client,
		private readonly turns?: RunTurns,
	) {}

	/** @param fields all columns of the grid */
	of(grid: Grid, keys: readonly ComparedField[], fields: readonly Field[]): KeyedRows {
		const ofGrid = this.byGrid.get(grid) ?? new Map<string, KeyedRows>();
		this.byGrid.set(grid, ofGrid);
		const name = JSON.stringify(keys.map(({ id, compareAs }) => [id, compareAs]));
		const known = ofGrid.get(name);
		if (known) return known;
		const rows = new KeyedRows({ client: this.client, grid, fields }, keys, this.turns);
		ofGrid.set(name, rows);
		this.all.push(rows);
		return rows;
	}
}
