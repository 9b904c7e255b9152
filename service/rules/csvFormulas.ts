import type { Cell } from './csvRecords';

/** What a spreadsheet runs as a formula, after any apostrophes. */
const FORMULA = /^[=@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]([\d.,\u00a0 ]*\d(e[+-]?\d+)? ?%?)?$/i;
/** In UTF-8; a longer one counts as a formula. */
const MAX_NUMBER_BYTES = 63;
/** Before a formula that is escaped; cells with more are left as they are. */
const MAX_APOSTROPHES = 62;

/** Number of apostrophes at the start of a cell that a spreadsheet would run without them. */
function apostrophes(cell: string): number | undefined {
	const start = cell.search(/[^']/);
	if (start === -1) return undefined;
	const rest = cell.slice(start);
	const isNumber = NUMBER.test(rest) && Buffer.byteLength(rest) <= MAX_NUMBER_BYTES;
	return FORMULA.test(rest) || (/^[+-]/.test(rest) && !isNumber) ? start : undefined;
}

/**
 * A cell that no spreadsheet runs: with an apostrophe before a formula, or before one that already
 * has apostrophes, so that `unescaped` restores every cell.
 */
export function escaped(cell: Cell): Cell {
	return cell !== null && (apostrophes(cell) ?? Infinity) <= MAX_APOSTROPHES ? `'${cell}` : cell;
}

/** A cell as it was before `escaped`. */
export function unescaped(cell: Cell): Cell {
	const count = cell === null ? 0 : (apostrophes(cell) ?? 0);
	return cell !== null && count > 0 && count <= MAX_APOSTROPHES + 1 ? cell.slice(1) : cell;
}
