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
export interface SizedRecord<Key = number> {
	readonly key: Key;
	readonly bytes: number;
}

/** Splits a list into batches of at most MAX_BATCH_BYTES; a larger record is a separate batch. */
function batches<Key>(records: ReadonlyArray<SizedRecord<Key>>): Key[][] {
	const parts: Key[][] = [];
	let [part, room]: [Key[], number] = [[], 0];
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
export function readPage<Item, Key = number>(
	db: Database,
	total: number,
	records: ReadonlyArray<SizedRecord<Key>>,
	read: (keys: readonly Key[]) => Item[],
): StoredPage<Item> {
	const parts = batches(records);
	if (parts.length <= 1) return { total, items: read(parts[0] ?? []) };
	return { total, items: readBatches(db, parts, read) };
}

/**
 * A page of a list that is read by its keys.
 * @param all every record of the list, in its order
 */
export function pageOfRecords<Item, Key>(
	db: Database,
	all: ReadonlyArray<SizedRecord<Key>>,
	{ offset, limit }: { readonly offset: number; readonly limit: number },
	read: (keys: readonly Key[]) => Item[],
): StoredPage<Item> {
	return readPage(db, all.length, all.slice(offset, offset + limit), read);
}

/** Reads nothing that is not on disk yet (see Database). */
async function* readBatches<Item, Key>(
	db: Database,
	parts: readonly Key[][],
	read: (keys: readonly Key[]) => Item[],
) {
	for (const part of parts) {
		await db.settled();
		yield read(part);
	}
}
