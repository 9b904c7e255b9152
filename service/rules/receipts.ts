import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

const ID_DIGITS = 24;
/** Fills the ID to one block; garbage that another key decrypts does not end with it. */
const END = '00000000';

const keyOf = (secret: string, linkId: string) =>
	createHmac('sha256', secret).update(`receipt ${linkId}`).digest().subarray(0, 16);

/**
 * The number of a receipt: 32 hexadecimal digits that only this service can tell or read. IDs are
 * counted, so they would show a guest the submissions of others.
 */
export function receiptNumber(secret: string, linkId: string, entityId: string): string {
	const cipher = createCipheriv('aes-128-ecb', keyOf(secret, linkId), null).setAutoPadding(false);
	return cipher.update(entityId + END, 'hex', 'hex') + cipher.final('hex');
}

/** The entity of a receipt of this link; undefined if there is no such receipt. */
export function entityOfReceipt(secret: string, linkId: string, number: string): string | undefined {
	if (!/^[0-9a-f]{32}$/.test(number)) return undefined;
	const cipher = createDecipheriv('aes-128-ecb', keyOf(secret, linkId), null).setAutoPadding(false);
	const block = cipher.update(number, 'hex', 'hex') + cipher.final('hex');
	return block.endsWith(END) ? block.slice(0, ID_DIGITS) : undefined;
}
