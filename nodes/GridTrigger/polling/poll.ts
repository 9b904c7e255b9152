import { FeedUnusable, type FeedEvent, type FeedPage } from './feed';
import { FeedOrder } from './feedOrder';
import { HeldEvents } from './heldEvents';
import { NewEvents } from './newEvents';
import { droppedKeysWarning, MAX_KEYS, Memory, storedKeysOf } from './memory';
import { PageReader } from './pageReader';
import { PageSize } from './pageSize';
import type { PollRequest, PollResult } from './pollRequest';
import type { Remainder } from './remainders';
import { hasSkippedNothing, MAX_PAGE_SIZE, nextStep, scanFrom, type Step } from './scan';
import { joinKeys, secondOf } from './seenKeys';
import { DATE_GRAIN_MS, MAX_DATE_OFFSET_MS, ServiceTime } from './serviceTime';
import { STATE_VERSION, type Scan, type TriggerState } from './state';
import { UnreadableChanges } from './unreadableChanges';

export type { PollRequest, PollResult } from './pollRequest';

/** Maximum number of passes; a feed that changes faster is continued in the next poll. */
const MAX_PASSES = 4;
/**
 * Reads what is new in the feed and returns the next state, without storing or mutating anything.
 * Under A1 to A5 (docs/trigger.md), each event is emitted exactly once, provided the returned state
 * is stored.
 * @throws FeedUnusable, and any error of `feed.read` before the first event is read
 */
export async function poll<Event extends FeedEvent>(request: PollRequest<Event>): Promise<PollResult<Event>> {
	return await new Poll(request).run();
}

class Poll<Event extends FeedEvent> {
	private low: number;
	private readonly time: ServiceTime;
	private readonly reader: PageReader<Event>;
	private readonly order: FeedOrder;
	private readonly memory: Memory<Event>;
	private scan: Scan | undefined;
	/** Where this poll started, to return there if the batch is lost. */
	private readonly begin: { low: number; scan: Scan | undefined };
	private readonly held: HeldEvents<Event>;
	private readonly newEvents: NewEvents<Event>;
	private readonly unreadable: UnreadableChanges<Event>;
	/** The page size that a reading starts with. */
	private readonly size: PageSize;
	/** What the preceding poll left over; later, what this poll leaves over. */
	private left: Remainder<Event> | undefined;
	private readonly notes: string[] = [];
	private started = false;
	private passes = 0;

	constructor(private readonly request: PollRequest<Event>) {
		const { state, clock, lookback, startFrom, of, formerlyOf } = request;
		const known = state?.of === of || state?.of === formerlyOf ? state : undefined;
		const lost =
			known?.pending && known.pending.process !== request.atLeastOnce?.process ? known.pending : undefined;
		this.low =
			lost?.low ?? known?.low ?? startFrom ?? Math.floor(clock.wall()) - lookback - MAX_DATE_OFFSET_MS;
		this.time = new ServiceTime(known, () => clock.wall());
		this.reader = new PageReader(request.feed);
		this.order = new FeedOrder(known);
		this.memory = new Memory(known, lost?.keys ?? '', request.maxKeys ?? MAX_KEYS);
		this.held = new HeldEvents(request.limit);
		this.newEvents = new NewEvents(this.held, this.memory, request.accepts);
		this.unreadable = new UnreadableChanges(this.memory.seen, request.unreadable);
		this.size = new PageSize(known?.size ?? MAX_PAGE_SIZE);
		this.scan = lost ? lost.scan : known?.scan;
		this.scan ??= this.scanAnew(undefined, known === undefined && startFrom === undefined);
		this.begin = { low: this.low, scan: this.scan };
		this.left = known && !lost ? request.left : undefined;
	}

	async run(): Promise<PollResult<Event>> {
		let interruptedBy: unknown;
		if (this.left) this.goOn(this.left);
		else
			await this.read().catch((error: unknown) => {
				if (this.held.count + this.unreadable.placeholders.length === 0) throw error;
				interruptedBy = error;
			});
		this.unreadable.follow([], secondOf(this.time.latest()), this.scan?.baseline);
		const events = this.release();
		return {
			events,
			state: this.nextState(events.map(({ event }) => event)),
			complete: this.scan === undefined,
			notes: this.notes,
			left: this.left,
			interruptedBy,
		};
	}

	/** Continues with what the preceding poll read, without reading more. */
	private goOn({ events, low, scan }: Remainder<Event>): void {
		this.low = low;
		this.scan = scan;
		this.newEvents.restore(events, this.time.latest());
	}

	private async read(): Promise<void> {
		while (this.scan && !this.reader.isOver(this.started, this.request.clock.isOver())) {
			const { since, page: number } = this.scan;
			if (number === 1) this.unreadable.begin();
			const wall = Math.floor(this.request.clock.wall());
			const read = await this.reader.read(this.scan, this.time.latest());
			if (!read.page) {
				this.scan = read.scan;
				this.size.shrinkTo(read.scan.size ?? MAX_PAGE_SIZE);
				if (read.skipped) this.unreadable.skip();
				continue;
			}
			if (!this.started && !this.begins(read.page, wall)) continue;
			if (!this.proves(read.page)) continue;
			if (!this.take(read.page, since)) return;
			if (this.learn(read.page, wall)) this.go(read.page, read.repeated);
			if (this.passes >= MAX_PASSES) return;
		}
		if (this.time.latestEventTime === undefined)
			throw new FeedUnusable(
				'Each response of the updates feed is too large to be read',
				'Even for a single change, the service sends more data than fits into memory. Tell the operator of the service.',
			);
	}

	/**
	 * Processes the first response of a poll: its `Date` determines how far the events are complete.
	 * @returns false if the reading must start further back
	 */
	private begins(page: FeedPage<Event>, wall: number): boolean {
		const { scan, time, order } = this;
		if (!scan) return false;
		const date = time.dateOf(page);
		if (time.latestEventTime === undefined) {
			time.start(page, wall);
			const earliest = (date ?? 0) - this.request.lookback;
			if (scan.baseline && this.low > earliest - DATE_GRAIN_MS) {
				this.low = earliest - MAX_DATE_OFFSET_MS;
				this.scan = this.scanAnew(undefined, true);
				return false;
			}
		}
		this.started = true;
		if (date === undefined) return true;
		const reference = time.follow(date, wall);
		const caughtUp = order.isAscending && !scan.sweep && scan.since <= this.completeUntil(scan);
		if (scan.reference === undefined || (caughtUp && scan.previous === undefined && scan.page === 1))
			this.scan = { ...scan, reference: Math.max(scan.reference ?? reference, reference) };
		return true;
	}

	/**
	 * Checks a step in time before events after it are collected.
	 * @returns false if it skipped events, so that the pages must be read one by one
	 */
	private proves(page: FeedPage<Event>): boolean {
		if (!this.scan || hasSkippedNothing(this.scan, page)) return true;
		this.restart(true);
		return false;
	}

	/**
	 * Collects the new events of a page.
	 * @returns false if the batch is full before the end of the page
	 */
	private take(page: FeedPage<Event>, since: number): boolean {
		this.time.note(page);
		const now = this.time.latest();
		this.unreadable.follow(page.events, secondOf(now), this.scan?.baseline);
		// In chronological order the next poll continues here; otherwise the oldest can be on any page.
		const inOrder = this.isInOrder || (this.order.isUnknown && this.order.isBurst(page.events));
		return this.newEvents.take(page, { since, inOrder, baseline: this.scan?.baseline, now });
	}

	private get isInOrder(): boolean {
		return this.order.isAscending && this.scan?.sweep !== true;
	}

	/** The events to emit, which count as seen from now on. */
	private release(): PollResult<Event>['events'] {
		const { events, left } = this.newEvents.release(this.time.latest());
		// Dropped events must be read again.
		if (this.held.hasDropped) this.startOver();
		this.left = left.length > 0 ? { events: left, low: this.low, scan: this.scan } : undefined;
		if (this.left) this.startOver();
		return [...this.unreadable.placeholders, ...events.map(({ event }) => event)].map((event) => ({
			event,
			redelivered: this.memory.wasEmitted(event),
		}));
	}

	private startOver(): void {
		this.low = this.begin.low;
		this.scan = this.scanAnew(undefined, false);
	}

	private scanAnew(reference: number | undefined, baseline: boolean): Scan {
		return scanFrom(this.low, { reference, baseline, size: this.size.value });
	}

	/**
	 * Learns the order and the clock of the feed.
	 * @returns false if the reading must start again
	 */
	private learn(page: FeedPage<Event>, wall: number): boolean {
		const wasAscending = this.order.isAscending;
		this.order.follow(page.events);
		const { isAscending, isDescending } = this.order;
		this.held.isDescending = isDescending;
		this.time.learn(page, wall);
		// Pages read under a wrong assumption of the order are read again; nothing is emitted twice.
		const anew = this.scan && (wasAscending ? !isAscending : isAscending && this.scan.page > 1);
		if (anew) this.restart(false);
		return !anew;
	}

	private go(page: FeedPage<Event>, repeated: boolean): void {
		const { scan } = this;
		if (!scan) return;
		const complete = this.completeUntil(scan);
		this.size.follow(page);
		// Without a total, it is unknown whether a step in time skipped something. It may skip events
		// dated ahead if `since` is compared with a time that is not shown, and new ones replace them
		// in the total.
		const canStep = page.total !== undefined && !this.time.hasEventsAhead;
		const ascending = this.order.isAscending && canStep;
		const { counted } = this.order;
		const reading = { page, counted, repeated, ascending, complete, size: this.size.value };
		this.follow(nextStep(scan, reading), complete);
		const isOld = page.events.some(({ time = -Infinity }) => secondOf(time) < secondOf(scan.since));
		if (ascending && scan.page === 1 && page.events.length > 0 && !isOld)
			this.memory.noteReadFrom(scan.since + 1);
		// If one pass found more than can be held, the next poll reads again anyway.
		const isPassOver = this.scan?.page === 1 && this.scan.previous !== undefined;
		if (!this.isInOrder && isPassOver && this.held.isOverfull) this.passes = MAX_PASSES;
	}

	private follow(step: Step, complete: number): void {
		if (step.kind === 'end') {
			this.low = Math.max(this.low, complete);
			// The feed was read to its end, so everything that it still sends has been remembered.
			if (this.scan) this.memory.noteReadFrom(this.scan.since + 1);
			this.scan = undefined;
			this.held.endPass(Infinity);
			this.order.endReading();
			return;
		}
		if (step.kind === 'go' && step.passed !== undefined)
			this.low = Math.max(this.low, Math.min(step.passed + 1, complete));
		if (step.kind === 'again') this.passes += 1;
		if (step.scan.page === 1) {
			// A step in time, or the end of a block, may be among events with equal times.
			this.held.endPass(step.kind === 'go' ? step.scan.since : (step.scan.until ?? Infinity));
			this.order.beginPass();
		}
		this.scan = step.scan;
	}

	private restart(sweep: boolean): void {
		const { reference, baseline } = this.scan ?? {};
		this.scan = { ...this.scanAnew(reference, baseline ?? false), ...(sweep ? { sweep } : {}) };
		this.order.beginPass();
		this.passes += 1;
	}

	private completeUntil(scan: Scan): number {
		return scan.reference === undefined ? -Infinity : scan.reference - this.request.lookback;
	}

	private nextState(events: readonly Event[]): TriggerState {
		const { atLeastOnce, of } = this.request;
		const emitted = new Set(events.flatMap(storedKeysOf));
		const pending =
			atLeastOnce && emitted.size > 0
				? { ...this.begin, process: atLeastOnce.process, keys: joinKeys(emitted) }
				: undefined;
		this.memory.forgetBefore(pending?.low ?? this.low);
		const unconfirmed = this.memory.unconfirmedKeys(events);
		if (!this.scan && !pending) this.bound();
		return {
			v: STATE_VERSION,
			of,
			low: this.low,
			high: this.time.latestEventTime ?? this.low,
			at: this.time.at,
			order: this.order.learned.order,
			rises: this.order.learned.rises,
			seen: this.memory.seen.toRecord(),
			...(this.size.value < MAX_PAGE_SIZE ? { size: this.size.value } : {}),
			...(this.scan ? { scan: this.scan } : {}),
			...(pending ? { pending } : {}),
			...(unconfirmed ? { unconfirmed } : {}),
		};
	}

	private bound(): void {
		const kept = this.memory.shrink(this.time.reference ?? this.low);
		if (kept === undefined || kept <= this.low) return;
		this.low = kept;
		this.notes.push(droppedKeysWarning(kept));
	}
}
