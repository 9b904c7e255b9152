import { Guesses } from './guesses';
import { PasswordChecks } from '../rules/passwords';
import { Turns, type Caller } from '../rules/turns';

/** Two of the four threads that also read files; a hash takes one for about 150 ms. */
const HASHING = { running: 2, waiting: 20, waitingInAll: 200 } as const;

/** Maximum length of a remembered guess; longer than the address of any link. */
const MAX_GUESS_LENGTH = 80;

/** A caller with or without an account. */
interface Guest {
	readonly address: string;
	readonly caller: Caller;
}

/** Throttles guessing of addresses and passwords of public links. */
export class LinkGuard {
	private readonly tokens: Guesses;
	private readonly passwords: Guesses;
	private readonly checks = new PasswordChecks();
	private readonly hashing = new Turns(HASHING);

	constructor(now: () => number) {
		this.tokens = new Guesses(now);
		this.passwords = new Guesses(now);
	}

	/**
	 * Looks up the link of a token.
	 * @param address of the caller
	 * @throws ServiceError 429 after too many unknown tokens from this address
	 */
	find<Found>(address: string, token: string, lookUp: () => Found | undefined): Found | undefined {
		const guess = token.slice(0, MAX_GUESS_LENGTH);
		this.tokens.count(address, guess);
		const found = lookUp();
		if (found !== undefined) this.tokens.remove(address, guess);
		return found;
	}

	/**
	 * Checks the user name and password of a link.
	 * @param guesser link and address of the caller
	 * @throws ServiceError 429 after too many wrong attempts for this link from this address
	 */
	async opens(
		guesser: { readonly link: string; readonly address: string },
		user: string,
		password: string,
		check: () => Promise<boolean>,
	): Promise<boolean> {
		const attempt = this.checks.keyOf(guesser.link, user, password);
		const name = `${guesser.link} ${guesser.address}`;
		this.passwords.count(name, attempt);
		// Remembered results count as well; otherwise they would reveal the right password among
		// refusals.
		// It is never abandoned, because concurrent attempts share the result.
		const right = await (this.checks.known(attempt) ??
			this.checks.check(attempt, () =>
				this.hashing.run({ name: guesser.address, isGone: () => false }, check),
			));
		if (right) this.passwords.remove(name, attempt);
		return right;
	}

	/**
	 * Hashes a password in the turn of its caller.
	 * @throws ServiceError 429 while too many others of the same address wait
	 */
	hashed<Result>({ address, caller }: Guest, hash: () => Promise<Result>): Promise<Result> {
		return this.hashing.run({ ...caller, name: address }, hash);
	}
}
