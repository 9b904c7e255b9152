import { randomBytes } from 'node:crypto';

const machine = randomBytes(5).toString('hex');
let counter = randomBytes(3).readUIntBE(0, 3);

/**
 * A new identifier: 24 hexadecimal digits, of which the first eight are the time in seconds. IDs
 * are ascending, so an index on them grows at its end.
 */
export function newId(): string {
	counter = (counter + 1) % 0x1000000;
	const seconds = Math.floor(Date.now() / 1000)
		.toString(16)
		.padStart(8, '0');
	return `${seconds}${machine}${counter.toString(16).padStart(6, '0')}`;
}

/**
 * A new field ID: ten hexadecimal digits, because it is stored with each value. The first one is a
 * letter, because JavaScript orders integer-like member names first.
 * @param isTaken whether a field with this ID exists
 */
export function newFieldId(isTaken: (id: string) => boolean): string {
	for (;;) {
		const id = `f${randomBytes(5).toString('hex').slice(1)}`;
		if (!isTaken(id)) return id;
	}
}

/** Whether a text has the form of an ID, also of a field. */
export const isId = (text: string): boolean => /^([0-9a-f]{24}|f[0-9a-f]{9})$/.test(text);

/**
 * A new token with 128 random bits, for addresses that grant access. IDs are guessable and must not
 * grant access.
 */
export const newToken = (): string => randomBytes(16).toString('hex');
