import { z } from 'zod/v4';
import { resourceSchema } from './hal';
import { paths } from './paths';
import type { Session } from './session';

/** §2.9 Gaps: of the user resource only `id` is known. */
export const userSchema = resourceSchema.extend({ id: z.string().min(1) });
export type User = z.infer<typeof userSchema>;

export class Users {
	private current: Promise<User> | undefined;

	constructor(private readonly session: Session) {}

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
