import { z } from 'zod/v4';
import { Cache } from './cache';
import { endpoints } from '../endpoints/endpoints';
import { idInPath } from '../endpoints/paths';
import { idSchema, resourceSchema } from '../hal/links';
import { ServiceNotFound } from '../errors';
import { mayBeFromOtherServer } from '../errors/failures';
import type { Requests } from './requests';
import { parseResponse } from './responses';

/** §2.9 Gaps: only `id` of the user resource is specified. */
const userSchema = resourceSchema.extend({ id: idSchema });
export type User = z.infer<typeof userSchema>;

const { method, path } = endpoints.currentUser;

/** The identity of a session, requested once; failed requests are repeated on the next call. */
export class CurrentUser {
	private readonly users = new Cache<User>();
	private readonly ids = new Cache<string>();

	constructor(private readonly requests: Pick<Requests, 'locate' | 'read' | 'baseUrl'>) {}

	/**
	 * Id of the user, part of every documented address. `users/me` redirects to the user (§4.2), so
	 * the id is in its `Location`, and the user itself is not requested.
	 * @throws Unauthorized if the credentials are not accepted (§5), ServiceNotFound
	 */
	async id(): Promise<string> {
		return this.users.has('me')
			? (await this.me()).id
			: await this.ids.get('me', () => this.orServiceNotFound(this.locate()));
	}

	/** The user in full. @throws Unauthorized (§5), ServiceNotFound */
	async me(): Promise<User> {
		return await this.users.get('me', () =>
			this.orServiceNotFound(this.requests.read(userSchema, { method, href: path })),
		);
	}

	/** §4.2: `users/me` exists for every identity, so a 404 means that there is no service. */
	private async orServiceNotFound<Result>(request: Promise<Result>): Promise<Result> {
		return await request.catch((error: unknown) =>
			Promise.reject(
				mayBeFromOtherServer(error)
					? new ServiceNotFound(this.requests.baseUrl, error.message, error.facts)
					: error,
			),
		);
	}

	private async locate(): Promise<string> {
		const { href, answer } = await this.requests.locate({ method, href: path });
		// Without a redirect, the response is the user itself.
		if (href === undefined) return parseResponse(userSchema, answer).id;
		// Any other address is opaque, so the user itself is read for the id.
		return idInPath('user', href.pathname) ?? (await this.me()).id;
	}
}
