const START = 4;
const SMALLEST_WINDOW = 8;
/**
 * How far below the load that was refused it climbs again
 * quickly; from there on it feels its way by one at a time.
 */
const NEAR = 0.9;
/** Milliseconds that a median may always differ: scheduling and garbage collection, not load. */
const NOISE = 10;

/** One request as it was sent: the how-manieth it is, and how many were on their way with it. */
export interface Sent {
	readonly sequence: number;
	readonly inFlight: number;
}

/**
 * How many requests may be on their way at a time, learned
 * from what became of those before. Pure arithmetic, no clock.
 *
 * It starts at 4 and grows by one for each answer (so it doubles with each round trip) up to nine
 * tenths of the load that was last refused, and by one for each round trip from there on. A refusal
 * (429, 503, a time limit) halves the load it was sent under; refusals of requests that were
 * already on their way then count as the same event. Two rounds in a row whose median answer takes
 * more than twice as long as the best one halve it too: past that point more requests only wait in
 * a queue (Little's law: a load that doubles the time is at least twice the one that keeps the
 * service busy). If the answers take as long at half the load, load was not the cause, and the new
 * time is taken as what is normal.
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

	/** @param ceiling never more than this at a time */
	constructor(readonly ceiling: number) {
		this.limit = Math.min(START, ceiling);
	}

	/** A whole number from 1 to the ceiling. */
	get value(): number {
		return Math.floor(this.limit);
	}

	/** Notes that a request goes out. @param inFlight how many are on their way, with this one */
	send(inFlight: number): Sent {
		this.sequence++;
		return { sequence: this.sequence, inFlight };
	}

	/** Notes a successful answer. @param took milliseconds from sending to the end of the answer */
	succeeded(sent: Sent, took: number): void {
		// A limit that is not made use of says nothing about whether the service could bear more.
		const used = sent.inFlight * 2 >= this.limit;
		if (used && this.steady && sent.sequence > this.decreasedAt) {
			const step = this.limit < this.threshold ? 1 : 1 / this.limit;
			this.limit = Math.min(this.ceiling, this.limit + step);
		}
		if (sent.sequence <= this.windowFrom) return;
		this.window.push(took);
		if (this.window.length >= Math.max(SMALLEST_WINDOW, this.value)) this.weigh();
	}

	/** Notes that a request was refused for too much load. */
	refused(sent: Sent): void {
		if (sent.sequence <= this.decreasedAt) return;
		const load = Math.min(this.limit, sent.inFlight);
		this.decrease(load);
	}

	/** What comes next may be requests of another kind, whose normal time is another. */
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
		// What is normal may have changed for good; a little patience each round lets it grow again.
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
