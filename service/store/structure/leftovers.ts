import { BackgroundWork } from '../files/backgroundWork';
import type { Database, SqlValue } from '../files/database';
import { releaseFreePages } from '../files/freePages';
import { Portion, type Slices, type Steps } from '../files/slices';
import { endKey, firstKey } from '../keys';
import { blocksOf } from '../rows/positions';

/**
 * Rows of grids without a record, which are being filled or deleted, and keys of dropped indexes.
 * Filling and clearing a large grid takes many transactions, attaching and detaching it takes one.
 * The next start clears what a killed process left behind.
 */
export class Leftovers {
	/** Grids that this process is filling. */
	private readonly drafts = new Set<number>();
	private readonly clearing: BackgroundWork;

	/** @param onFault called for background errors */
	constructor(
		private readonly db: Database,
		slices: Slices,
		onFault: (error: unknown) => void,
	) {
		this.clearing = new BackgroundWork(slices, () => this.clearAll(), onFault);
	}

	/**
	 * Reserves the number of a grid to be filled.
	 * @returns its number, for `attach` or `discard`
	 */
	draft(): number {
		return this.db.alone(() => {
			this.db.run(
				"INSERT INTO sqlite_sequence (name, seq) SELECT 'grids', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'grids')",
			);
			this.db.run("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'grids'");
			const [row] = this.db.all<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'grids'");
			if (!row) throw new Error('The number of the last grid is missing');
			this.db.run('INSERT INTO detached_grids VALUES (?)', row.seq);
			this.drafts.add(row.seq);
			return row.seq;
		});
	}

	/** Call within the transaction that inserts the record of the grid. */
	attach(no: number): void {
		this.db.run('DELETE FROM detached_grids WHERE no = ?', no);
	}

	/** Call within the transaction that deletes the record of the grid; then call `clear`. */
	detach(no: number): void {
		this.db.run('INSERT INTO detached_grids VALUES (?)', no);
	}

	/** Call once a draft is attached or abandoned. */
	endDraft(no: number): void {
		this.drafts.delete(no);
		this.clear();
	}

	/** Clears what is left behind, in the background. */
	clear(): void {
		this.clearing.wake();
	}

	private *clearAll(): Steps<void> {
		for (let no = this.nextGrid(); no !== undefined; no = this.nextGrid()) yield* this.clearGrid(no);
		for (;;) {
			const [index] = this.db.all<{ no: number }>('SELECT no FROM dropped_indexes LIMIT 1');
			if (!index) break;
			yield* this.empty('keys', '(index_no, k0, k1, pos)', 'index_no = ?', index.no);
			this.db.run('DELETE FROM dropped_indexes WHERE no = ?', index.no);
		}
		yield* releaseFreePages(this.db);
	}

	private nextGrid(): number | undefined {
		return this.db
			.all<{ no: number }>('SELECT no FROM detached_grids ORDER BY no')
			.find(({ no }) => !this.drafts.has(no))?.no;
	}

	private *clearGrid(no: number): Steps<void> {
		this.db.run('INSERT INTO dropped_indexes SELECT no FROM indexes WHERE grid_no = ?', no);
		this.db.run('DELETE FROM indexes WHERE grid_no = ?', no);
		const keys = [firstKey(no), endKey(no)];
		yield* this.empty('events', 'seq', 'seq >= ? AND seq < ?', ...keys);
		yield* this.empty('rows', 'pos', 'pos >= ? AND pos < ?', ...keys);
		this.db.run('DELETE FROM holes WHERE block >= ? AND block < ?', ...blocksOf(no));
		this.db.run('DELETE FROM detached_grids WHERE no = ?', no);
	}

	private *empty(table: string, key: string, where: string, ...values: SqlValue[]): Steps<void> {
		const portion = new Portion();
		const columns = key.replace(/[()]/g, '');
		const sql = `DELETE FROM ${table} WHERE ${key} IN (SELECT ${columns} FROM ${table} WHERE ${where} LIMIT ?)`;
		while (portion.measure((rows) => this.db.run(sql, ...values, rows)) > 0) yield;
	}
}
