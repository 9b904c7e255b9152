import { isIPv6 } from 'node:net';
import { ServiceError } from '../rules/errors';

/** Different wrong guesses that one guesser may make at once; after that, one each `REFILL_MS`. */
const MAX_GUESSES = 20;
const REFILL_MS = 3000;
/** Guessers remembered at a time; the ones quiet longest are forgotten first. */
const MAX_GUESSERS = 10_000;

/**
 * The part of an address that one customer of a network holds: an IPv6 network has 2^64 addresses.
 */
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
 * Slows down guessing. Only different wrong guesses count: a client with one outdated link or
 * password hears that it is wrong each time, and keeps nobody behind the same address from working.
 */
export class Guesses {
	/** When each wrong guess is forgotten, by guesser. */
	private readonly guessers = new Map<string, Map<string, number>>();

	constructor(private readonly now: () => number) {}

	/**
	 * Counts a guess as wrong until `right` takes it back. Call before the guess is looked at, so
	 * that guesses made at the same time count, and so that a refusal says nothing about the guess.
	 * @throws ServiceError 429 with `Retry-After` when this guesser has made too many wrong ones
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
		// Moved to the end: the guesser quiet longest is the first to be forgotten.
		this.guessers.delete(guesser);
		this.guessers.set(guesser, wrong);
		if (this.guessers.size <= MAX_GUESSERS) return;
		const [oldest] = this.guessers.keys();
		if (oldest !== undefined) this.guessers.delete(oldest);
	}

	/** Takes back what turned out to be right. */
	right(guesser: string, guess: string): void {
		const wrong = this.guessers.get(guesser);
		wrong?.delete(guess);
		if (wrong?.size === 0) this.guessers.delete(guesser);
	}
}
