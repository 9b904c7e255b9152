import { addToGroup } from '../../../client/formats/grouping';

/**
 * Length of an event's key: 12 base64url characters (72 bits), because n8n's static data holds many
 * thousands of keys.
 */
export const KEY_LENGTH = 12;

/** Joined keys of events that are not emitted again, by second since 1970. */
export type SeenRecord = Record<string, string>;

/** The second that contains a time in milliseconds. */
export const secondOf = (time: number) => Math.floor(time / 1000);

/** Joins keys of fixed length, which takes half the size of a JSON array. */
export const joinKeys = (keys: Iterable<string>) => [...keys].join('');
export const splitKeys = (joined: string) =>
	Array.from({ length: joined.length / KEY_LENGTH }, (_, index) =>
		joined.slice(index * KEY_LENGTH, (index + 1) * KEY_LENGTH),
	);

/** The keys of events that were read: fast to look up, small to store. */
export class SeenKeys {
	private readonly seconds = new Map<string, number>();

	constructor(record: SeenRecord = {}) {
		for (const [second, joined] of Object.entries(record))
			for (const key of splitKeys(joined)) this.seconds.set(key, Number(second));
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

	/** Keeps a key until its second is forgotten; a known key until the later of both seconds. */
	add(key: string, second: number) {
		this.seconds.set(key, Math.max(second, this.seconds.get(key) ?? second));
	}

	/** Forgets these keys, whatever their seconds. */
	forget(keys: Iterable<string>) {
		for (const key of keys) this.seconds.delete(key);
	}

	/** Forgets all seconds before this one, which are no longer requested. */
	forgetBefore(second: number) {
		for (const [key, kept] of this.seconds) if (kept < second) this.seconds.delete(key);
	}

	/**
	 * Forgets the oldest seconds until at most `cap` keys are left; keeps the last second up to
	 * `newest` and all after it.
	 * @returns the oldest second kept; undefined if nothing was dropped
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
		for (const [key, second] of this.seconds) addToGroup(keys, second, key);
		return Object.fromEntries([...keys].map(([second, own]) => [String(second), joinKeys(own)]));
	}
}
