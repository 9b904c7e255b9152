import { exactNumber } from '../../../client';
import { Unconvertible, type Convert } from './conversion';

/** Converts a number or its text; refuses one with more digits than a double holds. */
export const decimal: Convert = (value) => {
	// Adding 0 turns -0 into 0; JSON has no -0.
	if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : new Unconvertible();
	if (typeof value !== 'string' && typeof value !== 'bigint') return new Unconvertible();
	const number = exactNumber(String(value));
	if (number === undefined)
		return new Unconvertible(
			/^\s*[+-]?[\d.]*\d,\d+\s*$/.test(String(value)) ? 'use a decimal point' : undefined,
		);
	return Number.isNaN(number)
		? new Unconvertible('it has more digits than a number can represent, or is too large or too small')
		: number;
};

/** Converts to an integer. A JavaScript number above 2^53 may already have lost digits. */
export const integer: Convert = (value, timezone) => {
	const number = decimal(value, timezone);
	if (typeof number !== 'number') return number;
	if (!Number.isInteger(number)) return new Unconvertible();
	return typeof value === 'number' && !Number.isSafeInteger(number)
		? new Unconvertible('a number above 2^53 may already have lost digits: enter it as a text')
		: number;
};
