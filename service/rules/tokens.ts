import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod/v4';

const ALGORITHM = 'HS256';

/** Claims of an access token: its ID, for revocation, and its account. */
export interface TokenClaims {
	readonly id: string;
	readonly userId: string;
}

const claims = z.object({ sub: z.string(), exp: z.number(), jti: z.string() });

const secretOf = (signingKey: string) => new TextEncoder().encode(signingKey);

/** Issues an access token (JWT, HS256). @param seconds validity */
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
 * Verifies a token and returns its claims, or undefined if it is invalid or expired. Accepts only
 * HS256. The store knows revoked tokens.
 */
export async function verifyToken(token: string, signingKey: string): Promise<TokenClaims | undefined> {
	const verified = await jwtVerify(token, secretOf(signingKey), { algorithms: [ALGORITHM] }).catch(
		() => undefined,
	);
	const parsed = claims.safeParse(verified?.payload);
	return parsed.success ? { id: parsed.data.jti, userId: parsed.data.sub } : undefined;
}
