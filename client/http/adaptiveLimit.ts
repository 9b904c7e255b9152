const START_LIMIT = 4;
/** Minimum number of responses whose median is compared. */
const MIN_WINDOW = 8;
/** Share of the refused load up to which the limit grows fast; then by one per round trip. */
const FAST_GROWTH_SHARE = 0.9;
/** Smaller differences of medians come from scheduling and garbage collection, not from load. */
const NOISE_MS = 10;

/** The sequence number of a request, and how many were in flight when it was sent, with it. */
export interface RequestLoad {
	readonly sequence: number;
	readonly inFlight: number;
}

/**
 * Maximum number of concurrent requests, adapted to the results of earlier ones. Uses no clock.
 *
 * Starts at 4 and grows by one per response (doubling with each round trip) up to nine tenths of
 * the last refused load, then by one per round trip. A refusal (429, 503, a timeout) halves the
 * load; refusals of requests sent before that count as the same event. Two successive rounds with a
 * median time above twice the best one also halve it: further requests would only queue (Little's
 * law). If responses are as slow at half the load, the new time becomes the reference.
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
		this.limit = Math.min(START_LIMIT, ceiling);
	}

	/** An integer from 1 to the ceiling. */
	get value(): number {
		return Math.floor(Math.min(this.limit, this.ceiling));
	}

	/** Records a sent request. @param inFlight number of concurrent requests, this one included */
	send(inFlight: number): RequestLoad {
		this.sequence++;
		return { sequence: this.sequence, inFlight };
	}

	/** Records a success. @param took milliseconds from sending to the end of the response */
	succeeded(sent: RequestLoad, took: number): void {
		// A limit that is not used up does not show whether the service can handle more.
		const used = sent.inFlight * 2 >= this.limit;
		if (used && this.steady && sent.sequence > this.decreasedAt) {
			const step = this.limit < this.threshold ? 1 : 1 / this.limit;
			this.limit = Math.min(this.ceiling, this.limit + step);
		}
		if (sent.sequence <= this.windowFrom) return;
		this.window.push(took);
		if (this.window.length >= Math.max(MIN_WINDOW, this.value)) this.compareTimes();
	}

	refused(sent: RequestLoad): void {
		if (sent.sequence <= this.decreasedAt) return;
		const load = Math.min(this.limit, sent.inFlight);
		this.decrease(load);
	}

	/** Starts low again, because the service was away. */
	restart(): void {
		this.limit = Math.min(this.limit, START_LIMIT);
		this.openWindow();
	}

	/** Forgets measured times, because the next requests may be of another kind. */
	forgetTimes(): void {
		this.best = Number.POSITIVE_INFINITY;
		this.slowWindows = 0;
		this.halvedAt = undefined;
		this.steady = true;
		this.openWindow();
	}

	private decrease(load: number): void {
		this.threshold = Math.max(2, load * FAST_GROWTH_SHARE);
		this.limit = Math.max(1, load / 2);
		this.decreasedAt = this.sequence;
		this.openWindow();
	}

	private openWindow(): void {
		this.window = [];
		this.windowFrom = this.sequence;
	}

	/** Compares the median time of the last round with the best one. */
	private compareTimes(): void {
		const median = this.window.sort((a, b) => a - b)[this.window.length >> 1] ?? 0;
		this.window = [];
		if (this.halvedAt !== undefined && median > this.halvedAt * 0.8) this.best = median;
		this.halvedAt = undefined;
		this.best = Math.min(this.best, median);
		this.steady = median <= this.best * 1.5 + NOISE_MS;
		this.slowWindows = median > this.best * 2 + NOISE_MS ? this.slowWindows + 1 : 0;
		// The times may have changed permanently, so the reference grows slowly each round.
		if (!this.steady) this.best *= 1.02;
		if (this.slowWindows < 2) return;
		this.slowWindows = 0;
		if (this.limit > START_LIMIT) {
			this.decrease(this.limit);
			this.halvedAt = median;
		} else {
			this.best = median;
			this.steady = true;
		}
	}
}
