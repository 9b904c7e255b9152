import { cellText } from './csvTypes';
import { escaped } from './csvFormulas';
import type { Cell } from './csvRecords';
import { looksLikeOtherText } from './csvText';
import type { Field } from './fieldTypes';
import type { Values } from './layouts';

/** In the order of preference. */
export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/**
 * Characters that some reader takes for the end of a cell or line. The header of an export shows no
 * separator but its own outside quotation marks, because readers count them there.
 */
export const NEEDS_QUOTES = /[",;|\t\r\n]/;

/** Separator declaration in the first line, as spreadsheets write it: `sep=;` */
export const DECLARATION = /^("?)sep=([,;\t|])\1[ \t]*(?:\r*\n|\r|$)/i;

/** No value is written as nothing, an empty text as two quotation marks. */
function quoted(cell: Cell): string {
	if (cell === null) return '';
	return cell === '' || NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** How an export is written. */
export interface CsvShape {
	readonly separator: Separator;
	/** Whether no cell can be run by a spreadsheet. */
	readonly isEscaped: boolean;
}

const csvLine = (cells: readonly Cell[], { separator, isEscaped }: CsvShape) =>
	`${cells.map((cell) => quoted(isEscaped ? escaped(cell) : cell)).join(separator)}\n`;

/**
 * Header line of an export: the names of the fields. If it would be read as something else, it
 * follows a declaration of the separator.
 */
export function csvHeader(fields: readonly Field[], shape: CsvShape): string {
	const line = csvLine(fields.map((field) => field.name), shape); // prettier-ignore
	return DECLARATION.test(line) || looksLikeOtherText(line) ? `sep=${shape.separator}\n${line}` : line;
}

/** Lines of an export, one per entity. */
export const csvLines = (fields: readonly Field[], rows: readonly Values[], shape: CsvShape): string =>
	rows
		.map((values) =>
			csvLine(
				fields.map((field) => cellText(values[field.id] ?? null)),
				shape,
			),
		)
		.join('');
