import { parseAuthorization, type Identity } from '../rules/access';
import { verifyToken } from '../rules/tokens';
import type { Store } from '../store/store';

/** Identity of an `Authorization` header, or the reason why there is none. */
export async function authenticate(
	store: Store,
	signingKey: string,
	authorization: string | undefined,
): Promise<Identity | string> {
	const credentials = authorization === undefined ? undefined : parseAuthorization(authorization);
	if (!credentials) return 'Send an API key (Basic) or an access token (Bearer) in the Authorization header';
	if (credentials.scheme === 'basic')
		return (
			store.accounts.identityOfKey(credentials.key, credentials.secret) ?? 'Unknown key, or wrong secret'
		);
	const claims = await verifyToken(credentials.token, signingKey);
	return (claims && store.accounts.identityOfToken(claims)) ?? 'The access token is not valid';
}
