/**
 * Characters for which a cell is put in quotation marks: those of RFC 4180, and what readers that
 * detect the delimiter would count.
 */
const NEEDS_QUOTES = /[",;|\t\r\n]/;

/** One line of a CSV file, with its line break (RFC 4180). */
export function csvLine(cells: readonly unknown[], delimiter = ','): string {
	return `${cells.map(csvCell).join(delimiter)}\r\n`;
}

/** Lists and objects as JSON, no value as nothing, an empty text as two quotation marks. */
function csvCell(value: unknown): string {
	const text = cellText(value);
	return value === '' || NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cellText(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value;
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
