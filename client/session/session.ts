import type { z } from 'zod/v4';
import { Cache } from './cache';
import { created, type Created } from './created';
import { CurrentUser } from './currentUser';
import type { Endpoint } from '../endpoints/endpoints';
import { pathOf } from '../endpoints/paths';
import { permittedLink, type Target } from '../endpoints/permission';
import { StatusError } from '../errors';
import type { Link } from '../hal/links';
import type { Call } from './call';
import { Requests, type SessionOptions } from './requests';
import { parseResponse, type ServiceResponse } from './responses';
import type { Transport } from '../http/transport';

export type { Created } from './created';
export { textOf, type ServiceResponse } from './responses';
export type { Call } from './call';
export type { SessionOptions } from './requests';

/** How to follow an endpoint. */
export interface FollowOptions extends Omit<Call, 'method' | 'href'> {
	/** A link found earlier; by default the link of the target. */
	link?: Link | undefined;
	/** Address instead of the documented path, e.g. that of a public link. */
	href?: string;
}

/** Performs operations on one service as one identity. */
export class Session extends Requests {
	readonly currentUser = new CurrentUser(this);
	private readonly caches: Array<{ of: Endpoint['invalidates']; clear: () => void }> = [];

	constructor(transport: Transport, baseUrl: string, options: SessionOptions = {}) {
		super(transport, baseUrl, options);
	}

	/** A cache that is cleared by each endpoint that invalidates representations of this type. */
	cacheOf<Value>(type: NonNullable<Endpoint['invalidates']>): Cache<Value> {
		const cache = new Cache<Value>();
		this.caches.push({ of: type, clear: () => cache.clear() });
		return cache;
	}

	/**
	 * Performs an operation with the link of the target, otherwise with the documented path.
	 * @throws LinkMissing before anything is sent, and what `send` throws
	 */
	async follow(endpoint: Endpoint, target: Target, options: FollowOptions = {}): Promise<ServiceResponse> {
		const followed = options.link ??
			permittedLink(endpoint, target) ?? {
				href: options.href ?? (await this.documented(endpoint, target)),
				method: endpoint.method,
			};
		// Whatever a link says, a read changes nothing, and only a deletion deletes.
		const isOwn = endpoint.method === 'GET' || followed.method.toUpperCase() === 'DELETE';
		const method = isOwn ? endpoint.method : followed.method;
		const call = Session.callOf({ href: followed.href, method }, options, endpoint.method);
		try {
			const answer = await this.send(call);
			this.invalidate(endpoint);
			return answer;
		} catch (error) {
			// Unless it was refused, it may have been carried out.
			if (!(error instanceof StatusError && error.facts.status < 500)) this.invalidate(endpoint);
			return await Promise.reject(error);
		}
	}

	/** Reads and parses a JSON body. @throws what `follow` throws, UnreadableResponse */
	async fetch<Schema extends z.ZodType>(
		schema: Schema,
		endpoint: Endpoint,
		target: Target,
		options: FollowOptions = {},
	): Promise<z.infer<Schema>> {
		return parseResponse(schema, await this.follow(endpoint, target, options));
	}

	/** Performs a creating POST (§4). @throws what `created` and `follow` throw */
	async createAt(endpoint: Endpoint, target: Target, options: FollowOptions = {}): Promise<Created> {
		return await created(this, await this.follow(endpoint, target, options), endpoint.creates);
	}

	private async documented(endpoint: Endpoint, { address }: Target): Promise<string> {
		const userId = address?.userId ?? (endpoint.path.includes('{userId}') ? await this.currentUser.id() : '');
		return pathOf(endpoint, { ...address, userId });
	}

	private invalidate({ invalidates }: Endpoint): void {
		for (const { of, clear } of this.caches) if (of === invalidates) clear();
	}
}
