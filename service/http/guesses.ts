import { isIPv6 } from 'node:net';
import { ServiceError } from '../rules/errors';

/** Different wrong guesses that a client may make at once; then one per `REFILL_MS`. */
const MAX_GUESSES = 20;
const REFILL_MS = 3000;
/** Clients remembered; the least recently active ones are dropped. */
const MAX_GUESSERS = 10_000;

/** Part of an address that identifies a customer: the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
	if (!isIPv6(address) || address.toLowerCase().startsWith('::ffff:')) return address;
	const [head = '', tail] = address.split('::', 2);
	const groups = head.split(':').filter(Boolean);
	if (tail !== undefined) {
		const rest = tail.split(':').filter(Boolean);
		while (groups.length + rest.length < 8) groups.push('0');
		groups.push(...rest);
	}
	return groups
		.slice(0, 4)
		.map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
		.join(':');
}

/**
 * Throttles guessing. Only different wrong guesses count: a client with an outdated link or
 * password gets the same refusal each time and blocks nobody behind the same address.
 */
export class Guesses {
	/** Expiry of each wrong guess, by client. */
	private readonly guessers = new Map<string, Map<string, number>>();

	constructor(private readonly now: () => number) {}

	/**
	 * Counts a guess as wrong until `right` is called. Call it before checking the guess, so that
	 * concurrent guesses count and a refusal reveals nothing.
	 * @throws ServiceError 429 with `Retry-After` after too many wrong guesses
	 */
	count(guesser: string, guess: string): void {
		const wrong = this.guessers.get(guesser) ?? new Map<string, number>();
		const now = this.now();
		for (const [name, until] of wrong) if (until <= now) wrong.delete(name);
		if (wrong.has(guess)) return;
		if (wrong.size >= MAX_GUESSES) {
			const seconds = Math.ceil((Math.min(...wrong.values()) - now) / 1000);
			throw new ServiceError(429, 'Too many wrong attempts from this address', undefined, {
				'Retry-After': String(Math.max(1, seconds)),
			});
		}
		wrong.set(guess, Math.max(now, ...wrong.values()) + REFILL_MS);
		// Moved to the end, so that the least recently active client is dropped first.
		this.guessers.delete(guesser);
		this.guessers.set(guesser, wrong);
		if (this.guessers.size <= MAX_GUESSERS) return;
		const [oldest] = this.guessers.keys();
		if (oldest !== undefined) this.guessers.delete(oldest);
	}

	/** Removes a guess that turned out to be right. */
	remove(guesser: string, guess: string): void {
		const wrong = this.guessers.get(guesser);
		wrong?.delete(guess);
		if (wrong?.size === 0) this.guessers.delete(guesser);
	}
}
