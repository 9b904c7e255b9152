import { Guesses } from './guesses';
import { PasswordChecks } from '../rules/passwords';

/** Maximum length of a remembered guess; longer than the address of any link. */
const MAX_GUESS_LENGTH = 80;

/** Throttles guessing of addresses and passwords of public links. */
export class LinkGuard {
	private readonly tokens: Guesses;
	private readonly passwords: Guesses;
	private readonly checks = new PasswordChecks();

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
		const right = await (this.checks.known(attempt) ?? this.checks.check(attempt, check));
		if (right) this.passwords.remove(name, attempt);
		return right;
	}
}
