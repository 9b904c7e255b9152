import type { Database } from '../files/database';

/** Maximum size of stored JSON that a response keeps in memory, in bytes. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** A page of a list: its items if they are small, otherwise batches at the client's speed. */
export interface StoredPage<Item> {
	/** Total number of items in the list. */
	readonly total: number;
	readonly items: readonly Item[] | AsyncIterable<readonly Item[]>;
}

/** A record to read and its size. */
interface SizedRecord {
	readonly key: number;
	readonly bytes: number;
}

/** Splits a list into batches of at most MAX_BATCH_BYTES; a larger record is a separate batch. */
function batches(records: readonly SizedRecord[]): number[][] {
	const parts: number[][] = [];
	let [part, room]: [number[], number] = [[], 0];
	for (const { key, bytes } of records) {
		if (bytes > room || part.length === 0) {
			part = [];
			parts.push(part);
			room = MAX_BATCH_BYTES;
		}
		part.push(key);
		room -= bytes;
	}
	return parts;
}

/**
 * Reads the records of a page.
 * @param records in the order of the page
 * @param read reads some of them, omitting deleted ones
 */
export function readPage<Item>(
	db: Database,
	total: number,
	records: readonly SizedRecord[],
	read: (keys: readonly number[]) => Item[],
): StoredPage<Item> {
	const parts = batches(records);
	if (parts.length <= 1) return { total, items: read(parts[0] ?? []) };
	return { total, items: readBatches(db, parts, read) };
}

/** Sends nothing before everything it may have read is on disk (see Database). */
async function* readBatches<Item>(
	db: Database,
	parts: readonly number[][],
	read: (keys: readonly number[]) => Item[],
) {
	for (const part of parts) {
		const since = db.mark();
		const items = read(part);
		await db.committed(since);
		yield items;
	}
}
