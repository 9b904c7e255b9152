import { Guesses } from './guesses';
import { PasswordChecks } from '../rules/passwords';

/** Characters of a guess that are remembered: more than the address of any link has. */
const MAX_GUESS_LENGTH = 80;

/** Stands before the public links: slows down who guesses their addresses or passwords. */
export class LinkGuard {
	private readonly tokens: Guesses;
	private readonly passwords: Guesses;
	private readonly checks = new PasswordChecks();

	constructor(now: () => number) {
		this.tokens = new Guesses(now);
		this.passwords = new Guesses(now);
	}

	/**
	 * Looks up what a token names.
	 * @param address of the caller
	 * @throws ServiceError 429 when this address has tried too many tokens that name nothing
	 */
	find<Found>(address: string, token: string, lookUp: () => Found | undefined): Found | undefined {
		const guess = token.slice(0, MAX_GUESS_LENGTH);
		this.tokens.count(address, guess);
		const found = lookUp();
		if (found !== undefined) this.tokens.right(address, guess);
		return found;
	}

	/**
	 * Checks the user name and password of a link.
	 * @param guesser names the link and the address of the caller
	 * @throws ServiceError 429 when too many wrong ones came for this link from this address
	 */
	async opens(
		guesser: { readonly link: string; readonly address: string },
		user: string,
		password: string,
		check: () => Promise<boolean>,
	): Promise<boolean> {
		const attempt = this.checks.nameOf(guesser.link, user, password);
		const name = `${guesser.link} ${guesser.address}`;
		this.passwords.count(name, attempt);
		// A remembered result is quick, and counts all the same:
		// else it would tell the right password among refusals.
		const right = await (this.checks.known(attempt) ?? this.checks.check(attempt, check));
		if (right) this.passwords.right(name, attempt);
		return right;
	}
}
