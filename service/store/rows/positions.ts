import type { Database } from '../files/database';

/**
 * Positions per block. Finding a page skips whole blocks in memory and at most this many rows in
 * the table.
 */
const BLOCK = 1024;

interface GridPositions {
	/** Position of the next entity. */
	next: number;
	total: number;
	/** Number of deleted positions by block; none if missing. */
	readonly holes: Map<number, number>;
}

/**
 * Counts entities and finds the position of the n-th one in constant time. Positions are ascending
 * and never reused, so only deletions are counted. Cached in memory and rebuilt from `holes_*`;
 * correct because one process owns the data file.
 */
export class Positions {
	private readonly grids = new Map<number, GridPositions>();

	constructor(private readonly db: Database) {
		db.onRollback(() => {
			this.grids.clear();
		});
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
		positions.total += 1;
		return positions.next++;
	}

	/** Counts a deleted position. Call within the transaction that deletes the row. */
	release(grid: number, position: number): void {
		const positions = this.of(grid);
		const block = Math.floor(position / BLOCK);
		this.db.run(
			`INSERT INTO holes_${grid} (block, n, last) VALUES (?, 1, ?) ON CONFLICT (block) DO UPDATE SET n = n + 1, last = max(last, excluded.last)`,
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
		let block = 0;
		for (; block * BLOCK < next; block++) {
			const live = BLOCK - (holes.get(block) ?? 0);
			if (skip < live) break;
			skip -= live;
		}
		return { from: block * BLOCK, skip };
	}

	/** Drops cached data of a deleted grid. */
	forget(grid: number): void {
		this.grids.delete(grid);
	}

	private of(grid: number): GridPositions {
		let positions = this.grids.get(grid);
		if (!positions) {
			positions = this.load(grid);
			this.grids.set(grid, positions);
		}
		return positions;
	}

	private load(grid: number): GridPositions {
		const rows = this.db.all<{ block: number; n: number; last: number }>(
			`SELECT block, n, last FROM holes_${grid}`,
		);
		const highest =
			this.db.all<{ pos: number | null }>(`SELECT max(pos) AS pos FROM rows_${grid}`)[0]?.pos ?? -1;
		const next = rows.reduce((top, row) => Math.max(top, row.last + 1), highest + 1);
		const deleted = rows.reduce((sum, row) => sum + row.n, 0);
		return { next, total: next - deleted, holes: new Map(rows.map((row) => [row.block, row.n])) };
	}
}
