import type { Cell } from './csvRecords';

/** What a spreadsheet runs as a formula, after any apostrophes. */
const FORMULA = /^[=@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]([\d.,\u00a0 ]*\d(e[+-]?\d+)? ?%?)?$/i;
/** In UTF-8; a longer one counts as a formula. */
const MAX_NUMBER_BYTES = 63;
/** After more apostrophes, every cell is escaped, as programs do that do not hold it as a whole. */
const MAX_APOSTROPHES = 62;

/** Number of apostrophes at the start of a cell. */
const apostrophes = (cell: string): number => /^'*/.exec(cell)?.[0].length ?? 0;

/** Whether a spreadsheet would run a cell without the apostrophes at its start. */
function isFormula(cell: string): boolean {
	const rest = cell.slice(apostrophes(cell));
	const isNumber = NUMBER.test(rest) && Buffer.byteLength(rest) <= MAX_NUMBER_BYTES;
	return FORMULA.test(rest) || (/^[+-]/.test(rest) && !isNumber);
}

/**
 * A cell that no spreadsheet runs: with an apostrophe before a formula, or before one that already
 * has apostrophes, so that `unescaped` restores every cell.
 */
export function escaped(cell: Cell): Cell {
	return cell !== null && (apostrophes(cell) > MAX_APOSTROPHES || isFormula(cell)) ? `'${cell}` : cell;
}

/** A cell as it was before `escaped`. */
export function unescaped(cell: Cell): Cell {
	if (!cell?.startsWith("'")) return cell;
	return apostrophes(cell) > MAX_APOSTROPHES + 1 || isFormula(cell) ? cell.slice(1) : cell;
}
