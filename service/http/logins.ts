import type { FastifyRequest } from 'fastify';
import type { Identity } from '../rules/access';
import { unauthorized } from '../rules/errors';
import type { Store } from '../store/store';
import { authenticate } from './authenticate';
import { authorizationOf } from './sessions';

/** The callers of active requests. */
export class Logins {
	/** Identity of each caller, or the reason why there is none. */
	private readonly byRequest = new WeakMap<FastifyRequest, Identity | string>();

	/** @param signingKey key that signs bearer tokens */
	constructor(
		private readonly store: Store,
		private readonly signingKey: string,
	) {}

	/** Checks the credentials of a request. Wrong ones are refused when they are needed. */
	async identify(request: FastifyRequest): Promise<void> {
		this.byRequest.set(request, await authenticate(this.store, this.signingKey, authorizationOf(request)));
	}

	/** Identity of the caller; undefined without valid credentials. */
	identityOf(request: FastifyRequest): Identity | undefined {
		const login = this.byRequest.get(request);
		return typeof login === 'string' ? undefined : login;
	}

	/** Identity of the caller. @throws ServiceError 401 without valid credentials */
	require(request: FastifyRequest): Identity {
		const login = this.byRequest.get(request);
		if (typeof login === 'object') return login;
		throw unauthorized(login ?? 'The caller is not known yet');
	}
}
