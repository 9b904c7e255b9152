const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** Limit of `toPrecision`. A double can have 767 digits, which do not occur in practice. */
const MAX_DIGITS = 100;

/**
 * The number of a decimal text.
 * @returns undefined if the text is not a number; NaN if a double cannot hold all its digits
 */
export function exactNumber(text: string): number | undefined {
	const written = significant(text);
	if (!written) return undefined;
	const number = Number(text);
	if (String(number) === text) return number;
	const count = written.digits.length;
	if (count === 0) return 0;
	const held = count > MAX_DIGITS || !Number.isFinite(number) ? undefined : number.toPrecision(count);
	const kept = significant(held ?? '');
	return kept?.digits === written.digits && kept.exponent === written.exponent ? number : Number.NaN;
}

/** The digits of a decimal text without leading and trailing zeros, and their power of ten. */
function significant(text: string): { digits: string; exponent: number } | undefined {
	const [matched, , whole = '', fraction = '', power = '0'] = NUMBER.exec(text.trim()) ?? [];
	if (matched === undefined || whole + fraction === '') return undefined;
	const all = (whole + fraction).replace(/^0+/, '');
	const digits = withoutEndingZeros(all);
	return { digits, exponent: Number(power) - fraction.length + all.length - digits.length };
}

/** Removes trailing zeros. A regular expression would backtrack on each run of zeros. */
function withoutEndingZeros(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	return digits.slice(0, end);
}
