import { parseAuthorization, type Identity } from '../rules/access';
import { unauthorized } from '../rules/errors';
import { verifyToken } from '../rules/tokens';
import type { Store } from '../store/store';

/** Identity of an `Authorization` header. @throws ServiceError 401 for invalid credentials */
export async function authenticate(
	store: Store,
	signingKey: string,
	authorization: string | undefined,
): Promise<Identity> {
	const credentials = authorization === undefined ? undefined : parseAuthorization(authorization);
	if (!credentials) {
		throw unauthorized('Send an API key (Basic) or an access token (Bearer) in the Authorization header');
	}
	if (credentials.scheme === 'basic') {
		const identity = store.accounts.identityOfKey(credentials.key, credentials.secret);
		if (!identity) throw unauthorized('Unknown key, or wrong secret');
		return identity;
	}
	const claims = await verifyToken(credentials.token, signingKey);
	const identity = claims && store.accounts.identityOfToken(claims);
	if (!identity) throw unauthorized('The access token is not valid');
	return identity;
}
