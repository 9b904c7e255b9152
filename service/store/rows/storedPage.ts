import type { Database } from '../files/database';

/** Most JSON of stored records, in bytes, that an answer holds in memory at the same time. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * One page of a list: its items where they are small, else
 * a part at a time, read as the client takes them.
 */
export interface StoredPage<Item> {
	/** How many items the list has in all. */
	readonly total: number;
	readonly items: readonly Item[] | AsyncIterable<readonly Item[]>;
}

/** A record that is to be read, and how much it holds. */
interface Sized {
	readonly key: number;
	readonly bytes: number;
}

/** Cuts a list into parts of at most MAX_BATCH_BYTES; a larger record is a part of its own. */
function batches(records: readonly Sized[]): number[][] {
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
 * @param read reads some of them; those that are gone by then are left out
 */
export function readPage<Item>(
	db: Database,
	total: number,
	records: readonly Sized[],
	read: (keys: readonly number[]) => Item[],
): StoredPage<Item> {
	const parts = batches(records);
	if (parts.length <= 1) return { total, items: read(parts[0] ?? []) };
	return { total, items: inTurn(db, parts, read) };
}

/** Nothing leaves the service before what it may have seen is on the disk (see Database). */
async function* inTurn<Item>(
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
