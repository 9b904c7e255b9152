import {
	addToGroup,
	type Client,
	type EntryIdentities,
	type Field,
	isWritable,
	type ListPage,
	type PageRequest,
	type RetryOptions,
	type Update,
	type UpdateKind,
} from '../../../client';
import { keyOf } from './state';

/** What a response tells about the time at which its request was sent. */
export interface ResponseTime {
	/** The `Date` header in milliseconds since 1970. */
	date?: number | undefined;
	/** How long the request took, in milliseconds. */
	took: number;
}

/** One entry of the updates feed, with what the algorithm needs. */
export interface FeedEntry {
	/** Identical whenever the same entry is read (A2), and of fixed length (see `KEY_LENGTH`). */
	key: string;
	/** Whether it is the changed row itself; otherwise it is a change that names its row. */
	isRow: boolean;
	/** Milliseconds since 1970 by the service's clock; undefined if the entry has no time. */
	time: number | undefined;
	/** The row that changed. */
	row: string;
	kind: UpdateKind;
}

/** One page of the feed, in the order of the response. */
export type FeedPage<Entry extends FeedEntry> = ListPage<Entry> &
	ResponseTime & {
		/** Length of the response. */
		bytes: number;
	};

/** `GET GRID/updates` (§4.4). `read` rejects only after all retries failed. */
export interface Feed<Entry extends FeedEntry> {
	/** @param identities of the reading to which the page belongs */
	read(since: number, request: PageRequest, identities: EntryIdentities): Promise<FeedPage<Entry>>;
}

export interface ChangeEntry extends FeedEntry {
	update: Update;
}

/** Where a feed is, and the columns of its grid. */
interface FeedOfGrid {
	client: Client;
	href: string;
	fields: readonly Field[];
}

/** @param retry limits what a request may take; the client's default if omitted */
export function feedOf({ client, href, fields }: FeedOfGrid, retry?: () => RetryOptions): Feed<ChangeEntry> {
	const computed = new Set(
		fields.filter((field) => !isWritable(field)).flatMap(({ id, key, name }) => [id, key ?? id, name]),
	);
	return {
		async read(since, request, identities) {
			const page = await client.updates.page(href, { since, ...request }, retry?.());
			return { ...page, items: entriesOf(page.items, identities.of(page, request.pageIndex, computed)) };
		},
	};
}

/** The changes of one page with their identities. */
function entriesOf(updates: readonly Update[], identities: readonly string[]): ChangeEntry[] {
	return updates.map((update, index) => ({
		key: keyOf(identities[index] ?? ''),
		isRow: update.isRow === true,
		time: update.time,
		row: update.entityId,
		kind: update.kind,
		update,
	}));
}

/** Holds the changes of a row until nothing has changed it for a while. */
export interface Quiet<Entry> {
	/** Milliseconds without a change. */
	wait: number;
	/** Milliseconds after the first change; a longer burst is emitted in parts. */
	atMost: number;
	/** Whether an entry is held; others are emitted at once. */
	holds(entry: Entry): boolean;
	/** Changes of one row, oldest first, as one; undefined if nothing is left of them. */
	merge(entries: readonly Entry[]): Entry | undefined;
}

/**
 * The bursts that are over at a moment, each the changes of one row with less than `wait` between
 * them, oldest first. They depend on the times of the changes only, so that a process that reads
 * them again finds the same ones.
 * @param queue in order
 * @param now milliseconds since 1970
 * @returns by their last changes
 */
export function burstsUntil<
	Entry extends { row: string; time: number | undefined },
	Queued extends { entry: Entry; time: number },
>(queue: readonly Queued[], now: number, { wait, atMost, holds }: Quiet<Entry>): Queued[][] {
	const over: Queued[][] = [];
	const rows = new Map<string, Queued[]>();
	// Without a time, each reading would find it anew.
	for (const queued of queue)
		if (queued.entry.time !== undefined && holds(queued.entry)) addToGroup(rows, queued.entry.row, queued);
		else over.push([queued]);
	for (const changes of rows.values()) {
		for (let from = 0, to = 1; from < changes.length; from = to++) {
			const [first] = changes.slice(from);
			const goesOn = () => {
				const gap = (changes[to]?.time ?? Infinity) - (changes[to - 1]?.time ?? 0);
				return gap < wait && (changes[to]?.time ?? 0) - (first?.time ?? 0) <= atMost;
			};
			while (goesOn()) to++;
			const burst = changes.slice(from, to);
			const isOver = now - lastTime(burst) >= wait || now - (first?.time ?? 0) > atMost;
			// Later ones of the row would overtake it.
			if (!isOver) break;
			over.push(burst);
		}
	}
	return over.sort((a, b) => lastTime(a) - lastTime(b));
}

const lastTime = (burst: ReadonlyArray<{ time: number }>) => burst.at(-1)?.time ?? 0;

/** Changes of one row, oldest first, as one: old values of the first, new ones of the last. */
export function mergedChange(entries: readonly ChangeEntry[]): ChangeEntry | undefined {
	const [last] = entries.slice(-1);
	const kind = mergedKind(entries.map((entry) => entry.kind));
	if (!last || kind === undefined) return undefined;
	if (entries.length === 1 || kind === 'deleted') return last;
	const changes = new Map<string, Update['changes'][number]>();
	for (const change of entries.flatMap(({ update }) => update.changes)) {
		const { old } = changes.get(change.field) ?? change;
		changes.set(change.field, { ...change, old });
	}
	return { ...last, kind, update: { ...last.update, kind, changes: [...changes.values()] } };
}

/** What happened to a row in a burst; undefined if it was created and deleted. */
export function mergedKind(kinds: readonly UpdateKind[]): UpdateKind | undefined {
	if (kinds.at(-1) === 'deleted') return kinds[0] === 'created' ? undefined : 'deleted';
	return kinds.includes('created') ? 'created' : kinds.at(-1);
}
