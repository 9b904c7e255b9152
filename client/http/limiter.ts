import { Cancelled, OutcomeUnknown, TooManyRequests } from '../errors';
import {
	callsForLowerConcurrency,
	concernsAllItems,
	countsAsOutage,
	requestedWaitOf,
} from '../errors/failures';
import { Gate, type GateEvidence } from './gate';
import { RequestBudget, type SentRequest, type BudgetUser, type RequestEnd } from './requestBudget';
import type { Transport } from './transport';

/** After a longer requested wait, one request finds out whether it is still needed. */
const MAX_PAUSE_MS = 60_000;

/** Interval at which a waiting execution checks whether requests of others take too long. */
const CHECK_MS = 1000;

/** Result of one item. */
export type Outcome<Result> = Settled<Result> | { state: 'untried' };

export type Settled<Result> = { state: 'done'; value: Result } | { state: 'failed'; error: unknown };

/** Waits for something to end and never throws. */
export function outcomeOf<Result>(running: Promise<Result>): Promise<Settled<Result>> {
	return running.then(
		(value) => ({ state: 'done', value }),
		(error: unknown) => ({ state: 'failed', error }),
	);
}

/** The service is away, so the request was not sent. */
export class NotSent extends Error {
	/** @param reason error of the request that found out */
	constructor(readonly reason: Error) {
		super(reason.message);
	}
}

export interface Run<Result> {
	/** One for each item, in the order of the items. */
	outcomes: Array<Outcome<Result>>;
	/** Why the remaining items were not tried; omitted if all were. */
	stoppedBy?: { error: unknown };
}

export interface RunOptions {
	/** Maximum number of concurrent items, below the ceiling of the limiter. */
	atMost?: number | undefined;
	/** Errors that end the run; by default those that concern every item, such as 401. */
	stopOn?: ((error: unknown) => boolean) | undefined;
}

/**
 * Queues all requests of one client with adaptive concurrency. Only attempts that are being sent
 * count, not those that wait for a retry. Each attempt is evaluated, so a 503 lowers the load even
 * if a retry succeeds. Retries precede new requests; `Retry-After` pauses both.
 */
export class Limiter implements BudgetUser {
	readonly sending = new Set<SentRequest>();
	readonly ceiling: number;
	readonly gate = new Gate<SentRequest>();
	private budget = new RequestBudget();
	private readonly again: Array<(sent: SentRequest) => void> = [];
	private readonly fresh: Array<(sent: SentRequest) => void> = [];
	private readonly runs = new Set<() => void>();
	private resting = 0;
	private waking = false;
	/** Set while no request is sent, because the service was away for too long. */
	private gaveUp: NotSent | undefined;
	private failingSince: number | undefined;

	/**
	 * @param ceiling maximum number of concurrent requests
	 * @param origin of the service whose budget all limiters of this process share; if omitted, this
	 *   one has a budget of its own
	 * @param probe harmless request that finds out whether a service is back; if omitted, the next
	 *   waiting request does
	 */
	constructor(
		private readonly clock: Pick<Transport, 'now' | 'sleep' | 'signal'>,
		ceiling = 64,
		private readonly origin?: string,
		private readonly probe?: () => Promise<unknown>,
	) {
		this.ceiling = Math.max(1, Math.floor(ceiling));
	}

	/** Current maximum number of concurrent requests. */
	get limit(): number {
		return Math.min(this.ceiling, this.budget.limit);
	}

	/** Whether only one request may be sent at a time. */
	get isSequential(): boolean {
		return this.ceiling === 1;
	}

	get isStopped(): boolean {
		return this.gaveUp !== undefined || this.isCancelled;
	}

	get isWaiting(): boolean {
		return this.again.length + this.fresh.length > 0;
	}

	private get isCancelled(): boolean {
		return this.clock.signal?.aborted === true;
	}

	sendNext(sent: SentRequest): void {
		const admitted = this.again.shift() ?? this.fresh.shift();
		admitted?.(sent);
	}

	/**
	 * Makes one attempt as soon as the limit allows, and adapts the limit to its result.
	 * @param repetition whether it is a retry, which takes precedence over first attempts
	 * @returns what `attempt` returns
	 * @throws what `attempt` throws, Cancelled once the transport's signal is aborted, NotSent if
	 * this execution no longer waits for the service
	 */
	async attempt<Result>(attempt: () => Promise<Result>, repetition = false): Promise<Result> {
		const queue = repetition ? this.again : this.fresh;
		const sent = await new Promise<SentRequest>((admitted) => {
			this.join();
			queue.push(admitted);
			this.admit();
		});
		try {
			if (this.isCancelled) throw new Cancelled();
			if (this.gaveUp) throw this.gaveUp;
			if (this.probe && this.budget.mustProbe(sent)) await this.findOut(sent, this.probe);
			const result = await attempt();
			this.end(sent, { load: 'succeeded', service: 'answered' });
			return result;
		} catch (error) {
			this.learnFrom(error, sent);
			return await Promise.reject(error);
		}
	}

	/** @throws NotSent if the service is still away */
	private async findOut(sent: SentRequest, probe: () => Promise<unknown>): Promise<void> {
		const outcome = await outcomeOf(probe());
		if (outcome.state === 'failed' && countsAsOutage(outcome.error)) throw new NotSent(outcome.error);
		this.budget.foundBack(sent, this.clock.now());
	}

	/** Whether requests are held back, because the service is away or requested a pause. */
	get isHeldBack(): boolean {
		return this.budget.holdsBack(this);
	}

	/** Milliseconds until the next request may be sent. */
	get pauseLeft(): number {
		return this.budget.waitLeft(this, this.clock.now());
	}

	/** Milliseconds since the first of the successive failures of this execution. */
	get failingFor(): number {
		return this.failingSince === undefined ? 0 : this.clock.now() - this.failingSince;
	}

	/** Fails all waiting requests, and those to come until none is left, without sending them. */
	giveUp(reason: Error): void {
		this.gaveUp = new NotSent(reason);
		this.admit();
	}

	/** Waits before a retry without occupying a slot. */
	async waitWithoutSlot(milliseconds: number): Promise<void> {
		await this.withoutSlot(() => this.clock.sleep(milliseconds));
	}

	/** Waits for something without occupying a slot. @throws what `wait` throws */
	async withoutSlot(wait: () => Promise<void>): Promise<void> {
		this.resting++;
		this.startMore();
		try {
			await wait();
		} finally {
			this.resting--;
		}
	}

	/**
	 * Processes items with adaptive concurrency; never throws for an item. Starts no new ones after
	 * an error that concerns all items; running ones are completed.
	 * @param items read lazily, so the sequence may be endless or growing
	 * @param work processes one item; its requests must go through this limiter
	 */
	async run<Item, Result>(
		items: Iterable<Item>,
		work: (item: Item, index: number) => Promise<Result>,
		options: RunOptions = {},
	): Promise<Run<Result>> {
		this.join();
		if (this.runs.size === 0) this.budget.forgetTimes();
		const { atMost = this.ceiling, stopOn = (error: unknown) => this.failsAllItems(error) } = options;
		const queue = new ItemQueue(items, work, stopOn);
		// Items that wait for a retry make room for others, up to a limit; in an outage, all items
		// would be started.
		const hasRoom = () =>
			queue.running - this.resting < Math.min(this.limit, atMost) &&
			queue.running < 2 * Math.min(this.ceiling, atMost);

		await new Promise<void>((finished, failed) => {
			const start = () => {
				try {
					queue.start(hasRoom, start);
				} catch (error) {
					this.runs.delete(start);
					failed(error);
				}
				if (!queue.isFinished) return;
				this.runs.delete(start);
				finished();
			};
			this.runs.add(start);
			start();
		}).finally(() => this.leave());
		return queue.result();
	}

	/** Whether every further item would fail with this error. */
	private failsAllItems(error: unknown): boolean {
		const reason = error instanceof OutcomeUnknown ? error.reason : error;
		return this.gaveUp !== undefined || concernsAllItems(reason);
	}

	private learnFrom(error: unknown, sent: SentRequest): void {
		const load = callsForLowerConcurrency(error) ? 'refused' : 'failed';
		const requestedWait = requestedWaitOf(error);
		const pause = requestedWait === undefined ? {} : { pause: Math.min(requestedWait, MAX_PAUSE_MS) };
		if (error instanceof Cancelled || error === this.gaveUp)
			this.end(sent, { load, service: undefined }, { service: undefined });
		else if (error instanceof TooManyRequests)
			this.end(sent, { load, service: 'answered' }, { service: 'busy', ...pause });
		else this.end(sent, { load, service: evidenceIn(error), ...pause });
	}

	/** @param own see `RequestBudget.ended` */
	private end(sent: SentRequest, end: RequestEnd, own: GateEvidence = { service: 'answered' }): void {
		const now = this.clock.now();
		if (end.service === 'answered' && own.service === 'answered') this.failingSince = undefined;
		else this.failingSince ??= now;
		this.budget.ended(this, sent, { ...end, own }, now);
		this.admit();
		this.startMore();
		this.leave();
	}

	private get isIdle(): boolean {
		return !this.isWaiting && this.sending.size === 0 && this.runs.size === 0;
	}

	private join(): void {
		if (this.isIdle && this.origin !== undefined)
			this.budget = RequestBudget.of(this.origin, this.clock.now());
		this.budget.join(this);
	}

	private leave(): void {
		if (!this.isIdle) return;
		this.gaveUp = undefined;
		this.budget.leave(this, this.clock.now());
	}

	private admit(): void {
		// One reading: a pause that ended between two would be waited for by nobody.
		const now = this.clock.now();
		this.budget.admit(now);
		if (this.isWaiting) this.wakeLater(now);
	}

	private wakeLater(now: number): void {
		const wait = this.budget.waitLeft(this, now) || (this.budget.isShared ? CHECK_MS : 0);
		if (this.waking || wait === 0) return;
		this.waking = true;
		void this.clock.sleep(wait).then(() => {
			this.waking = false;
			this.admit();
		});
	}

	private startMore(): void {
		for (const start of this.runs) start();
	}
}

function evidenceIn(error: unknown): GateEvidence['service'] {
	if (error instanceof NotSent) return 'gone';
	if (!countsAsOutage(error)) return 'answered';
	return callsForLowerConcurrency(error) ? 'busy' : 'gone';
}

/** The items of a run, started one by one, and their outcomes. */
class ItemQueue<Item, Result> {
	/** Number of items that were started and have not ended. */
	running = 0;
	private readonly outcomes: Array<Outcome<Result>> = [];
	private readonly remaining: Iterator<Item>;
	private exhausted = false;
	private stoppedBy: { error: unknown } | undefined;

	/** @param stopOn errors after which no item is started */
	constructor(
		items: Iterable<Item>,
		private readonly work: (item: Item, index: number) => Promise<Result>,
		private readonly stopOn: (error: unknown) => boolean,
	) {
		this.remaining = items[Symbol.iterator]();
	}

	/** Whether nothing is running and nothing will be started. */
	get isFinished(): boolean {
		return this.running === 0 && (this.exhausted || this.stoppedBy !== undefined);
	}

	/**
	 * Starts items as long as there is room.
	 * @param onEnd called after each item
	 * @throws the error of the sequence of items
	 */
	start(hasRoom: () => boolean, onEnd: () => void): void {
		while (!this.stoppedBy && !this.exhausted && hasRoom()) {
			const next = this.remaining.next();
			if (next.done) this.exhausted = true;
			else this.begin(next.value, onEnd);
		}
	}

	/** Outcomes of all items; those that were not started are untried. */
	result(): Run<Result> {
		if (!this.stoppedBy) return { outcomes: this.outcomes };
		for (let next = this.remaining.next(); !next.done; next = this.remaining.next())
			this.outcomes.push({ state: 'untried' });
		return { outcomes: this.outcomes, stoppedBy: this.stoppedBy };
	}

	private begin(item: Item, onEnd: () => void): void {
		const index = this.outcomes.push({ state: 'untried' }) - 1;
		this.running++;
		void outcomeOf(this.work(item, index)).then((outcome) => {
			this.outcomes[index] = outcome;
			if (outcome.state === 'failed' && this.stopOn(outcome.error))
				this.stoppedBy ??= { error: outcome.error };
			this.running--;
			onEnd();
		});
	}
}
