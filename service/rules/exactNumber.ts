/** Longer texts are not parsed as numbers. */
const MAX_NUMBER_LENGTH = 400;

/**
 * Canonical form (significant digits and exponent) of a decimal number; undefined if it is not a
 * number.
 */
function canonicalNumber(text: string): string | undefined {
	const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text);
	const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
	const significant = (whole + fraction).replace(/^0+/, '');
	if (!match || whole + fraction === '') return undefined;
	if (significant === '') return '0';
	const digits = significant.replace(/0+$/, '');
	const scale = Number(exponent) - fraction.length + significant.length - digits.length;
	return `${sign === '-' ? '-' : ''}${digits}e${scale}`;
}

/** Parses a decimal number; undefined if no double equals it exactly. */
export function exactNumber(text: string): number | undefined {
	const trimmed = text.trim();
	if (trimmed.length > MAX_NUMBER_LENGTH) return undefined;
	const value = Number(trimmed);
	const exact = canonicalNumber(trimmed);
	return exact !== undefined && exact === canonicalNumber(String(value)) ? value : undefined;
}
