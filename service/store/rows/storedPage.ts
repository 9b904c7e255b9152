import type { Database } from '../files/database';

/** Maximum size of the stored JSON that a streamed page keeps in memory, in bytes. */
const MAX_BATCH_BYTES = 16 * 1024;

/** Stored items, each of which is parsed when it is called. */
export type StoredItems<Item> = ReadonlyArray<() => Item>;

/** A page of a list, which is read at once or in batches. */
export interface StoredPage<Item> {
	/** Total number of items in the list. */
	readonly total: number;
	/** Size of its stored JSON. */
	readonly bytes: number;
	read(): StoredItems<Item>;
	/** Reads a batch when it is requested. @param turn waits before each */
	batches(turn: () => Promise<void>): AsyncIterable<StoredItems<Item>>;
}

/** A record to read and its size. */
export interface SizedRecord<Key = number> {
	readonly key: Key;
	readonly bytes: number;
}

/** Splits a list into batches of at most MAX_BATCH_BYTES; a larger record is a separate batch. */
function batchesOf<Key>(records: ReadonlyArray<SizedRecord<Key>>): Key[][] {
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
 * A page of these records.
 * @param records in the order of the page
 * @param read reads some of them, omitting deleted ones
 */
export const storedPage = <Item, Key = number>(
	db: Database,
	total: number,
	records: ReadonlyArray<SizedRecord<Key>>,
	read: (keys: readonly Key[]) => StoredItems<Item>,
): StoredPage<Item> => ({
	total,
	bytes: records.reduce((sum, { bytes }) => sum + bytes, 0),
	read: () => read(records.map(({ key }) => key)),
	batches: (turn) => readBatches(db, batchesOf(records), turn, read),
});

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
	return storedPage(db, all.length, all.slice(offset, offset + limit), (keys) =>
		read(keys).map((item) => () => item),
	);
}

/** Reads nothing that is not on disk yet (see Database). */
async function* readBatches<Item, Key>(
	db: Database,
	parts: readonly Key[][],
	turn: () => Promise<void>,
	read: (keys: readonly Key[]) => StoredItems<Item>,
) {
	for (const part of parts) {
		await turn();
		await db.settled();
		yield read(part);
	}
}
