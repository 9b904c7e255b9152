import { createHash } from 'crypto';
import { identitiesOf } from '../../../client/resources/updates/updateIdentity';
import type { Update } from '../../../client/resources/updates/updates';
import { KEY_LENGTH } from './seenKeys';

/**
 * What the changes of one page are known by when they are read again (A2).
 * @returns 12 characters of base64url each, 72 bits: among 200,000
 *   events, two alike by chance once in 100 thousand million
 */
export function keysOf(updates: readonly Update[]): string[] {
	return identitiesOf(updates).map(shortHash);
}

/** A key of fixed length for any text. */
export function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, KEY_LENGTH);
}
