import {
	addToGroup,
	BadRequest,
	type Client,
	concernsAllItems,
	type Entity,
	type Grid,
	InvalidInput,
	outcomeOf,
	ownMember,
} from '../../../client';
import { filterReading } from '../../shared/rows/filterReading';
import { unstableListError } from '../../shared/rows/unstableListError';
import { isCheaperToReadAll, pagesOf, type FindRows } from './findRows';
import type { KeyColumns, RowKey } from './keyColumns';

/** With at least this many keys, the grid is read without counting its rows first. */
const MIN_KEYS_WITHOUT_COUNT = 30;

type EntitiesByKey = ReadonlyMap<string, Entity[]>;

/** Searches a grid for rows by key: for one key, or for many in one reading. */
export class KeySearch {
	how: FindRows = 'automatic';
	/** Number of pages of the grid, if it was read. */
	pages = 0;
	private readonly neededIds = new Set<string>();
	/** The next reading of the grid for keys that no filter finds. */
	private nextReading: { keys: Set<string>; rows: Promise<EntitiesByKey | undefined> } | undefined;
	private lastReading: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly client: Client,
		private readonly grid: Grid,
		private readonly keys: KeyColumns,
	) {}

	/** @param ids of columns whose stored values a plan compares, besides the keys */
	need(ids: Iterable<string>): void {
		for (const id of ids) this.neededIds.add(id);
	}

	/** Whether a filter finds all rows with a key. */
	canAsk(key: RowKey): boolean {
		return this.keys.withOneSpelling(key).length > 0;
	}

	/** The rows with a key that a list of the grid has now. */
	async rowsOf(key: RowKey): Promise<Entity[]> {
		const asking = this.canAsk(key) ? await outcomeOf(this.oneByOne(key)) : undefined;
		if (asking?.state === 'done') return asking.value;
		// A value that its column does not accept is refused (§7), and may be in no row.
		if (asking && !(asking.error instanceof BadRequest)) throw asking.error;
		// Calls made during a reading share the next one.
		this.nextReading ??= this.readNext();
		this.nextReading.keys.add(key.text);
		return (await this.nextReading.rows)?.get(key.text) ?? [];
	}

	/**
	 * The rows of many keys from one reading of the grid.
	 * @returns undefined if asking for each key takes fewer requests, or the grid kept changing
	 * @throws InvalidInput if they must be read at once and the grid kept changing
	 */
	async allAtOnceIfCheaper(keys: readonly RowKey[]): Promise<EntitiesByKey | undefined> {
		const { how } = this;
		const isRequired = how === 'allAtOnce' || keys.some((key) => !this.canAsk(key));
		if (!isRequired && (how === 'oneByOne' || !(await this.mayBeCheaper(keys.length)))) return undefined;
		const maxPages = isRequired ? undefined : keys.length;
		const reading = await outcomeOf(this.allAtOnce(new Set(keys.map(({ text }) => text)), maxPages));
		if (reading.state === 'done') return reading.value;
		// Keys that can be asked for may be found nevertheless.
		if (isRequired || concernsAllItems(reading.error)) throw reading.error;
		return undefined;
	}

	/**
	 * Reads the grid once.
	 * @returns undefined if it has more than the maximum number of pages
	 * @throws InvalidInput if it kept changing
	 */
	async allAtOnce(wanted: ReadonlySet<string>, maxPages?: number): Promise<EntitiesByKey | undefined> {
		const keep = (row: Entity) => {
			const text = this.keys.textOf(row);
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

	private readNext(): NonNullable<typeof this.nextReading> {
		const keys = new Set<string>();
		const rows = this.lastReading.then(async () => {
			this.nextReading = undefined;
			return await this.allAtOnce(keys);
		});
		this.lastReading = outcomeOf(rows);
		return { keys, rows };
	}

	/** With many keys, no count is requested: the first page of the grid contains it. */
	private async mayBeCheaper(keys: number): Promise<boolean> {
		if (this.pages > 0) return this.pages < keys;
		return keys >= MIN_KEYS_WITHOUT_COUNT || (await isCheaperToReadAll(this.client, this.grid, keys));
	}

	/**
	 * Asks for a key with `$eq` (§2.8). The service may ignore case; the other key columns are
	 * compared here.
	 * @throws InvalidInput if it ignores the filter, or the grid kept changing
	 */
	private async oneByOne(key: RowKey): Promise<Entity[]> {
		const { client, grid, keys, needs } = this;
		const asked = keys.withOneSpelling(key);
		const filter = Object.fromEntries(asked.map(({ id }) => [id, { $eq: ownMember(key.values, id) }]));
		const { items, unstable } = await client.entities.many(grid, { filter }, { needs });
		if (unstable) throw unstableListError(grid);
		const answerOf = filterReading(filter, asked);
		if (items.some((row) => answerOf(row) === 'fails'))
			throw new InvalidInput(
				`The service returned rows of "${grid.name}" that do not have ${keys.describe(key.values)}, so it ignores filters; nothing was written`,
				'Set "Find Rows" to "All at Once".',
			);
		return items.filter((row) => keys.hasKey(row, key));
	}

	private get needs(): string[] {
		return [...this.keys.ids, ...this.neededIds];
	}
}
