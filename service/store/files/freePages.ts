import type { Database } from './database';
import { Portion, type Steps } from './slices';

/** Returns free pages of the data file to the file system. */
export function* releaseFreePages(db: Database): Steps<void> {
	const portion = new Portion();
	const free = () => db.all<{ freelist_count: number }>('PRAGMA freelist_count')[0]?.freelist_count ?? 0;
	for (let left = free(), before = Infinity; left > 0 && left < before; ) {
		portion.measure((pages) => {
			db.exec(`PRAGMA incremental_vacuum(${pages})`);
		});
		yield;
		[before, left] = [left, free()];
	}
}
