import { z } from 'zod/v4';
import { resourceSchema } from '../hal/links';
import { idInPath, paths } from '../endpoints/paths';
import { parseResponse, type Session } from '../session/session';

/** §2.9 Gaps: of the user resource only `id` is known. */
export const userSchema = resourceSchema.extend({ id: z.string().min(1) });
export type User = z.infer<typeof userSchema>;

export class Users {
	private current: Promise<User> | undefined;
	private known: Promise<string> | undefined;

	constructor(private readonly session: Session) {}

	/**
	 * The id of the identity, which every documented address is spelled from. `users/me` redirects to it (§4.2), so its
	 * `Location` says it and the user itself need not be read. Asked once for each client.
	 * @throws Unauthorized where the credentials are not accepted (§5)
	 */
	async id(): Promise<string> {
		if (this.current) return (await this.current).id;
		this.known ??= this.locate();
		const asked = this.known;
		asked.catch(() => {
			if (this.known === asked) this.known = undefined;
		});
		return await asked;
	}

	private async locate(): Promise<string> {
		const { href, answer } = await this.session.locate({ method: 'GET', href: paths.currentUser });
		// A service that answers at once with the user says the id there.
		if (href === undefined) return parseResponse(userSchema, answer).id;
		// Any other address is opaque: the user itself says its id.
		return idInPath('user', href.pathname) ?? (await this.me()).id;
	}

	/**
	 * The identity that the credentials stand for (§4.2: `users/me` redirects to it). Asked once for each client, since
	 * every documented address is spelled from its id; a failed look-up is asked again.
	 * @throws Unauthorized where the credentials are not accepted (§5)
	 */
	async me(): Promise<User> {
		this.current ??= this.session.read(userSchema, { method: 'GET', href: paths.currentUser });
		const asked = this.current;
		asked.catch(() => {
			if (this.current === asked) this.current = undefined;
		});
		return await asked;
	}
}
