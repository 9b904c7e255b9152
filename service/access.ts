import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod/v4';

/** The roles of §5. A key carries `reader` or `admin`; a share or a public link any of them. */
export const roles = ['reader', 'writer', 'admin', 'creator'] as const;
export type Role = (typeof roles)[number];

/**
 * The one table of roles: which roles may use a route that asks for the role on the left (§4, §5).
 * It guards the routes, decides which `_links` a representation carries and is published as `x-service-roles`.
 */
export const rolesAllowed: Readonly<Record<Role, readonly Role[]>> = {
	reader: ['reader', 'writer', 'admin'],
	creator: ['creator', 'writer', 'admin'],
	writer: ['writer', 'admin'],
	admin: ['admin'],
};

/** Whether one who holds `held` may use a route that asks for `needed`; `undefined` is no role at all. */
export function allows(held: Role | undefined, needed: Role): boolean {
	return held !== undefined && rolesAllowed[needed].includes(held);
}

/** Who calls: an account, and the role its key or token carries for all spaces of the account. */
export interface Identity {
	readonly userId: string;
	readonly email: string;
	readonly keyRole: 'reader' | 'admin';
}

/** The role left of a share for a caller whose key may only read. */
export function cap(role: Role | undefined, keyRole: Identity['keyRole']): Role | undefined {
	if (keyRole === 'admin') return role;
	return allows(role, 'reader') ? 'reader' : undefined;
}

/** Secrets of keys are random 32-byte strings, so a fast hash is as good as a slow one (link passwords: passwords.ts). */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares in constant time. */
export const sameBytes = (given: Uint8Array, right: Uint8Array): boolean =>
	given.length === right.length && timingSafeEqual(given, right);

/** Compares a given secret with a stored hash in constant time. */
export const secretMatches = (secret: string, hash: string): boolean =>
	sameBytes(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex'));

/** A new key or secret. @param bytes of randomness */
export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** What `Authorization` said (§5). */
export type Credentials =
	| { readonly scheme: 'basic'; readonly key: string; readonly secret: string }
	| { readonly scheme: 'bearer'; readonly token: string };

/** Reads an `Authorization` header; undefined when it is neither Basic nor Bearer. */
export function parseAuthorization(header: string): Credentials | undefined {
	const [scheme = '', value = ''] = header.split(' ', 2);
	if (scheme.toLowerCase() === 'bearer' && value) return { scheme: 'bearer', token: value };
	if (scheme.toLowerCase() !== 'basic') return undefined;
	const pair = Buffer.from(value, 'base64').toString('utf8');
	const colon = pair.indexOf(':');
	if (colon < 0) return undefined;
	return { scheme: 'basic', key: pair.slice(0, colon), secret: pair.slice(colon + 1) };
}

const claims = z.object({ sub: z.string(), exp: z.number(), jti: z.string() });
const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url');
const sign = (text: string, key: string) => createHmac('sha256', key).update(text).digest();

/** What an access token says: its own id, by which it is revoked, and whose login it is. */
export interface TokenClaims {
	readonly id: string;
	readonly userId: string;
}

/** Issues an access token (JWT, HS256). @param seconds it is valid for */
export function issueToken({ id, userId }: TokenClaims, signingKey: string, seconds: number): string {
	const now = Math.floor(Date.now() / 1000);
	const body = { sub: userId, jti: id, iat: now, exp: now + seconds };
	const text = `${header}.${Buffer.from(JSON.stringify(body)).toString('base64url')}`;
	return `${text}.${sign(text, signingKey).toString('base64url')}`;
}

/**
 * The claims of a token that this service signed and that has not expired, else undefined. Only HS256 is taken, whatever the
 * token's header says. Whether the token was revoked is for the store to say.
 */
export function verifyToken(token: string, signingKey: string): TokenClaims | undefined {
	const [head, payload, signature] = token.split('.');
	if (head !== header || payload === undefined || signature === undefined) return undefined;
	const given = Buffer.from(signature, 'base64url');
	const right = sign(`${head}.${payload}`, signingKey);
	if (!sameBytes(given, right)) return undefined;
	const parsed = claims.safeParse(jsonOf(Buffer.from(payload, 'base64url').toString('utf8')));
	if (!parsed.success || parsed.data.exp <= Date.now() / 1000) return undefined;
	return { id: parsed.data.jti, userId: parsed.data.sub };
}

/** What whoever else has the key may have signed; undefined where it is not JSON. */
function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
