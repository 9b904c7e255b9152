/** Assumed duration of a benchmark that never ran. */
const UNKNOWN_MS = 60_000;

/** Decides which benchmarks still end in time, from their durations in earlier runs. */
export class TimeBudget {
	#expected = 0;
	#taken = 0;

	/**
	 * @param limit milliseconds
	 * @param usual durations of earlier runs in milliseconds, by benchmark
	 */
	constructor(
		private readonly limit: number,
		private readonly usual: Readonly<Record<string, number | undefined>>,
	) {}

	/** The first benchmark always fits, so that each of them can be run alone. */
	fits(name: string): boolean {
		if (this.#taken === 0) return true;
		// A busy machine needs longer for the rest, too.
		const slowdown = Math.max(1, this.#taken / this.#expected);
		return this.#taken + this.#usual(name) * slowdown <= this.limit;
	}

	/** @param took milliseconds */
	add(name: string, took: number): void {
		this.#expected += this.#usual(name);
		this.#taken += took;
	}

	#usual(name: string): number {
		return this.usual[name] ?? UNKNOWN_MS;
	}
}
