import type { Database } from '../files/database';
import { releaseFreePages } from '../files/freePages';
import { Portion, type Steps } from '../files/slices';
import { endKey, firstKey } from '../keys';

/**
 * Deletes the events of all grids before a time and frees their space. Keeps the newest event of
 * each grid, because the next one continues its number and time.
 * @param before milliseconds since 1970
 */
export function* trimHistory(db: Database, before: number): Steps<void> {
	const grids = db.all<{ no: number }>('SELECT no FROM grids WHERE base_no IS NULL');
	for (const { no } of grids) {
		const portion = new Portion();
		// The grid may be deleted during each pause.
		const exists = () => db.has('SELECT 1 FROM grids WHERE no = ?', no);
		const sql = `DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE at < ? AND seq >= ?
			AND seq < (SELECT max(seq) FROM events WHERE seq < ?) ORDER BY seq LIMIT ?)`;
		const keys = [firstKey(no), endKey(no)];
		while (exists() && portion.measure((rows) => db.run(sql, before, ...keys, rows)) > 0) yield;
	}
	yield* releaseFreePages(db);
}
