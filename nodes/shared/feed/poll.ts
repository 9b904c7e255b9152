import { EntryTooLarge, MAX_PAGE_SIZE, ResponseTooLarge } from '../../../client';
import type { Feed, FeedEntry, Quiet } from './feed';
import { FeedOrder, inOrder, Reading, type Queued, type ReadingStart } from './reading';
import { joinKeys, SeenKeys, splitKeys, stateOf, type TriggerState } from './state';

/** Maximum number of keys of handled entries. */
const MAX_KEYS = 200_000;
/** From this number of keys on, reading a backlog again costs less than storing them each time. */
const MANY_KEYS = 10_000;

/** The clock of this machine. It can delay the position but never advance it. */
interface Clock {
	/** Milliseconds since 1970 by this machine's clock. */
	wall(): number;
	/** Whether the time or the requests of this poll are used up. */
	isOver(): boolean;
}

/** What a poll of this process leaves to the next one; any other process starts from the state. */
export interface Memory<Entry extends FeedEntry> {
	order: FeedOrder;
	/** Unless it has ended and its entries are emitted. */
	reading: Reading<Entry> | undefined;
	/** Page size to start with, and the service's maximum as far as it is known. */
	pages: { size: number; max: number };
	/** Keys of the changes of rows that are not quiet yet; the next poll reads them again. */
	held?: ReadonlySet<string> | undefined;
	/** Whether the feed had news for a poll that failed after reading it. */
	hasNews?: boolean;
}

export interface PollRequest<Entry extends FeedEntry> {
	/** The result of `readState`; undefined on the first poll. */
	state: TriggerState | undefined;
	/** Of the poll that returned `state`, if it was one of this process. */
	memory?: Memory<Entry> | undefined;
	/** Identifies grid and account: the state of another one is not used. */
	of: string;
	feed: Feed<Entry>;
	clock: Clock;
	/** How late an entry may become visible after its time (A1), in milliseconds. */
	lookback: number;
	/** Maximum number of events emitted at once. */
	limit: number;
	/** Emits events from this time on (milliseconds since 1970); only used without a state. */
	startFrom?: number | undefined;
	/** Keeps the batch until the next poll here, so that another process can emit it again. */
	atLeastOnce?: { process: string } | undefined;
	/** Whether the workflow wants an entry, or what several were merged to. */
	accepts(entry: Entry): boolean;
	/** Holds the changes of a row until it is quiet. */
	quiet?: Quiet<Entry> | undefined;
	/** Maximum number of keys in the state, and of entries in memory. */
	maxima?: { keys: number; queue: number };
}

export interface PollResult<Entry extends FeedEntry> {
	/** Oldest first. `redelivered`: a process emitted it and ended before its next poll. */
	events: Array<{ entry: Entry; redelivered: boolean }>;
	/** To be stored together with the emission of the events, as one value. */
	state: TriggerState;
	memory: Memory<Entry>;
	/** The memory if the events are not emitted and the state is not stored, for the next poll. */
	undone(): Memory<Entry>;
	/** Whether the feed was read to its end, and no entry can have moved out of sight. */
	isWhole: boolean;
	/** Whether the feed had entries that no poll had handled. */
	hasNews: boolean;
	/** Why the reading stopped early. */
	interruptedBy: unknown;
	/** Whether the poll read or emitted anything; if not, there is nothing to store. */
	hasProgress: boolean;
	/** Warnings for the user. */
	notes: string[];
}

const CAPPED = `${MAX_KEYS} changes are remembered, which is the maximum. The others follow when the oldest of these are older than the lookback.`;

/**
 * Reads what is new in the feed and returns the next state, without storing anything. Under A1 to
 * A5 (docs/development/trigger-proof.md), each change is emitted exactly once, provided the
 * returned state is stored.
 */
export async function poll<Entry extends FeedEntry>(request: PollRequest<Entry>): Promise<PollResult<Entry>> {
	return await new Poll(request).run();
}

/** An event: an entry, or the changes of a row that were merged to one. */
interface Taken<Entry extends FeedEntry> extends Queued<Entry> {
	parts: ReadonlyArray<Queued<Entry>>;
}

class Poll<Entry extends FeedEntry> {
	private readonly stored: TriggerState | undefined;
	private readonly seen: SeenKeys;
	private readonly again: SeenKeys;
	/** Where this poll started, to return there if the batch is lost. */
	private begin: number;
	private readonly order: FeedOrder;
	private pages: Memory<Entry>['pages'];
	private reading: Reading<Entry>;
	private readonly taken: Array<Taken<Entry>> = [];
	private readonly held: ReadonlySet<string> | undefined;
	private hasProgress = false;
	private hasNews: boolean;
	private interruptedBy: unknown;
	private isCapped = false;

	constructor(private readonly request: PollRequest<Entry>) {
		const { state, of, atLeastOnce, lookback, startFrom, clock } = request;
		const stored = state?.of === of ? state : undefined;
		// The order of another feed tells nothing of this one.
		const memory = stored && request.memory;
		const lost =
			stored?.pending && stored.pending.process !== atLeastOnce?.process ? stored.pending : undefined;
		this.stored = stored;
		this.seen = new SeenKeys(stored?.seen);
		this.again = new SeenKeys(stored?.again);
		for (const key of lost ? splitKeys(lost.keys) : [])
			this.again.add(key, (this.seen.take(key) ?? 0) * 1000);
		this.order = memory?.order ?? new FeedOrder(lookback);
		this.pages = memory?.pages ?? { size: MAX_PAGE_SIZE, max: MAX_PAGE_SIZE };
		this.begin = lost?.low ?? stored?.low ?? startFrom ?? Math.floor(clock.wall()) - lookback;
		const isFirst = stored === undefined && startFrom === undefined;
		const unread = stored && !lost ? memory?.reading : undefined;
		const isOutdated = unread !== undefined && this.isOutdated(unread);
		const unfinished = isOutdated ? undefined : unread;
		if (unfinished) unfinished.isActivation = false;
		this.held = memory?.held;
		this.hasNews = unfinished !== undefined && memory?.hasNews === true;
		this.reading = unfinished ?? this.reread(this.begin, isFirst ? 'anew' : stored?.first, isOutdated);
	}

	/**
	 * Whether a new reading to the end could forget many stored keys: no entry before its start less
	 * the lookback can appear late.
	 */
	private isOutdated(reading: Reading<Entry>): boolean {
		const { clock, lookback } = this.request;
		if (clock.wall() - reading.begun < lookback || reading.hasRows) return false;
		// If each poll began again, none might reach the end.
		if (reading.from.isAhead === true && !reading.hasEnded) return false;
		return this.seen.sizeBefore(reading.handledBefore(0)) > MANY_KEYS;
	}

	async run(): Promise<PollResult<Entry>> {
		while (this.goesOn()) await this.readPage();
		const { reading, request } = this;
		const taken = inOrder(this.taken, this.order.isNewestFirst);
		const keys = taken.flatMap(({ parts }) => parts.map(({ entry }) => entry.key));
		const again = new Set(keys.filter((key) => this.again.take(key) !== undefined));
		const events = taken.map(({ entry, parts }) => {
			return { entry, redelivered: parts.some((part) => again.has(part.entry.key)) };
		});
		const state = this.nextState(keys);
		return {
			events,
			state,
			memory: {
				order: this.order,
				reading: this.isDone ? undefined : reading,
				pages: this.isDone
					? { ...this.pages, size: Math.min(this.pages.max, 2 * this.pages.size) }
					: this.pages,
				...(request.quiet ? { held: reading.keysLeft } : {}),
			},
			undone: () => {
				reading.putBack(taken.flatMap(({ parts }) => parts));
				return { order: this.order, reading, pages: this.pages, held: this.held, hasNews: this.hasNews };
			},
			isWhole: reading.isWhole,
			hasNews: this.hasNews,
			interruptedBy: this.interruptedBy,
			hasProgress: this.hasProgress,
			notes: [...(reading.hint === undefined ? [] : [reading.hint]), ...(this.isCapped ? [CAPPED] : [])],
		};
	}

	/** Emits what is ready. @returns whether to read another page */
	private goesOn(): boolean {
		const { request, reading } = this;
		const { isAhead = false } = reading.from;
		const isInterrupted = this.interruptedBy !== undefined;
		if (!isAhead || reading.hasEnded || isInterrupted || request.clock.isOver()) this.emit();
		if (this.taken.length >= request.limit || reading.hasEnded || isInterrupted) return false;
		if (reading.isFull) reading.drop();
		return !this.hasProgress || !request.clock.isOver();
	}

	private async readPage(): Promise<void> {
		const { request, reading } = this;
		try {
			await reading.readPage(request.feed, this.seen, () => request.clock.wall());
			if (reading.from.first === 'anew') this.begin = reading.start;
			if (reading.beganTooLate) {
				this.reading = this.reread(reading.start, 'anew');
				return;
			}
			this.hasProgress = true;
			this.hasNews ||= reading.hasNews;
		} catch (error) {
			this.readSmaller(error);
		}
	}

	/** Begins again with smaller pages, if they help. */
	private readSmaller(error: unknown): void {
		const { from, entryTooLarge } = this.reading;
		try {
			const size = this.reading.smallerSize(error);
			this.pages = { size, max: error instanceof ResponseTooLarge ? this.pages.max : size };
		} catch (reason) {
			this.interruptedBy = reason instanceof EntryTooLarge ? entryTooLarge : reason;
			return;
		}
		// The first poll of a trigger must learn what was there before.
		this.hasProgress ||= from.first !== 'anew';
		this.reading = this.reread(from.start, from.first, from.isAhead);
	}

	private reread(start: number, first: ReadingStart['first'], isAhead = false): Reading<Entry> {
		const maxQueue = this.request.maxima?.queue;
		const { held, order, pages, request } = this;
		return new Reading({ start, size: pages.size, first, isAhead, maxQueue, held }, order, request.feed);
	}

	/** Takes the oldest entries that are ready, up to the limit. */
	private emit(): void {
		const { request, seen, reading } = this;
		if (request.quiet) return this.emitQuiet(request.quiet);
		for (let left = reading.ready; left > 0 && this.taken.length < request.limit; ) {
			const wanted = Math.min(left, request.limit - this.taken.length, this.room);
			if (wanted === 0) return;
			for (const queued of reading.takeOldest(wanted)) {
				seen.add(queued.entry.key, queued.until);
				if (request.accepts(queued.entry)) this.taken.push({ ...queued, parts: [queued] });
			}
			left -= wanted;
			this.hasProgress = true;
		}
	}

	/** The same for rows that are quiet, each as one event. */
	private emitQuiet(quiet: Quiet<Entry>): void {
		const { request, seen, reading, taken } = this;
		while (taken.length < request.limit && this.room > 0) {
			const bursts = reading.takeBursts(quiet, request.limit - taken.length);
			if (bursts.length === 0) return;
			for (const parts of bursts) {
				for (const { entry, until } of parts) seen.add(entry.key, until);
				const entry = quiet.merge(parts.map((part) => part.entry));
				const [last] = parts.slice(-1);
				if (last && entry && request.accepts(entry)) taken.push({ ...last, entry, parts });
			}
			this.hasProgress = true;
		}
	}

	/** The number of keys that may be added; any number if waiting would not make room. */
	private get room(): number {
		const { reading, request } = this;
		const room = Math.max(0, (request.maxima?.keys ?? MAX_KEYS) - this.seen.size);
		if (room > 0 || !reading.hasEnded) return room;
		const { reference = -Infinity } = reading;
		this.isCapped =
			!reading.isWhole || reading.handledBefore(request.lookback) >= reference - request.lookback;
		return this.isCapped ? 0 : Infinity;
	}

	private get isDone(): boolean {
		const { reading, request, taken } = this;
		if (this.isCapped) return true;
		// Those of rows that are not quiet are read again.
		return reading.hasEnded && (reading.isEmpty || (request.quiet && taken.length < request.limit) === true);
	}

	private nextState(emitted: readonly string[]): TriggerState {
		const { stored, reading, seen, again, request, begin } = this;
		const low = Math.max(begin, reading.handledBefore(request.lookback));
		const { atLeastOnce, of } = request;
		const pending =
			atLeastOnce && emitted.length > 0
				? { process: atLeastOnce.process, keys: joinKeys(emitted), low: begin }
				: undefined;
		seen.forgetBefore(pending?.low ?? low);
		again.forgetBefore(pending?.low ?? low);
		return stateOf({
			of,
			low,
			seen: seen.toRecord(),
			...(reading.firstUntil === undefined || reading.isWhole
				? {}
				: { first: { until: reading.firstUntil } }),
			...(pending ? { pending } : {}),
			...(again.size > 0 ? { again: again.toRecord() } : {}),
			...(stored?.members ? { members: stored.members } : {}),
		});
	}
}
