import type { FastifyRequest } from 'fastify';
import { issueToken, verifyToken } from '../rules/tokens';
import type { Store } from '../store/store';

const COOKIE = 'datagrid_session';
/** Validity of a session, in seconds. */
const VALIDITY = 30 * 24 * 3600;

/** Logins of people on the page: an access token in a cookie that scripts cannot read. */
export interface Session {
	/**
	 * Begins a session.
	 * @param check called in the write that begins it, to refuse it by an error
	 * @returns the header that sets its cookie
	 */
	begin(userId: string, check?: () => void): Promise<Record<string, string>>;
	/** Ends the session of the request. @returns the header that deletes its cookie */
	end(): Promise<Record<string, string>>;
}

function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
	const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
	return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

/** Whether a request has no `Authorization` header, but the cookie of a session. */
export const isBySession = (request: FastifyRequest): boolean =>
	request.headers.authorization === undefined && tokenOf(request) !== undefined;

/** The `Authorization` of a request; that of its session if it has none. */
export function authorizationOf(request: FastifyRequest): string | undefined {
	const token = tokenOf(request);
	return request.headers.authorization ?? (token === undefined ? undefined : `Bearer ${token}`);
}

/** The session of a request. @param isSecure whether people open the page with HTTPS */
export function sessionOf(
	request: FastifyRequest,
	{ store, signingKey, isSecure }: { store: Store; signingKey: string; isSecure: boolean },
): Session {
	const cookie = (value: string, seconds: number) => ({
		'Set-Cookie': [
			`${COOKIE}=${value}`,
			'Path=/',
			`Max-Age=${seconds}`,
			'HttpOnly',
			'SameSite=Strict',
			...(isSecure ? ['Secure'] : []),
		].join('; '),
	});
	return {
		begin: async (userId, check = () => undefined) => {
			const id = await store.write(() => {
				check();
				return store.accounts.addToken(userId, VALIDITY, true);
			});
			return cookie(await issueToken({ id, userId }, signingKey, VALIDITY), VALIDITY);
		},
		end: async () => {
			const claims = await verifyToken(tokenOf(request) ?? '', signingKey);
			if (claims) await store.write(() => store.accounts.revokeToken(claims.id));
			return cookie('', 0);
		},
	};
}
