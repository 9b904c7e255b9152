import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The roles of §5. A key has `reader` or `admin`; a share or a public link any of them. */
export const roles = ['reader', 'writer', 'admin', 'creator'] as const;
export type Role = (typeof roles)[number];

/**
 * Roles that may use a route which requires the role on the left (§4, §5). This table guards the
 * routes, selects the `_links` and is published as `x-service-roles`.
 */
export const rolesAllowed: Readonly<Record<Role, readonly Role[]>> = {
	reader: ['reader', 'writer', 'admin'],
	creator: ['creator', 'writer', 'admin'],
	writer: ['writer', 'admin'],
	admin: ['admin'],
};

/** Whether the role `held` may use a route that requires `needed`; `undefined` is no role. */
export function allows(held: Role | undefined, needed: Role): boolean {
	return held !== undefined && rolesAllowed[needed].includes(held);
}

/** The caller: an account and the role of its key or token in all spaces of the account. */
export interface Identity {
	readonly userId: string;
	/** ID of the key or token. */
	readonly loginId: string;
	readonly email: string;
	readonly keyRole: 'reader' | 'admin';
}

/** Role of a share, limited by the role of the key. */
export function limitRole(role: Role | undefined, keyRole: Identity['keyRole']): Role | undefined {
	if (keyRole === 'admin') return role;
	return allows(role, 'reader') ? 'reader' : undefined;
}

/** Secrets of keys have 32 random bytes, so a fast hash suffices (link passwords: passwords.ts). */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares in constant time. */
export const sameBytes = (given: Uint8Array, right: Uint8Array): boolean =>
	given.length === right.length && timingSafeEqual(given, right);

/** Compares a given secret with a stored hash in constant time. */
export const secretMatches = (secret: string, hash: string): boolean =>
	sameBytes(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex'));

/** A new key or secret. @param bytes of randomness */
export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** Credentials of an `Authorization` header (§5). */
export type Credentials =
	| { readonly scheme: 'basic'; readonly key: string; readonly secret: string }
	| { readonly scheme: 'bearer'; readonly token: string };

/** Parses an `Authorization` header; undefined if it is neither Basic nor Bearer. */
export function parseAuthorization(header: string): Credentials | undefined {
	const [scheme = '', value = ''] = header.split(' ', 2);
	if (scheme.toLowerCase() === 'bearer' && value) return { scheme: 'bearer', token: value };
	if (scheme.toLowerCase() !== 'basic') return undefined;
	const pair = Buffer.from(value, 'base64').toString('utf8');
	const colon = pair.indexOf(':');
	if (colon < 0) return undefined;
	return { scheme: 'basic', key: pair.slice(0, colon), secret: pair.slice(colon + 1) };
}
