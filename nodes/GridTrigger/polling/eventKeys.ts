import { createHash } from 'crypto';
import { identitiesOf } from '../../../client/resources/updates/updateIdentity';
import type { Update } from '../../../client/resources/updates/updates';
import { KEY_LENGTH } from './seenKeys';

/**
 * Keys that identify the changes of one page when they are read again (A2).
 * @returns 12 base64url characters each (72 bits); the chance of a collision among 200,000 events
 *   is 1 in 10^11
 */
export function keysOf(updates: readonly Update[]): string[] {
	return identitiesOf(updates).map(shortHash);
}

/** A key of fixed length for any text. */
export function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, KEY_LENGTH);
}
