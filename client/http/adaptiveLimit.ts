const START = 4;
const SMALLEST_WINDOW = 8;
/**
 * Share of the refused load up to which the limit grows fast; above, it grows by one for each round
 * trip.
 */
const NEAR = 0.9;
/**
 * In milliseconds: differences of medians that scheduling and garbage collection cause, not load.
 */
const NOISE = 10;

/** A sent request: its sequence number, and the number of concurrent requests, itself included. */
export interface Sent {
	readonly sequence: number;
	readonly inFlight: number;
}

/**
 * Maximum number of concurrent requests, adapted to the results of earlier ones. Uses no clock.
 *
 * Starts at 4 and grows by one for each response (it doubles with each round trip) up to nine
 * tenths of the load last refused, then by one for each round trip. A refusal (429, 503, a timeout)
 * halves the load; refusals of requests sent before count as the same event. Two successive rounds
 * whose median time exceeds twice the best one halve it as well: additional requests would only
 * queue (Little's law). If responses are as slow at half the load, the new time becomes the norm.
 */
export class AdaptiveLimit {
	private limit: number;
	private threshold = Number.POSITIVE_INFINITY;
	private sequence = 0;
	private decreasedAt = 0;
	private windowFrom = 0;
	private window: number[] = [];
	private best = Number.POSITIVE_INFINITY;
	private steady = true;
	private slowWindows = 0;
	private halvedAt: number | undefined;

	/** @param ceiling maximum of the limit */
	constructor(public ceiling: number) {
		this.limit = Math.min(START, ceiling);
	}

	/** An integer from 1 to the ceiling. */
	get value(): number {
		return Math.floor(Math.min(this.limit, this.ceiling));
	}

	/** Records a sent request. @param inFlight number of concurrent requests, this one included */
	send(inFlight: number): Sent {
		this.sequence++;
		return { sequence: this.sequence, inFlight };
	}

	/**
	 * Records a successful response.
	 * @param took milliseconds from sending to the end of the response
	 */
	succeeded(sent: Sent, took: number): void {
		// A limit that is not used up does not show whether the service can bear more.
		const used = sent.inFlight * 2 >= this.limit;
		if (used && this.steady && sent.sequence > this.decreasedAt) {
			const step = this.limit < this.threshold ? 1 : 1 / this.limit;
			this.limit = Math.min(this.ceiling, this.limit + step);
		}
		if (sent.sequence <= this.windowFrom) return;
		this.window.push(took);
		if (this.window.length >= Math.max(SMALLEST_WINDOW, this.value)) this.weigh();
	}

	/** Records a request that was refused because of load. */
	refused(sent: Sent): void {
		if (sent.sequence <= this.decreasedAt) return;
		const load = Math.min(this.limit, sent.inFlight);
		this.decrease(load);
	}

	/** The next requests may be of another kind and take another time. */
	forgetTimes(): void {
		this.best = Number.POSITIVE_INFINITY;
		this.slowWindows = 0;
		this.halvedAt = undefined;
		this.steady = true;
		this.openWindow();
	}

	private decrease(load: number): void {
		this.threshold = Math.max(2, load * NEAR);
		this.limit = Math.max(1, load / 2);
		this.decreasedAt = this.sequence;
		this.openWindow();
	}

	private openWindow(): void {
		this.window = [];
		this.windowFrom = this.sequence;
	}

	private weigh(): void {
		const median = this.window.sort((a, b) => a - b)[this.window.length >> 1] ?? 0;
		this.window = [];
		if (this.halvedAt !== undefined && median > this.halvedAt * 0.8) this.best = median;
		this.halvedAt = undefined;
		this.best = Math.min(this.best, median);
		this.steady = median <= this.best * 1.5 + NOISE;
		this.slowWindows = median > this.best * 2 + NOISE ? this.slowWindows + 1 : 0;
		// The norm may have changed permanently: it grows slowly each round.
		if (!this.steady) this.best *= 1.02;
		if (this.slowWindows < 2) return;
		this.slowWindows = 0;
		if (this.limit > START) {
			this.decrease(this.limit);
			this.halvedAt = median;
		} else {
			this.best = median;
			this.steady = true;
		}
	}
}
