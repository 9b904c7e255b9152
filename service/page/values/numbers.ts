/** Digits that a number keeps in JSON. */
const MAX_DIGITS = 15;

/**
 * Reads a number that a person typed or pasted. Ambiguous texts are refused.
 * @throws Error that continues "“text” …"
 */
export function numberOf(text: string, isWhole: boolean) {
	if (!/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text))
		throw new Error('is not a number; write it as 1234.5, without separators or currency symbols');
	const value = Number(text);
	if (isWhole && !Number.isInteger(value)) throw new Error('is not a whole number');
	const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '');
	if (digits.length > MAX_DIGITS || !Number.isFinite(value))
		throw new Error('has more digits than a number can store');
	return value;
}
