import type { Database } from '../files/database';

/**
 * Positions per block. A page is found by skipping whole
 * blocks in memory and at most this many rows in the table.
 */
const BLOCK = 1024;

interface GridPositions {
	/** The position the next entity gets. */
	next: number;
	total: number;
	/** Deleted positions by block; a block without an entry is full. */
	readonly holes: Map<number, number>;
}

/**
 * Knows how many entities a grid has and at which position its n-th entity is found, in time that
 * does not grow with n. Positions are handed out in order and never used again, so only deletions
 * have to be counted. Kept in memory, rebuilt from `holes_*` in a moment; correct because one
 * process owns the data file.
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

	/** One past the highest position in use. */
	end(grid: number): number {
		return this.of(grid).next;
	}

	/** Takes the next position. Call within the transaction that inserts the row. */
	take(grid: number): number {
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
	 * Where to start for the entity number `offset` (0-based): the first position of its block and
	 * how many rows to skip there.
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

	/** Forgets a deleted grid. */
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
