import { Unconvertible, type Convert } from './conversion';

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/**
 * Limit of `toPrecision`. The exact value of a double can have 767 digits, which do not occur in
 * practice.
 */
const MAX_DIGITS = 100;

/**
 * Converts a number or its decimal text to a number. Refuses a text with more digits than a double
 * holds.
 */
export const decimal: Convert = (value) => {
	// Adding 0 turns -0 into 0; JSON has no -0.
	if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : new Unconvertible();
	if (typeof value !== 'string' && typeof value !== 'bigint') return new Unconvertible();
	const written = significant(String(value));
	if (!written) return new Unconvertible();
	const number = Number(value);
	const count = written.digits.length;
	if (count === 0) return 0;
	const held = count > MAX_DIGITS || !Number.isFinite(number) ? undefined : number.toPrecision(count);
	const kept = significant(held ?? '');
	return kept?.digits === written.digits && kept.exponent === written.exponent
		? number
		: new Unconvertible('it has more digits than a number can represent, or is too large or too small');
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

/** The digits of a decimal text without leading and trailing zeros, and their power of ten. */
function significant(text: string): { digits: string; exponent: number } | undefined {
	const [matched, , whole = '', fraction = '', power = '0'] = NUMBER.exec(text.trim()) ?? [];
	if (matched === undefined || whole + fraction === '') return undefined;
	const all = (whole + fraction).replace(/^0+/, '');
	const digits = withoutEndingZeros(all);
	return { digits, exponent: Number(power) - fraction.length + all.length - digits.length };
}

/** Removes trailing zeros. A regular expression would backtrack on each run of zeros. */
export function withoutEndingZeros(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	return digits.slice(0, end);
}
