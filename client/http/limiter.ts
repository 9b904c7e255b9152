import { Cancelled } from './cancelled';
import { OutcomeUnknown, TooManyRequests } from '../errors';
import {
	callsForLowerConcurrency,
	concernsAllItems,
	countsAsOutage,
	requestedWaitOf,
} from '../errors/failures';
import { RequestBudget, type SentRequest, type BudgetUser } from './requestBudget';
import type { Transport } from './transport';

/** A run stops with an error if the service requests a longer wait. */
const MAX_PAUSE_MS = 60_000;

/** Number of successive failed attempts that count as an outage. */
const OUTAGE_FAILURES = 16;

/** Interval at which a waiting execution checks whether requests of others take too long. */
const CHECK_MS = 1000;

/** Result of one item. */
export type Outcome<Result> = Settled<Result> | { state: 'untried' };

/** The result of a promise, as a value. */
export type Settled<Result> = { state: 'done'; value: Result } | { state: 'failed'; error: unknown };

/** Waits for something to end and never throws. */
export function outcomeOf<Result>(running: Promise<Result>): Promise<Settled<Result>> {
	return running.then(
		(value) => ({ state: 'done', value }),
		(error: unknown) => ({ state: 'failed', error }),
	);
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
	private budget = new RequestBudget();
	private readonly again: Array<(sent: SentRequest) => void> = [];
	private readonly fresh: Array<(sent: SentRequest) => void> = [];
	private readonly runs = new Set<() => void>();
	private resting = 0;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	private waking = false;
	private successiveFailures = 0;

	/**
	 * @param ceiling maximum number of concurrent requests
	 * @param origin of the service whose budget all limiters of this process share; if omitted, this
	 *   one has a budget of its own
	 */
	constructor(
		private readonly clock: Pick<Transport, 'now' | 'sleep' | 'signal'>,
		ceiling = 64,
		private readonly origin?: string,
	) {
		this.ceiling = Math.max(1, Math.floor(ceiling));
	}

	/** Current maximum number of concurrent requests. */
	get limit(): number {
		return Math.min(this.ceiling, this.budget.limit);
	}

	get isReady(): boolean {
		if (this.waiting === 0) return false;
		return this.isCancelled || (this.sending.size < this.ceiling && this.pauseLeft === 0);
	}

	get isCancelled(): boolean {
		return this.clock.signal?.aborted === true;
	}

	sendNext(sent: SentRequest): void {
		this.sending.add(sent);
		const admitted = this.again.shift() ?? this.fresh.shift();
		admitted?.(sent);
	}

	/**
	 * Makes one attempt as soon as the limit allows, and adapts the limit to its result.
	 * @param repetition whether it is a retry, which takes precedence over first attempts
	 * @returns what `attempt` returns
	 * @throws what `attempt` throws, Cancelled once the transport's signal is aborted
	 */
	async attempt<Result>(attempt: () => Promise<Result>, repetition = false): Promise<Result> {
		const queue = repetition ? this.again : this.fresh;
		const sent = await new Promise<SentRequest>((admitted) => {
			this.join();
			queue.push(admitted);
			this.admit();
		});
		const running = this.isCancelled ? Promise.reject(new Cancelled()) : attempt();
		return await running.then(
			(result) => {
				this.successiveFailures = 0;
				this.end(sent, 'succeeded');
				return result;
			},
			(error: unknown) => {
				this.learnFrom(error, sent);
				return Promise.reject(error);
			},
		);
	}

	/** Milliseconds until the next request may be sent, if the service requested a pause. */
	get pauseLeft(): number {
		const now = this.clock.now();
		return Math.max(0, this.pausedUntil - now, this.budget.pauseLeft(now));
	}

	/** Waits before a retry without occupying a slot. */
	async waitWithoutSlot(milliseconds: number): Promise<void> {
		this.resting++;
		this.startMore();
		await this.clock.sleep(milliseconds);
		this.resting--;
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
		if (concernsAllItems(reason)) return true;
		if ((requestedWaitOf(reason) ?? 0) > MAX_PAUSE_MS) return true;
		return countsAsOutage(reason) && this.successiveFailures >= OUTAGE_FAILURES;
	}

	private learnFrom(error: unknown, sent: SentRequest): void {
		this.successiveFailures = countsAsOutage(error) ? this.successiveFailures + 1 : 0;
		const wait = Math.min(requestedWaitOf(error) ?? 0, MAX_PAUSE_MS);
		const until = this.clock.now() + wait;
		// RFC 6585: a 429 is about the requests of one user.
		if (error instanceof TooManyRequests && wait > 0) this.pausedUntil = Math.max(this.pausedUntil, until);
		else if (wait > 0) this.budget.pause(until);
		this.end(sent, callsForLowerConcurrency(error) ? 'refused' : 'failed');
	}

	private end(sent: SentRequest, result: 'succeeded' | 'refused' | 'failed'): void {
		this.sending.delete(sent);
		this.budget.ended(sent, this.clock.now(), result);
		this.admit();
		this.startMore();
		this.leave();
	}

	private get waiting(): number {
		return this.again.length + this.fresh.length;
	}

	private get isIdle(): boolean {
		return this.waiting === 0 && this.sending.size === 0 && this.runs.size === 0;
	}

	private join(): void {
		if (this.isIdle && this.origin !== undefined)
			this.budget = RequestBudget.of(this.origin, this.clock.now());
		this.budget.join(this);
	}

	private leave(): void {
		if (this.isIdle) this.budget.leave(this, this.clock.now());
	}

	private admit(): void {
		this.budget.admit(this.clock.now());
		if (this.waiting > 0) this.wakeLater();
	}

	private wakeLater(): void {
		const wait = this.pauseLeft || (this.budget.isShared ? CHECK_MS : 0);
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
