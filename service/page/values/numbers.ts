import { hasComma } from './languages';

/** Digits that a number keeps in JSON. */
const MAX_DIGITS = 15;
/** In a language with a decimal comma: a whole number with one separator, or three decimals. */
const TWO_MEANINGS = /^(-?[1-9]\d{0,2})[.,](\d{3})$/;
const WITH_COMMA = /^-?([1-9]\d{0,2}(\.\d{3})+|\d*)(,\d+)?$/;

/**
 * A number of the person's language as programs write it; other texts as they are.
 * @throws Error that continues "“text” …" if it can mean two numbers
 */
function withPoint(text: string) {
	const [, whole, decimals] = TWO_MEANINGS.exec(text) ?? [];
	if (decimals !== undefined) throw new Error(`can mean ${whole}${decimals} or ${whole},${decimals}; write it as ${whole}${decimals} or ${whole},${decimals}0`); // prettier-ignore
	return WITH_COMMA.test(text) ? text.replaceAll('.', '').replace(',', '.') : text;
}

/**
 * Reads a number as programs write it. Ambiguous texts are refused.
 * @throws Error that continues "“text” …"
 */
export function numberOf(text: string, isWhole: boolean) {
	if (!/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text))
		throw new Error(`is not a number; write it as ${hasComma ? '1234,5' : '1234.5'}, without separators or currency symbols`);
	const value = Number(text);
	if (isWhole && !Number.isInteger(value)) throw new Error('is not a whole number');
	const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '');
	if (digits.length > MAX_DIGITS || !Number.isFinite(value))
		throw new Error('has more digits than a number can store');
	return value;
} // prettier-ignore

/**
 * Reads a number that a person typed, also with the decimal comma of their language.
 * @throws Error that continues "“text” …"
 */
export const typedNumber = (text: string, isWhole: boolean, isComma = hasComma) =>
	numberOf(isComma ? withPoint(text) : text, isWhole);

/** A number as a person edits it; what `typedNumber` makes of it is the same number. */
export function editedNumber(value: number, isComma = hasComma) {
	const text = String(value);
	if (!isComma || text.includes('e')) return text;
	const typed = text.replace('.', ',');
	return TWO_MEANINGS.test(typed) ? `${typed}0` : typed;
}

// Made once, because that takes much longer than to write a number.
const decimals = new Intl.NumberFormat(undefined, { maximumFractionDigits: 15, useGrouping: false });
const amounts = new Intl.NumberFormat(undefined, { maximumFractionDigits: 15, minimumFractionDigits: 2 });

/**
 * A number as the language of the person writes it: an amount of money with groups and two
 * decimals. Other numbers have no groups, because they may be a year or the number of a customer.
 */
export const numberText = (value: number, type: string) =>
	(type === 'currency' ? amounts : decimals).format(value);

/** The decimals that a number is written with. */
function decimalsOf(value: number) {
	const [digits = '', exponent = '0'] = String(value).split('e');
	return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** The sum, without the decimals that binary numbers add. */
export function sumOf(values: readonly number[]) {
	const sum = values.reduce((total, value) => total + value, 0);
	const decimals = values.reduce((most, value) => Math.max(most, decimalsOf(value)), 0);
	return decimals <= 20 ? Number(sum.toFixed(decimals)) : sum;
}
