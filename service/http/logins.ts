import type { FastifyRequest } from 'fastify';
import type { Identity } from '../rules/access';
import type { Store } from '../store/store';
import { authenticate } from './authenticate';
import { authorizationOf } from './sessions';

/** Identity of the caller, or the reason why there is none. */
type Login = { readonly identity: Identity } | { readonly refusal: unknown };

/** The callers of active requests. */
export class Logins {
	private readonly byRequest = new WeakMap<FastifyRequest, Login>();

	/** @param signingKey key that signs bearer tokens */
	constructor(
		private readonly store: Store,
		private readonly signingKey: string,
	) {}

	/** Checks the credentials of a request. Wrong ones are refused when they are needed. */
	async identify(request: FastifyRequest): Promise<void> {
		const login = await authenticate(this.store, this.signingKey, authorizationOf(request)).then(
			(identity) => ({ identity }),
			(refusal: unknown) => ({ refusal }),
		);
		this.byRequest.set(request, login);
	}

	/** Identity of the caller; undefined without valid credentials. */
	identityOf(request: FastifyRequest): Identity | undefined {
		const login = this.byRequest.get(request);
		return login && 'identity' in login ? login.identity : undefined;
	}

	/** Identity of the caller. @throws ServiceError 401 without valid credentials */
	require(request: FastifyRequest): Identity {
		const login = this.byRequest.get(request);
		if (login && 'identity' in login) return login.identity;
		throw login?.refusal;
	}
}
