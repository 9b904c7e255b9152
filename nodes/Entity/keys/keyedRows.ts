import { Cache, type Client, type Entity, type Field, type Grid, type Values } from '../../../client';
import type { ComparedField } from '../../shared/rows/equality';
import { Creations } from './creations';
import { pagesOf, type FindRows } from './findRows';
import { KeyColumns, type RowKey } from './keyColumns';
import { KeySearch } from './keySearch';
import type { RunTurns } from './turns';

/** What to do about rows with the same key. */
export const CLEAN_UP =
	'Delete the duplicate rows (the example "Remove duplicate rows" plans and does it), or add a key column that tells them apart.';

/** The rows of a grid by key, as a run finds and leaves them. */
export class KeyedRows {
	readonly client: Client;
	readonly grid: Grid;
	/** All columns of the grid. */
	readonly fields: readonly Field[];
	readonly creations: Creations;
	readonly search: KeySearch;
	/** Rows by key, updated with each write. */
	private readonly rowsByKey = new Cache<Entity[]>();
	/** Keys that a list of the grid lacks. */
	private readonly absentKeys = new Map<string, RowKey>();
	/** The same list, read again before the first row is created. */
	private secondReading: Promise<void> | undefined;
	/** Other runs that write to the same grid by the same keys share it. */
	private readonly place: string;

	/** @param turns of a run that writes rows */
	constructor(
		{ client, grid, fields }: Pick<KeyedRows, 'client' | 'grid' | 'fields'>,
		readonly keys: KeyColumns,
		private readonly turns?: RunTurns,
	) {
		this.client = client;
		this.grid = grid;
		this.fields = fields;
		this.search = new KeySearch(client, grid, keys);
		const service = client.session.resolve('/api').href;
		this.place = JSON.stringify([service, grid.id, keys.ids]);
		turns?.join(this.place);
		this.creations = new Creations({ client, grid }, async (key) => await this.search.rowsOf(key));
	}

	/** The same grid and keys for the same run, without what this one remembers. */
	forgetful(): KeyedRows {
		return new KeyedRows(this, this.keys, this.turns);
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
			describe: () => this.keys.describe(key.values),
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

	/**
	 * Reads the rows of many keys at once, if that takes fewer requests or no filter finds them;
	 * `matching` then returns them without a request.
	 * @throws InvalidInput if they must be read at once and the grid kept changing
	 */
	async readAhead(keys: readonly RowKey[], how: FindRows): Promise<void> {
		const { search } = this;
		search.how = how;
		const wanted = how === 'oneByOne' ? keys.filter((key) => !search.canAsk(key)) : keys;
		const rowsByKey = await search.allAtOnceIfCheaper(wanted);
		if (!rowsByKey) return;
		this.rememberAll(wanted, rowsByKey);
		this.markAbsent(wanted.filter(({ text }) => !rowsByKey.has(text)));
	}

	/** Notes that a list of the grid lacks these keys. @param rows its length, if read elsewhere */
	markAbsent(keys: readonly RowKey[], rows?: number): void {
		if (rows !== undefined) this.search.pages = pagesOf(rows);
		for (const key of keys) this.absentKeys.set(key.text, key);
	}

	/** All rows with a key, in the order of the grid. Each key is searched for once. */
	async matching(key: RowKey): Promise<Entity[]> {
		return await this.rowsByKey.get(key.text, async () => {
			// Rows that this run has created are read by their ids: a list may not have them yet.
			const row = await this.creations.rowOf(key);
			return row ? [row] : await this.search.rowsOf(key);
		});
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
		const { search, absentKeys } = this;
		const keys = [...absentKeys.values()];
		const isCheaper = keys.length > search.pages || keys.some((key) => !search.canAsk(key));
		const rowsByKey = isCheaper ? await search.allAtOnce(new Set(absentKeys.keys())) : undefined;
		// A key that another run has written meanwhile is searched for once more.
		const stillAbsent = keys.filter(({ text }) => absentKeys.delete(text));
		if (rowsByKey) this.rememberAll(stillAbsent, rowsByKey);
		else for (const key of stillAbsent) this.forget(key);
	}

	/** Finds the present rows of keys, the cheaper way; `known` then returns them. */
	async lookAgain(keys: readonly RowKey[]): Promise<void> {
		const rowsByKey = await this.search.allAtOnceIfCheaper(keys);
		if (rowsByKey) {
			this.rememberAll(keys, rowsByKey);
			return;
		}
		const { outcomes } = await this.client.session.limiter.run(keys, async (key) => {
			this.remember(key, await this.search.rowsOf(key));
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

	private rememberAll(keys: readonly RowKey[], rowsByKey: ReadonlyMap<string, Entity[]>): void {
		for (const key of keys) this.remember(key, rowsByKey.get(key.text) ?? []);
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
		const present = ofGrid.get(name);
		if (present) return present;
		const rows = new KeyedRows({ client: this.client, grid, fields }, new KeyColumns(keys), this.turns);
		ofGrid.set(name, rows);
		this.all.push(rows);
		return rows;
	}
}
