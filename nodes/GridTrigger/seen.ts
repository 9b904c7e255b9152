/** Length of an event's key: 12 characters of base64url, 72 bits. Many thousands of them are kept in n8n's static data. */
export const KEY_LENGTH = 12;

/** Keys of events that need not be emitted any more, by the second of their time: second since 1970 -> keys, joined. */
export type SeenRecord = Record<string, string>;

/** The second that a time in milliseconds falls into. */
export const secondOf = (time: number) => Math.floor(time / 1000);

/** Joins and parts keys of a fixed length; half the size of a JSON array in the static data. */
export const joinKeys = (keys: Iterable<string>) => [...keys].join('');
export const partKeys = (joined: string) =>
	Array.from({ length: joined.length / KEY_LENGTH }, (_, index) =>
		joined.slice(index * KEY_LENGTH, (index + 1) * KEY_LENGTH),
	);

/** The memory of what was read, in a form that is quick to ask and small to store. */
export class Seen {
	private readonly seconds = new Map<number, string[]>();
	private readonly keys = new Set<string>();

	constructor(record: SeenRecord = {}) {
		for (const [second, joined] of Object.entries(record)) {
			const keys = partKeys(joined);
			this.seconds.set(Number(second), keys);
			for (const key of keys) this.keys.add(key);
		}
	}

	get size() {
		return this.keys.size;
	}

	has(key: string) {
		return this.keys.has(key);
	}

	add(key: string, second: number) {
		if (this.keys.has(key)) return;
		this.keys.add(key);
		const keys = this.seconds.get(second);
		if (keys) keys.push(key);
		else this.seconds.set(second, [key]);
	}

	/** Forgets these keys, wherever they stand. */
	forget(keys: ReadonlySet<string>) {
		for (const [second, kept] of this.seconds)
			this.keep(
				second,
				kept.filter((key) => !keys.has(key)),
			);
		for (const key of keys) this.keys.delete(key);
	}

	/** Forgets every second before this one: the service is not asked for them any more. */
	forgetBefore(second: number) {
		for (const [kept, keys] of this.seconds) {
			if (kept >= second) continue;
			for (const key of keys) this.keys.delete(key);
			this.seconds.delete(kept);
		}
	}

	/**
	 * Forgets the oldest seconds until no more than `cap` keys are left; never the newest one up to `newest`, nor what is after it.
	 * @returns the oldest second kept, or undefined where nothing had to go
	 */
	shrinkTo(cap: number, newest: number): number | undefined {
		const oldestFirst = [...this.seconds.keys()].filter((second) => second <= newest).sort((a, b) => a - b);
		let oldest: number | undefined;
		for (const second of oldestFirst.slice(1)) {
			if (this.size <= cap) break;
			this.forgetBefore(second);
			oldest = second;
		}
		return oldest;
	}

	toRecord(): SeenRecord {
		return Object.fromEntries([...this.seconds].map(([second, keys]) => [String(second), joinKeys(keys)]));
	}

	private keep(second: number, keys: string[]) {
		if (keys.length === 0) this.seconds.delete(second);
		else this.seconds.set(second, keys);
	}
}
