import {
	addToGroup,
	EntryIdentities,
	ListReading,
	MAX_RESPONSE_BYTES,
	type PageRequest,
	type UpdateKind,
} from '../../../client';
import { burstsUntil, type Feed, type FeedEntry, type FeedPage, type Quiet, type ResponseTime } from './feed';
import type { SeenKeys } from './state';

/** `Date` has a resolution of one second, so it may be almost a second old. */
const DATE_GRAIN_MS = 1000;
/** Clocks that differ by more than this are reported: one of them is wrong. */
const MAX_DIFFERENCE_MS = 5 * 60_000;

/** The time of a request by both clocks. */
interface ServiceTime {
	/** The earlier clock: no change is dated later by the service's own clock, if one is right. */
	earlier: number;
	later: number;
}

/**
 * The time of the service when a request was sent. A clock that is ahead would pass over changes,
 * so the earlier of both counts.
 * @param wall n8n's clock before the request
 * @returns undefined without a `Date` header
 */
function serviceTime({ date, took }: ResponseTime, wall: number): ServiceTime | undefined {
	if (date === undefined) return undefined;
	const sent = Math.floor(date - took);
	return { earlier: Math.min(sent, Math.floor(wall)), later: Math.max(date, Math.floor(wall)) };
}

/** A hint if one of the clocks must be wrong. */
function clockHint({ earlier, later }: ServiceTime): string | undefined {
	const minutes = Math.round((later - earlier) / 60_000);
	return later - earlier > MAX_DIFFERENCE_MS
		? `The clocks of n8n and of the service differ by ${minutes} minutes. The trigger uses the earlier one, so polls read more than necessary.`
		: undefined;
}

/** The feed cannot be read because of the service's behavior. */
export class FeedUnusable extends Error {
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
		this.name = 'FeedUnusable';
	}
}

/** Maximum number and size of the entries that a reading keeps in memory. */
const MAX_QUEUE = { entries: 20_000, bytes: 32 * 1024 * 1024 };
/** Rising times of different rows that prove that a feed without falling times is sorted. */
const MIN_RISES = 20;
/** Entries of a whole reading without falling times that prove the same for what is emitted. */
const MIN_ENTRIES = 1000;

/** An entry that is not handled yet. */
export interface Queued<Entry extends FeedEntry> {
	entry: Entry;
	/** Of an entry without a time, that of the reading. */
	time: number;
	/** A time up to which the service may send it. */
	until: number;
	/** Place in the feed. */
	position: number;
	bytes: number;
}

/** What the readings of a process have shown about the order of a feed. */
export class FeedOrder {
	private rises = 0;
	private falls = 0;
	private isUnsorted = false;
	/** A reading of many entries, perhaps all of one time, had no falling times. */
	private hasNotFallen = false;
	private last: FeedEntry | undefined;
	private latest = -Infinity;

	/** @param lookback see `PollRequest.lookback` */
	constructor(private readonly lookback: number) {}

	/** Starts a reading at its first page. */
	begin(): void {
		this.last = undefined;
		this.latest = -Infinity;
	}

	follow(entry: FeedEntry): void {
		const { time, row } = entry;
		if (time === undefined) return;
		const before = this.last?.time ?? time;
		// The changes of one row may stand together, oldest first, in a feed in the order of rows.
		if (time > before && row !== this.last?.row) this.rises += 1;
		if (time < before) this.falls += 1;
		this.isUnsorted ||= time < this.latest - this.lookback;
		this.latest = Math.max(this.latest, time);
		this.last = entry;
	}

	/** Notes the end of a whole reading. */
	end(entries: number): void {
		this.hasNotFallen ||= this.falls === 0 && entries >= MIN_ENTRIES;
	}

	get isNewestFirst(): boolean {
		return this.falls > this.rises;
	}

	/**
	 * The latest time before which no further page can contain an entry: of a sorted feed, that of
	 * the last entry; of a log, in which entries stand as they became visible, less the lookback.
	 */
	get readUntil(): number {
		if (this.hasNotFallen && this.falls === 0) return this.latest;
		if (!this.isSorted) return -Infinity;
		return this.falls === 0 ? this.latest : this.latest - this.lookback - 1;
	}

	/** Whether it is the order of time, but for what becomes visible late. */
	get isSorted(): boolean {
		return !this.isUnsorted && this.rises >= MIN_RISES && this.rises > this.falls;
	}
}

export interface ReadingStart {
	/** Entries before are handled. */
	start: number;
	size: number;
	/**
	 * Of the first reading of a trigger: entries up to this time were there before the trigger.
	 * `anew`: the first response determines that time, and shows what was there.
	 */
	first?: 'anew' | { until: number } | undefined;
	/** Keys of entries that an earlier reading has found, too: they are no news. */
	held?: ReadonlySet<string> | undefined;
	/** Whether to read to the end, as far as memory allows, before entries are emitted. */
	isAhead?: boolean;
	/** Maximum number of entries in memory; defaults to `MAX_QUEUE.entries`. */
	maxQueue?: number | undefined;
}

/**
 * One pass over the feed, page after page. A new entry only pushes others to later pages, so that a
 * pass in sequence passes over no change that was there at its start.
 */
export class Reading<Entry extends FeedEntry> {
	start: number;
	/** See `ReadingStart.first`. */
	firstUntil: number | undefined;
	/** The service's time at the start; undefined without a `Date` header. */
	reference: number | undefined;
	/** n8n's clock at the start. */
	begun = Infinity;
	/** Whether it is the feed of changed rows themselves, which shows no time that is handled. */
	hasRows = false;
	/** The later clock at the start: too early an event is repeated, too late a one only waits. */
	private later = -Infinity;
	hint: string | undefined;
	/** Whether it found entries that were not handled. */
	hasNews = false;
	/** Whether the first poll of the trigger still runs: entries without a time were there before. */
	isActivation: boolean;
	private readonly list: ListReading<Entry, FeedPage<Entry>>;
	private position = 0;
	private queue: Array<Queued<Entry>> = [];
	private isSorted = true;
	private bytes = 0;
	/** Entries from this time on were dropped for want of memory; a later reading finds them. */
	private droppedFrom = Infinity;
	private lastTaken: number | undefined;
	/** The later clock at the last page. */
	private latest = 0;
	private hasTimeless = false;
	private readonly rows = new Set<string>();

	constructor(
		readonly from: ReadingStart,
		private readonly order: FeedOrder,
		/** Of the current poll. */
		private feed: Feed<Entry>,
	) {
		const { start, size, first } = from;
		// `since` may exclude entries of its own time.
		const identities = new EntryIdentities();
		const fetchPage = async (request: PageRequest) => await this.feed.read(start - 1, request, identities);
		this.list = new ListReading({ fetchPage, identity: ({ key }) => key }, size);
		this.start = start;
		this.isActivation = first === 'anew';
		this.firstUntil = first === 'anew' ? undefined : first?.until;
		order.begin();
	}

	/**
	 * Reads the next page.
	 * @param wall n8n's clock
	 * @throws EndlessPages, and what `feed.read` throws; nothing has changed then
	 */
	async readPage(feed: Feed<Entry>, seen: SeenKeys, wall: () => number): Promise<void> {
		const before = wall();
		this.feed = feed;
		const { page, fresh } = await this.list.readNext();
		if (page && this.pages === 1) this.begin(page, before);
		this.latest = Math.max(this.latest, (page?.date ?? 0) + DATE_GRAIN_MS, wall());
		for (const entry of fresh) {
			this.order.follow(entry);
			this.take(entry, page ? page.bytes / page.items.length : 0, seen);
		}
		if (this.isWhole) this.order.end(this.list.size);
	}

	/** See `ListReading.smallerSize`. */
	smallerSize(error: unknown): number {
		return this.list.smallerSize(error);
	}

	/** The error for the entry of the next page, which is too large to be read alone. */
	get entryTooLarge(): FeedUnusable {
		return new FeedUnusable(
			`Change ${this.list.next} of the updates feed since ${new Date(this.start).toISOString()} is larger than ${MAX_RESPONSE_BYTES.text / 1024 / 1024} MB`,
			'The trigger cannot pass over it. Ask the operator of the service to shorten the value, or start again after it with a new DataGrid Trigger and its option "Start From".',
		);
	}

	private get pages(): number {
		return this.list.next - 1;
	}

	get hasEnded(): boolean {
		return !this.list.hasMore;
	}

	/** The first reading of a trigger began after the service's time, by a clock that is ahead. */
	get beganTooLate(): boolean {
		return this.from.first === 'anew' && this.pages === 1 && this.start < this.from.start;
	}

	/** Whether the end was reached and no entry can have moved out of sight. */
	get isWhole(): boolean {
		const { counts, size } = this.list;
		if (!this.hasEnded || counts.some((total, index) => total < (counts[index - 1] ?? 0))) return false;
		const [first, second] = counts;
		if (!this.hasRows) return size >= (first ?? 0);
		// A row that changes moves to another page, and others take its place.
		if (first !== undefined) return second === undefined && this.rows.size >= first;
		return this.pages === 1 || this.rows.size === size;
	}

	get isEmpty(): boolean {
		return this.queue.length === 0;
	}

	/** Whether the queue holds as much as may be held in memory. */
	get isFull(): boolean {
		return this.queue.length > (this.from.maxQueue ?? MAX_QUEUE.entries) || this.bytes > MAX_QUEUE.bytes;
	}

	/** The number of entries that no entry of further pages can precede. */
	get ready(): number {
		if (this.hasEnded) return this.queue.length;
		const until = this.droppedFrom < Infinity ? -Infinity : this.order.readUntil;
		if (until === -Infinity) return 0;
		this.sort();
		const end = this.queue.findIndex(({ time }) => time > until);
		return end === -1 ? this.queue.length : end;
	}

	/** Removes the oldest entries of the queue, up to `count`. */
	takeOldest(count: number): Array<Queued<Entry>> {
		this.sort();
		const oldest = this.queue.splice(0, count);
		for (const { bytes, time } of oldest) {
			this.bytes -= bytes;
			this.lastTaken = time;
		}
		return oldest;
	}

	/** Removes the changes of rows that are quiet. @param count maximum number of bursts */
	takeBursts(quiet: Quiet<Entry>, count: number): Array<Array<Queued<Entry>>> {
		this.sort();
		const now = this.hasEnded ? this.later : this.droppedFrom < Infinity ? -Infinity : this.order.readUntil;
		const bursts = burstsUntil(this.queue, now, quiet).slice(0, count);
		const taken = new Set(bursts.flat());
		this.queue = this.queue.filter((queued) => !taken.has(queued));
		for (const { bytes, time } of taken) {
			this.bytes -= bytes;
			this.lastTaken = Math.max(this.lastTaken ?? time, time);
		}
		return bursts;
	}

	/** Keys of the entries that are not handled yet. */
	get keysLeft(): Set<string> {
		return new Set(this.queue.map(({ entry }) => entry.key));
	}

	/** Returns entries that were taken, but not handled after all. */
	putBack(entries: ReadonlyArray<Queued<Entry>>): void {
		this.queue.push(...entries);
		this.isSorted = false;
		for (const { bytes, time } of entries) {
			this.bytes += bytes;
			this.lastTaken = Math.min(this.lastTaken ?? time, time);
		}
	}

	/**
	 * The time before which all entries are handled; `-Infinity` if the reading does not show it.
	 * @param lookback see `PollRequest.lookback`
	 */
	handledBefore(lookback: number): number {
		const { reference, lastTaken, queue, droppedFrom } = this;
		if (reference === undefined) return -Infinity;
		if (!this.hasEnded) {
			const mayAdvance = !this.hasRows && droppedFrom === Infinity && this.order.isSorted;
			if (!mayAdvance || lastTaken === undefined) return -Infinity;
			const oldest = queue.reduce((earliest, { time }) => Math.min(earliest, time), lastTaken);
			return Math.min(reference, oldest) - lookback;
		}
		if (!this.isWhole) return -Infinity;
		const complete = reference - lookback;
		// Entries without a time may belong anywhere.
		if (this.hasTimeless && (queue.length > 0 || droppedFrom < Infinity)) return -Infinity;
		return queue.reduce((oldest, { time }) => Math.min(oldest, time), Math.min(complete, droppedFrom));
	}

	private begin(page: ResponseTime, wall: number): void {
		const time = serviceTime(page, wall);
		this.begun = wall;
		this.reference = time?.earlier;
		this.later = time?.later ?? wall;
		this.hint = time && clockHint(time);
		if (this.from.first !== 'anew') return;
		if (!time)
			throw new FeedUnusable(
				'The service sends no usable Date header, so the current time by its clock is unknown',
				'Tell the operator of the service, or of the proxy in front of it.',
			);
		this.start = time.earlier;
		this.firstUntil = time.later;
	}

	private take(entry: Entry, bytes: number, seen: SeenKeys): void {
		if (entry.isRow) {
			this.hasRows = true;
			this.rows.add(entry.row);
		}
		const time = entry.time ?? Math.max(this.reference ?? this.start, this.start);
		if (time < this.start || seen.has(entry.key)) return;
		this.hasNews ||= this.from.held?.has(entry.key) !== true;
		const until = entry.time ?? Math.max(this.latest, time);
		const { firstUntil } = this;
		const isShownFirst = this.isActivation && (this.pages === 1 || entry.time === undefined);
		if (isShownFirst || (firstUntil !== undefined && (entry.time ?? Infinity) <= firstUntil)) {
			seen.add(entry.key, until);
			return;
		}
		this.hasTimeless ||= entry.time === undefined;
		if (time >= this.droppedFrom) return;
		this.queue.push({ entry, time, until, position: this.position++, bytes });
		this.isSorted = false;
		this.bytes += bytes;
	}

	/** Keeps the oldest entries, as many as may be held in memory. */
	drop(): void {
		this.sort();
		while (this.isFull) {
			const newest = this.queue.pop();
			this.bytes -= newest?.bytes ?? 0;
			this.droppedFrom = newest?.time ?? this.droppedFrom;
		}
	}

	private sort(): void {
		if (!this.isSorted) this.queue = inOrder(this.queue, this.order.isNewestFirst);
		this.isSorted = true;
	}
}

/** The position of a change in the life of its row. */
const RANKS: Readonly<Partial<Record<UpdateKind, number>>> = { created: 0, deleted: 2 };
const rankOf = ({ kind }: FeedEntry) => RANKS[kind] ?? 1;

/** By time, then as in the feed: the creation of a row is first, its deletion last. */
export function inOrder<One extends Queued<FeedEntry>>(queue: readonly One[], isNewestFirst: boolean): One[] {
	const sign = isNewestFirst ? -1 : 1;
	const sorted = [...queue].sort((a, b) => a.time - b.time || sign * (a.position - b.position));
	for (let from = 0, to = 1; from < sorted.length; from = to++) {
		while (sorted[to]?.time === sorted[from]?.time) to++;
		if (to - from > 1) orderRows(sorted, from, to);
	}
	return sorted;
}

/** Orders the entries of each row among those of one time, which keep their places otherwise. */
function orderRows<One extends Queued<FeedEntry>>(sorted: One[], from: number, to: number): void {
	const places = new Map<string, number[]>();
	for (let place = from; place < to; place++) addToGroup(places, sorted[place]?.entry.row ?? '', place);
	for (const own of places.values()) {
		if (own.length === 1) continue;
		const entries = own.flatMap((place) => sorted[place] ?? []);
		entries.sort((a, b) => rankOf(a.entry) - rankOf(b.entry));
		for (const [index, entry] of entries.entries()) sorted[own[index] ?? from] = entry;
	}
}
