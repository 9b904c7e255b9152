/** Characters that a cell can only contain in quotation marks (RFC 4180). */
const NEEDS_QUOTES = /[",\r\n]/;

/** One line of a CSV file, with its line break (RFC 4180). */
export function csvLine(cells: readonly unknown[]): string {
	return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Lists and objects as JSON, no value as an empty cell. */
function csvCell(value: unknown): string {
	const text = cellText(value);
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cellText(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value;
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
