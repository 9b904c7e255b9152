/**
 * Length of an event's key: 12 characters of base64url, 72
 * bits. Many thousands of them are kept in n8n's static data.
 */
export const KEY_LENGTH = 12;

/**
 * Keys of events that need not be emitted any more, by the
 * second of their time: second since 1970 -> keys, joined.
 */
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
export class SeenKeys {
	private readonly seconds = new Map<string, number>();

	constructor(record: SeenRecord = {}) {
		for (const [second, joined] of Object.entries(record))
			for (const key of partKeys(joined)) this.seconds.set(key, Number(second));
	}

	get size() {
		return this.seconds.size;
	}

	has(key: string) {
		return this.seconds.has(key);
	}

	/** The second until which a key is kept. */
	secondOf(key: string) {
		return this.seconds.get(key);
	}

	/**
	 * Keeps a key until its second is forgotten; one that is
	 * kept already, until the later of both seconds is.
	 */
	add(key: string, second: number) {
		this.seconds.set(key, Math.max(second, this.seconds.get(key) ?? second));
	}

	/** Forgets these keys, wherever they stand. */
	forget(keys: Iterable<string>) {
		for (const key of keys) this.seconds.delete(key);
	}

	/** Forgets every second before this one: the service is not asked for them any more. */
	forgetBefore(second: number) {
		for (const [key, kept] of this.seconds) if (kept < second) this.seconds.delete(key);
	}

	/**
	 * Forgets the oldest seconds until no more than `cap` keys are left; never the newest one up to
	 * `newest`, nor what is after it.
	 * @returns the oldest second kept, or undefined where nothing had to go
	 */
	shrinkTo(cap: number, newest: number): number | undefined {
		const counts = new Map<number, number>();
		for (const second of this.seconds.values())
			if (second <= newest) counts.set(second, (counts.get(second) ?? 0) + 1);
		const oldestFirst = [...counts.keys()].sort((a, b) => a - b);
		let left = this.size;
		let oldest: number | undefined;
		for (const [index, second] of oldestFirst.slice(1).entries()) {
			if (left <= cap) break;
			left -= counts.get(oldestFirst[index] ?? second) ?? 0;
			oldest = second;
		}
		if (oldest !== undefined) this.forgetBefore(oldest);
		return oldest;
	}

	toRecord(): SeenRecord {
		const keys = new Map<number, string[]>();
		for (const [key, second] of this.seconds) {
			const joined = keys.get(second);
			if (joined) joined.push(key);
			else keys.set(second, [key]);
		}
		return Object.fromEntries([...keys].map(([second, own]) => [String(second), joinKeys(own)]));
	}
}
