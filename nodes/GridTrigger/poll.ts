import { FeedUnusable, type Clock, type Feed, type FeedEvent, type FeedPage } from './feed';
import { judgeOrder, nextStep, scanFrom, type Step } from './scan';
import { joinKeys, partKeys, secondOf, Seen } from './seen';
import { STATE_VERSION, type Scan, type TriggerState } from './state';

/** More keys than this are not kept: about 2.4 MB of static data, which n8n rewrites with every save. */
export const MOST_KEYS = 200_000;
/** How far the service's `Date` may stand from the clock of its events when a trigger begins. */
const DOUBT = 10 * 60_000;
/** `Date` counts whole seconds: what it says may be almost a second old. */
const DATE_GRAIN = 1000;
/** A feed that moves faster than it can be read is given a rest until the next poll. */
const MOST_PASSES = 4;
/** The service says that more pages follow, and sends the same page so many times: it takes no notice of `pageIndex`. */
const MOST_REPEATS = 5;

export interface PollRequest<Event extends FeedEvent> {
	/** What `readState` gave; undefined on the first poll. */
	state: TriggerState | undefined;
	/** Names the grid and the account: a state of another one is not used. */
	of: string;
	feed: Feed<Event>;
	clock: Clock;
	/** How late an event may become visible after its timestamp (A1), in milliseconds. */
	lookback: number;
	/** At most so many events are emitted at once. */
	limit: number;
	/** Milliseconds: emit what has happened since then, instead of beginning now. Only where there is no state. */
	startFrom?: number | undefined;
	/** Remember the batch until this process polls again, so that another process can emit it once more. */
	atLeastOnce?: { process: string } | undefined;
	/** Events that the workflow wants; the others are read and done with. */
	accepts(event: Event): boolean;
	/** Defaults to `MOST_KEYS`. */
	mostKeys?: number;
}

export interface PollResult<Event extends FeedEvent> {
	/** Oldest first. `redelivered`: was emitted before by a process that ended before it polled again. */
	events: Array<{ event: Event; redelivered: boolean }>;
	/** To be stored together with the emission of the events, as one value. */
	state: TriggerState;
	/** Whether the feed was read to its end. */
	complete: boolean;
	/** Why the reading ended early, although events were read before. */
	interruptedBy?: unknown;
	/** What the person who runs the workflow should know. */
	notes: string[];
}

/**
 * Reads what is new in the feed and says how the cursor moves: nothing is stored here, and nothing is changed in place.
 * Under A1 to A5 (docs/trigger.md) each event is emitted exactly once, as far as the state returned is kept.
 * @throws FeedUnusable, and what `feed.read` throws where nothing was read before
 */
export async function poll<Event extends FeedEvent>(request: PollRequest<Event>): Promise<PollResult<Event>> {
	return await new Poll(request).run();
}

class Poll<Event extends FeedEvent> {
	private low: number;
	private high: number | undefined;
	private at: TriggerState['at'];
	private order: TriggerState['order'];
	private rises: number;
	private readonly seen: Seen;
	private scan: Scan | undefined;
	/** Keys of a batch that another process emitted and perhaps lost. */
	private readonly again: ReadonlySet<string>;
	/** Where this poll began, to go back there if the batch is lost. */
	private readonly begin: { low: number; scan: Scan | undefined };
	private readonly batch: Event[] = [];
	private readonly notes: string[] = [];
	/** The time of the service before which nothing that is not visible yet can lie, give or take the lookback. */
	private reference: number | undefined;
	private started = false;
	private passes = 0;
	private counted = new Set<string>();

	constructor(private readonly request: PollRequest<Event>) {
		const { state, clock, lookback, startFrom } = request;
		const known = state?.of === request.of ? state : undefined;
		const lost =
			known?.pending && known.pending.process !== request.atLeastOnce?.process ? known.pending : undefined;
		this.low = lost?.low ?? known?.low ?? startFrom ?? Math.floor(clock.wall()) - lookback - DOUBT;
		this.high = known?.high;
		this.at = known?.at ?? { date: 0, wall: 0 };
		this.order = known?.order ?? 'unknown';
		this.rises = known?.rises ?? 0;
		this.seen = new Seen(known?.seen);
		this.again = new Set([...partKeys(lost?.keys ?? ''), ...partKeys(known?.again ?? '')]);
		this.seen.forget(this.again);
		this.scan = lost ? lost.scan : known?.scan;
		this.scan ??= scanFrom(this.low, undefined, known === undefined && startFrom === undefined);
		this.begin = { low: this.low, scan: this.scan };
	}

	async run(): Promise<PollResult<Event>> {
		const interruptedBy: unknown = await this.read().then(
			() => undefined,
			(error: unknown) => (this.batch.length > 0 ? error : Promise.reject(error)),
		);
		const complete = this.scan === undefined;
		const state = this.nextState();
		const events = this.batch
			.sort(byTime)
			.map((event) => ({ event, redelivered: this.again.has(event.key) }));
		return {
			events,
			state,
			complete,
			notes: this.notes,
			...(interruptedBy === undefined ? {} : { interruptedBy }),
		};
	}

	private async read(): Promise<void> {
		let before: string | undefined;
		let repeats = 0;
		while (this.scan && !(this.started && this.request.clock.isOver())) {
			const { since, page: number } = this.scan;
			const wall = Math.floor(this.request.clock.wall());
			const page = await this.request.feed.read(since, number);
			if (!this.started && !this.begins(page, wall)) continue;
			const fingerprint = page.events.map(({ key }) => key).join();
			const repeated = number > 1 && fingerprint !== '' && fingerprint === before;
			repeats = repeated ? repeats + 1 : 0;
			if (repeats === MOST_REPEATS)
				throw new FeedUnusable(
					'The updates feed says that more pages follow, and sends the same page again and again',
					'The service takes no notice of "pageIndex", so what stands on the other pages cannot be read. Tell the operator of the service.',
				);
			before = fingerprint;
			if (!this.take(page)) return;
			if (this.learn(page, wall)) this.go(page, repeated);
			if (this.batch.length >= this.request.limit || this.passes >= MOST_PASSES) return;
		}
	}

	/**
	 * The first answer of a poll: from its `Date`, how far the events are complete.
	 * @returns false where the reading has to start further back
	 */
	private begins(page: FeedPage<Event>, wall: number): boolean {
		const scan = this.scan;
		if (!scan) return false;
		const date = page.date === undefined ? undefined : Math.floor(page.date - page.took);
		if (this.high === undefined) {
			if (date === undefined)
				throw new FeedUnusable(
					'The service sends no usable Date header, so "now" is not known by its clock',
					'Tell the operator of the service, or of the proxy in front of it.',
				);
			// n8n's clock can only set the beginning further back: a `Date` that runs ahead must not skip what follows.
			this.high = Math.min(date, wall);
			this.at = {
				date: Math.ceil(page.date ?? date) + DATE_GRAIN,
				wall: Math.ceil(this.request.clock.wall()),
			};
			const earliest = date - this.request.lookback;
			if (scan.baseline && this.low > earliest - DATE_GRAIN) {
				this.low = earliest - DOUBT;
				this.scan = scanFrom(this.low, undefined, true);
				return false;
			}
		}
		this.started = true;
		if (date === undefined) return true;
		// The clock of the events stood at `high` when that event was seen, and has gone on since: by what both clocks agree on.
		const gone = Math.max(0, Math.min(date - this.at.date, wall - this.at.wall));
		this.reference = Math.min(date, this.high + gone);
		const caughtUp = this.order === 'ascending' && !scan.sweep && scan.since <= this.completeUntil(scan);
		if (scan.reference === undefined || (caughtUp && scan.previous === undefined && scan.page === 1))
			this.scan = { ...scan, reference: Math.max(scan.reference ?? this.reference, this.reference) };
		return true;
	}

	/** Takes what is new on a page. @returns false where the batch is full before the page is done with */
	private take(page: FeedPage<Event>): boolean {
		for (const event of [...page.events].sort(byTime)) {
			const isNew = !this.seen.has(event.key);
			if (!isNew && event.time !== undefined) continue;
			if (isNew && !this.scan?.baseline && this.request.accepts(event)) {
				if (this.batch.length >= this.request.limit) return false;
				this.batch.push(event);
			}
			// An entry without a time is remembered for as long as it comes again, and a lookback longer: where all clocks are
			// behind, `since` holds it back later than it seems to have happened.
			const time =
				event.time ?? Math.max((page.date ?? 0) + DATE_GRAIN, this.request.clock.wall(), this.high ?? 0);
			this.seen.add(event.key, secondOf(time));
		}
		return true;
	}

	/** Learns the order and the clock of the feed. @returns false where the reading has to start again */
	private learn(page: FeedPage<Event>, wall: number): boolean {
		const learned = judgeOrder(page.events, { order: this.order, rises: this.rises });
		const disordered = learned.order === 'other' && this.order === 'ascending';
		const ordered = learned.order === 'ascending' && this.order === 'unknown';
		this.order = learned.order;
		this.rises = learned.rises;
		if (page.date !== undefined) this.learnTime(page, page.date, wall);
		// What was read under a wrong idea of the order is read again; nothing of it is emitted twice.
		const anew = this.scan && (disordered || (ordered && this.scan.page > 1));
		if (anew) this.restart(false);
		return !anew;
	}

	private learnTime(page: FeedPage<Event>, date: number, wall: number): void {
		for (const { time } of page.events) {
			const moment = time ?? this.reference ?? 0;
			if (moment <= (this.high ?? 0)) continue;
			this.high = moment;
			this.at = {
				date: Math.ceil(date) + DATE_GRAIN,
				wall: Math.max(wall, Math.ceil(this.request.clock.wall())),
			};
		}
	}

	private go(page: FeedPage<Event>, repeated: boolean): void {
		const { scan } = this;
		if (!scan) return;
		const complete = this.completeUntil(scan);
		// Without a total there is no telling whether a step in time left something behind.
		const ascending = this.order === 'ascending' && page.total !== undefined;
		this.follow(nextStep(scan, { page, counted: this.counted, repeated, ascending, complete }), complete);
	}

	private follow(step: Step, complete: number): void {
		if (step.kind === 'disordered') return this.restart(true);
		if (step.kind === 'end') {
			this.low = Math.max(this.low, complete);
			this.scan = undefined;
			return;
		}
		if (step.kind === 'go' && step.passed !== undefined)
			this.low = Math.max(this.low, Math.min(step.passed, complete));
		if (step.kind === 'again') this.passes += 1;
		if (step.scan.page === 1) this.counted = new Set();
		this.scan = step.scan;
	}

	private restart(sweep: boolean): void {
		const { reference, baseline } = this.scan ?? {};
		this.scan = { ...scanFrom(this.low, reference, baseline ?? false), ...(sweep ? { sweep } : {}) };
		this.counted = new Set();
		this.passes += 1;
	}

	private completeUntil(scan: Scan): number {
		return scan.reference === undefined ? -Infinity : scan.reference - this.request.lookback;
	}

	private nextState(): TriggerState {
		const { atLeastOnce, of, mostKeys } = this.request;
		const emitted = new Set(this.batch.map(({ key }) => key));
		const pending =
			atLeastOnce && emitted.size > 0
				? { ...this.begin, process: atLeastOnce.process, keys: joinKeys(emitted) }
				: undefined;
		const again = this.scan ? [...this.again].filter((key) => !emitted.has(key)) : [];
		this.forget(pending?.low ?? this.low);
		if (!this.scan && !pending) this.bound(mostKeys ?? MOST_KEYS);
		return {
			v: STATE_VERSION,
			of,
			low: this.low,
			high: this.high ?? this.low,
			at: this.at,
			order: this.order,
			rises: this.rises,
			seen: this.seen.toRecord(),
			...(this.scan ? { scan: this.scan } : {}),
			...(pending ? { pending } : {}),
			...(again.length > 0 ? { again: joinKeys(again) } : {}),
		};
	}

	/** A service may cut `since` to the second: what stands in that second may come again. */
	private forget(low: number): void {
		this.seen.forgetBefore(secondOf(low - 1));
	}

	private bound(mostKeys: number): void {
		const oldest = this.seen.shrinkTo(mostKeys, secondOf(this.reference ?? this.low));
		if (oldest === undefined) return;
		this.low = Math.max(this.low, oldest * 1000 + 1);
		this.notes.push(
			`More than ${mostKeys} changes within the lookback: changes that become visible only now, with a time before ${new Date(this.low).toISOString()}, are not seen`,
		);
	}
}

function byTime(a: FeedEvent, b: FeedEvent): number {
	const difference = (a.time ?? Infinity) - (b.time ?? Infinity);
	if (difference !== 0 && !Number.isNaN(difference)) return difference;
	return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
