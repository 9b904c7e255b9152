import { createHash } from 'crypto';
import { addToGroup } from '../../../client';

/**
 * Length of an entry's key: 12 base64url characters (72 bits), because n8n's static data holds many
 * thousands of keys. The chance of a collision among 200,000 is 1 in 10^11.
 */
export const KEY_LENGTH = 12;

/** The key of an entry with this identity. */
export const keyOf = (identity: string) =>
	createHash('sha256').update(identity).digest('base64url').slice(0, KEY_LENGTH);

/** Joined keys by second since 1970. */
export type SeenRecord = Record<string, string>;

/** The second that contains a time in milliseconds. */
const secondOf = (time: number) => Math.floor(time / 1000);

/** Joins keys of fixed length, which takes half the size of a JSON array. */
export const joinKeys = (keys: Iterable<string>) => [...keys].join('');
export function splitKeys(joined: string): string[] {
	const keys: string[] = [];
	for (let at = 0; at < joined.length; at += KEY_LENGTH) keys.push(joined.slice(at, at + KEY_LENGTH));
	return keys;
}

/** Keys of entries that are handled, each until the second of its time is forgotten. */
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

	/** @param time of the entry, in milliseconds */
	add(key: string, time: number) {
		this.seconds.set(key, secondOf(time));
	}

	/** @returns the second of a key that was there */
	take(key: string): number | undefined {
		const second = this.seconds.get(key);
		this.seconds.delete(key);
		return second;
	}

	/** Forgets the keys of entries before a time, which are not read again. */
	forgetBefore(time: number) {
		const first = secondOf(time);
		for (const [key, second] of this.seconds) if (second < first) this.seconds.delete(key);
	}

	toRecord(): SeenRecord {
		const keys = new Map<number, string[]>();
		for (const [key, second] of this.seconds) addToGroup(keys, second, key);
		return Object.fromEntries([...keys].map(([second, own]) => [String(second), joinKeys(own)]));
	}
}
