import { Unconvertible, type Convert } from './conversion';

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/**
 * `toPrecision` takes no more; the exact value of a double
 * has up to 767 digits, and nobody writes them.
 */
const MAX_DIGITS = 100;

/**
 * A number from a number or its decimal text. A text whose digits a double cannot hold is refused.
 */
export const decimal: Convert = (value) => {
	// To add 0 makes 0 of -0, which JSON does not know either.
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
		: new Unconvertible('it has more digits than a number can hold, or is too large or too small for one');
};

/**
 * A whole number. A JavaScript number past 2^53 may have lost its last digits before it came here.
 */
export const integer: Convert = (value, timezone) => {
	const number = decimal(value, timezone);
	if (typeof number !== 'number') return number;
	if (!Number.isInteger(number)) return new Unconvertible();
	return typeof value === 'number' && !Number.isSafeInteger(number)
		? new Unconvertible('a number past 2^53 may have lost its last digits already: give it as a text')
		: number;
};

/**
 * The digits of a decimal text without zeros at either end,
 * and the power of ten that they are multiplied by.
 */
function significant(text: string): { digits: string; exponent: number } | undefined {
	const [matched, , whole = '', fraction = '', power = '0'] = NUMBER.exec(text.trim()) ?? [];
	if (matched === undefined || whole + fraction === '') return undefined;
	const all = (whole + fraction).replace(/^0+/, '');
	const digits = withoutEndingZeros(all);
	return { digits, exponent: Number(power) - fraction.length + all.length - digits.length };
}

/** The text before the zeros at its end. An expression would try each run of zeros in vain. */
export function withoutEndingZeros(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	return digits.slice(0, end);
}
