import { AdaptiveLimit, type Sent } from './adaptiveLimit';
import { Cancelled } from './cancelled';
import { OutcomeUnknown } from '../errors';
import { asksForLess, concernsAllItems, countsAsOutage, waitAskedBy } from '../errors/failures';
import type { Transport } from './transport';

/**
 * A run stops with an error if the service requests a longer wait.
 */
const MAX_PAUSE_MS = 60_000;

/**
 * Number of successive attempts without a response that count as an outage.
 */
const OUTAGE = 16;

/** Result of one item. */
export type Outcome<Result> = Ended<Result> | { state: 'untried' };

/** The result of a promise, as a value. */
export type Ended<Result> = { state: 'done'; value: Result } | { state: 'failed'; error: unknown };

/** Waits for something to end and never throws. */
export async function outcomeOf<Result>(running: Promise<Result>): Promise<Ended<Result>> {
	return await running.then(
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
	/**
	 * Errors that end the run: by default those that concern every item (401, 403, a missing link, an
	 * outage).
	 */
	stopOn?: ((error: unknown) => boolean) | undefined;
}

/**
 * Queues all requests of one client with adaptive concurrency. Only attempts that are being sent
 * count, not those that wait for a retry. It sees each attempt, so a 503 lowers the load even if a
 * retry succeeds. Retries go before new requests; `Retry-After` pauses all of them.
 */
export class Limiter {
	private readonly adaptive: AdaptiveLimit;
	private readonly again: Array<(inFlight: number) => void> = [];
	private readonly fresh: Array<(inFlight: number) => void> = [];
	private readonly runs = new Set<() => void>();
	private inFlight = 0;
	private resting = 0;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	private waking = false;
	private failuresInARow = 0;

	/** @param ceiling maximum number of concurrent requests */
	constructor(
		private readonly clock: Pick<Transport, 'now' | 'sleep' | 'signal'>,
		private readonly ceiling = 64,
	) {
		this.adaptive = new AdaptiveLimit(Math.max(1, Math.floor(ceiling)));
	}

	/** Current maximum number of concurrent requests. */
	get limit(): number {
		return this.adaptive.value;
	}

	/**
	 * Makes one attempt as soon as the limit allows, and adapts the limit to its result.
	 * @param repetition whether it is a retry, which takes precedence over first attempts
	 * @returns what `attempt` returns
	 * @throws what `attempt` throws, Cancelled once the transport's signal is aborted
	 */
	async attempt<Result>(attempt: () => Promise<Result>, repetition = false): Promise<Result> {
		const queue = repetition ? this.again : this.fresh;
		const inFlight = await new Promise<number>((admitted) => {
			queue.push(admitted);
			this.admit();
		});
		const sent = this.adaptive.send(inFlight);
		const began = this.clock.now();
		const outcome = await outcomeOf(this.isCancelled ? Promise.reject(new Cancelled()) : attempt());
		this.inFlight--;
		if (outcome.state === 'done') {
			this.failuresInARow = 0;
			this.adaptive.succeeded(sent, this.clock.now() - began);
		} else {
			this.learnFrom(outcome.error, sent);
		}
		this.admit();
		this.startMore();
		if (outcome.state === 'done') return outcome.value;
		throw outcome.error;
	}

	/** Milliseconds until the next request may be sent, if the service asked for a pause. */
	get pauseLeft(): number {
		return Math.max(0, this.pausedUntil - this.clock.now());
	}

	/** Waits before a retry without occupying a slot. */
	async rest(milliseconds: number): Promise<void> {
		this.resting++;
		this.startMore();
		await this.clock.sleep(milliseconds);
		this.resting--;
	}

	/**
	 * Processes items with adaptive concurrency; never throws for an item. Starts no new ones after
	 * an error that concerns all items; running ones are completed.
	 * @param items read lazily, so that an endless or growing sequence is fine
	 * @param work what to do with one item; its requests go through this limiter by themselves
	 */
	async run<Item, Result>(
		items: Iterable<Item>,
		work: (item: Item, index: number) => Promise<Result>,
		options: RunOptions = {},
	): Promise<Run<Result>> {
		if (this.runs.size === 0) this.adaptive.forgetTimes();
		const { atMost = this.ceiling, stopOn = (error: unknown) => this.isLasting(error) } = options;
		const outcomes: Array<Outcome<Result>> = [];
		const remaining = items[Symbol.iterator]();
		let stoppedBy: { error: unknown } | undefined;
		let exhausted = false;
		let unsettled = 0;

		await new Promise<void>((finished, failed) => {
			const settle = (index: number, outcome: Outcome<Result>) => {
				outcomes[index] = outcome;
				if (outcome.state === 'failed' && stopOn(outcome.error)) stoppedBy ??= { error: outcome.error };
				unsettled--;
				start();
			};
			const begin = (item: Item) => {
				const index = outcomes.push({ state: 'untried' }) - 1;
				unsettled++;
				void outcomeOf(work(item, index)).then((outcome) => settle(index, outcome));
			};
			// Items that wait for a retry make room for others, up to a limit; in an outage, all items
			// would be started.
			const hasRoom = () =>
				unsettled - this.resting < Math.min(this.limit, atMost) &&
				unsettled < 2 * Math.min(this.ceiling, atMost);
			const start = () => {
				try {
					while (!stoppedBy && !exhausted && hasRoom()) {
						const next = remaining.next();
						if (next.done) exhausted = true;
						else begin(next.value);
					}
				} catch (error) {
					this.runs.delete(start);
					failed(error);
				}
				if (unsettled > 0 || !(stoppedBy || exhausted)) return;
				this.runs.delete(start);
				finished();
			};
			this.runs.add(start);
			start();
		});
		if (!stoppedBy) return { outcomes };
		for (let next = remaining.next(); !next.done; next = remaining.next())
			outcomes.push({ state: 'untried' });
		return { outcomes, stoppedBy };
	}

	/** Whether every further item would fail with this error. */
	private isLasting(error: unknown): boolean {
		const reason = error instanceof OutcomeUnknown ? error.reason : error;
		if (concernsAllItems(reason)) return true;
		if ((waitAskedBy(reason) ?? 0) > MAX_PAUSE_MS) return true;
		return countsAsOutage(reason) && this.failuresInARow >= OUTAGE;
	}

	private learnFrom(error: unknown, sent: Sent): void {
		this.failuresInARow = countsAsOutage(error) ? this.failuresInARow + 1 : 0;
		if (asksForLess(error)) this.adaptive.refused(sent);
		const wait = Math.min(waitAskedBy(error) ?? 0, MAX_PAUSE_MS);
		if (wait > 0) this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + wait);
	}

	private get isCancelled(): boolean {
		return this.clock.signal?.aborted === true;
	}

	private admit(): void {
		if (this.pauseLeft > 0 && !this.isCancelled) {
			this.wakeLater();
			return;
		}
		while (this.inFlight < this.limit) {
			const admitted = this.again.shift() ?? this.fresh.shift();
			if (!admitted) return;
			this.inFlight++;
			admitted(this.inFlight);
		}
	}

	private wakeLater(): void {
		if (this.waking || this.again.length + this.fresh.length === 0) return;
		this.waking = true;
		void this.clock.sleep(this.pauseLeft).then(() => {
			this.waking = false;
			this.admit();
		});
	}

	private startMore(): void {
		for (const start of this.runs) start();
	}
}
