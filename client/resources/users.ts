import type { User } from '../session/currentUser';
import type { Session } from '../session/session';

/** The identity that the credentials stand for (§4.2). */
export class Users {
	constructor(private readonly session: Session) {}

	/** See `CurrentUser.id`. */
	async id(): Promise<string> {
		return await this.session.currentUser.id();
	}

	/** See `CurrentUser.me`. */
	async me(): Promise<User> {
		return await this.session.currentUser.me();
	}
}
