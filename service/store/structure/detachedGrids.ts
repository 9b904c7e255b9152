import { BackgroundWork } from '../files/backgroundWork';
import type { Database } from '../files/database';
import { removalOfIndex } from '../rows/indexes';
import { releaseFreePages } from '../files/freePages';
import { Portion, type Slices, type Steps } from '../files/slices';
import { createGridTables, dropCreationTriggers, dropGridTables } from '../files/tables';

/**
 * Tables of grids without a record in `grids`: grids that are being filled or deleted. Filling and
 * clearing a large grid takes many transactions, attaching and detaching it takes one. The next
 * start clears what a killed process left behind.
 */
export class DetachedGrids {
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
	 * Creates the tables of a grid to be filled.
	 * @returns its number, for `attach` or `discard`
	 */
	draft(): number {
		return this.db.transaction(() => {
			this.db.run(
				"INSERT INTO sqlite_sequence (name, seq) SELECT 'grids', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'grids')",
			);
			this.db.run("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'grids'");
			const [row] = this.db.all<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'grids'");
			if (!row) throw new Error('The number of the last grid is missing');
			createGridTables(this.db, row.seq);
			this.detach(row.seq);
			this.drafts.add(row.seq);
			return row.seq;
		});
	}

	/** Call within the transaction that inserts the record of the grid. */
	attach(no: number): void {
		this.db.run('DELETE FROM detached_grids WHERE no = ?', no);
		this.drafts.delete(no);
	}

	/** Call within the transaction that deletes the record of the grid; then call `clear`. */
	detach(no: number): void {
		this.db.run('INSERT INTO detached_grids VALUES (?)', no);
	}

	/** Discards a draft. */
	discard(no: number): void {
		this.drafts.delete(no);
		this.clear();
	}

	/** Clears detached grids that are not drafts, in the background. */
	clear(): void {
		this.clearing.wake();
	}

	private *clearAll(): Steps<void> {
		for (let no = this.next(); no !== undefined; no = this.next()) {
			yield;
			yield* this.clearOne(no);
		}
		yield* releaseFreePages(this.db);
	}

	private next(): number | undefined {
		return this.db
			.all<{ no: number }>('SELECT no FROM detached_grids ORDER BY no')
			.find(({ no }) => !this.drafts.has(no))?.no;
	}

	private *clearOne(no: number): Steps<void> {
		const prefix = `value_${no}_`;
		const indexes = this.db.all<{ name: string }>(
			'SELECT name FROM indexes WHERE substr(name, 1, ?) = ?',
			prefix.length,
			prefix,
		);
		for (const { name } of indexes) {
			this.db.exec(removalOfIndex(name));
			this.db.run('DELETE FROM indexes WHERE name = ?', name);
			yield;
		}
		dropCreationTriggers(this.db, no);
		yield;
		// Dropping a table takes as long as reading it, so it is emptied first.
		yield* this.empty(`rows_${no}`, 'pos');
		yield* this.empty(`events_${no}`, 'seq');
		dropGridTables(this.db, no);
		this.db.run('DELETE FROM detached_grids WHERE no = ?', no);
	}

	private *empty(table: string, key: string): Steps<void> {
		const portion = new Portion();
		const sql = `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT ?)`;
		while (portion.measure((rows) => this.db.run(sql, rows)) > 0) yield;
	}
}
