import { badRequest } from '../../rules/errors';
import type { Database } from '../files/database';
import { endKey, firstKey } from '../keys';
import { RecordCache } from '../recordCache';

/**
 * Positions per block. Finding a page skips whole blocks in memory and at most this many rows in
 * the table.
 */
const BLOCK = 1024;
/** Size of an entry of `holes`. */
const BYTES_PER_HOLE = 50;

/** First block of a grid, and the block after its last one. */
export const blocksOf = (grid: number): [number, number] => [firstKey(grid) / BLOCK, endKey(grid) / BLOCK];

interface GridPositions {
	/** Position of the next entity. */
	next: number;
	total: number;
	/** Number of deleted positions by block; none if missing. */
	readonly holes: Map<number, number>;
}

/**
 * Counts entities and finds the position of the n-th one in constant time. Positions are ascending
 * and never reused, so only deletions are counted. Cached in memory and rebuilt from `holes`;
 * correct because one process owns the data file.
 */
export class Positions {
	private readonly grids: RecordCache<number, GridPositions>;

	constructor(private readonly db: Database) {
		this.grids = new RecordCache(db, ({ holes }) => holes.size * BYTES_PER_HOLE);
	}

	total(grid: number): number {
		return this.of(grid).total;
	}

	/** Position after the highest one in use. */
	end(grid: number): number {
		return this.of(grid).next;
	}

	/** Allocates the next position. Call within the transaction that inserts the row. */
	allocate(grid: number): number {
		const positions = this.of(grid);
		if (positions.next === endKey(grid)) throw badRequest('The grid is full, with its deleted entities');
		positions.total += 1;
		return positions.next++;
	}

	/** Counts a deleted position. Call within the transaction that deletes the row. */
	release(grid: number, position: number): void {
		const positions = this.of(grid);
		const block = Math.floor(position / BLOCK);
		this.db.run(
			'INSERT INTO holes (block, n, last) VALUES (?, 1, ?) ON CONFLICT (block) DO UPDATE SET n = n + 1, last = max(last, excluded.last)',
			block,
			position,
		);
		positions.holes.set(block, (positions.holes.get(block) ?? 0) + 1);
		positions.total -= 1;
	}

	/**
	 * Locates the entity number `offset` (0-based): first position of its block and number of rows
	 * to skip.
	 */
	locate(grid: number, offset: number): { from: number; skip: number } {
		const { next, holes } = this.of(grid);
		let skip = offset;
		let [block] = blocksOf(grid);
		for (; block * BLOCK < next; block++) {
			const live = BLOCK - (holes.get(block) ?? 0);
			if (skip < live) break;
			skip -= live;
		}
		return { from: block * BLOCK, skip };
	}

	/** Drops cached data of a deleted grid. */
	forget(grid: number): void {
		this.grids.forget(grid);
	}

	private of(grid: number): GridPositions {
		return this.grids.get(grid, () => this.load(grid));
	}

	private load(grid: number): GridPositions {
		const rows = this.db.all<{ block: number; n: number; last: number }>(
			'SELECT block, n, last FROM holes WHERE block >= ? AND block < ?',
			...blocksOf(grid),
		);
		const [highest] = this.db.all<{ pos: number | null }>(
			'SELECT max(pos) AS pos FROM rows WHERE pos >= ? AND pos < ?',
			firstKey(grid),
			endKey(grid),
		);
		const after = (highest?.pos ?? firstKey(grid) - 1) + 1;
		const next = rows.reduce((top, row) => Math.max(top, row.last + 1), after);
		const deleted = rows.reduce((sum, row) => sum + row.n, 0);
		return {
			next,
			total: next - firstKey(grid) - deleted,
			holes: new Map(rows.map((row) => [row.block, row.n])),
		};
	}
}
