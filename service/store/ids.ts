import { randomBytes } from 'node:crypto';

const machine = randomBytes(5).toString('hex');
let counter = randomBytes(3).readUIntBE(0, 3);

/**
 * A new identifier: 24 hexadecimal digits, of which the first eight
 * are the time in seconds. Ids made one after the other sort one after
 * the other, so an index on them grows at its end however large it is.
 */
export function newId(): string {
	counter = (counter + 1) % 0x1000000;
	const seconds = Math.floor(Date.now() / 1000)
		.toString(16)
		.padStart(8, '0');
	return `${seconds}${machine}${counter.toString(16).padStart(6, '0')}`;
}

/**
 * A new identifier of a field: ten hexadecimal digits, for each value is
 * stored beside the one of its field. The first is a letter: JavaScript
 * would put members with numbers as names ahead of the others.
 * @param isTaken whether there is such a field
 */
export function newFieldId(isTaken: (id: string) => boolean): string {
	for (;;) {
		const id = `f${randomBytes(5).toString('hex').slice(1)}`;
		if (!isTaken(id)) return id;
	}
}

/**
 * A new token: 128 random bits, for everything that opens to whoever knows it. Ids are guessed
 * easily and must open nothing.
 */
export const newToken = (): string => randomBytes(16).toString('hex');
