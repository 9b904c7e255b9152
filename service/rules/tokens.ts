import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod/v4';

const ALGORITHM = 'HS256';

/** What an access token says: its own id, by which it is revoked, and whose login it is. */
export interface TokenClaims {
	readonly id: string;
	readonly userId: string;
}

const claims = z.object({ sub: z.string(), exp: z.number(), jti: z.string() });

const secretOf = (signingKey: string) => new TextEncoder().encode(signingKey);

/** Issues an access token (JWT, HS256). @param seconds it is valid for */
export function issueToken({ id, userId }: TokenClaims, signingKey: string, seconds: number) {
	const now = Math.floor(Date.now() / 1000);
	return new SignJWT()
		.setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
		.setSubject(userId)
		.setJti(id)
		.setIssuedAt(now)
		.setExpirationTime(now + seconds)
		.sign(secretOf(signingKey));
}

/**
 * The claims of a token that this service signed and that has not
 * expired, else undefined. Only HS256 is taken, whatever the token's
 * header says. Whether the token was revoked is for the store to say.
 */
export async function verifyToken(token: string, signingKey: string): Promise<TokenClaims | undefined> {
	const verified = await jwtVerify(token, secretOf(signingKey), { algorithms: [ALGORITHM] }).catch(
		() => undefined,
	);
	const parsed = claims.safeParse(verified?.payload);
	return parsed.success ? { id: parsed.data.jti, userId: parsed.data.sub } : undefined;
}
