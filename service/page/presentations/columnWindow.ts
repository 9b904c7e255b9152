import type { Column } from '../session/schemas';
import { chosenWidths, widthOf } from './columnWidths';

/** With more columns, only the visible ones are drawn, plus some on either side. */
const MAX_COLUMNS = 40;
const SPARE_COLUMNS = 8;
/** Width of the numbers of rows, in em. */
const NUMBER_WIDTH = 5;
/** The part of a table that frozen columns may take. */
const MAX_FROZEN = 0.55;

/** The positions of the columns of a table, and the range of columns that is drawn. */
export class ColumnWindow {
	/** The columns drawn: [first, after the last]. */
	range: [number, number] = [0, 0];
	private isChosen = false;
	private left: number | undefined;
	/** The end of each column, in em. */
	private ends: number[] = [];

	/** @param table gets the widths */
	constructor(
		fields: readonly Column[],
		private readonly table: HTMLElement,
	) {
		this.setWidths(fields);
	}

	/** Shows the widths that a person chose. */
	setWidths(fields: readonly Column[]) {
		const chosen = chosenWidths();
		const widths = fields.map((field) => widthOf(field, chosen));
		let end = NUMBER_WIDTH;
		this.ends = widths.map(({ width }) => (end += width));
		const template = widths.map(({ width, isChosen }) => isChosen ? `${width}em` : `minmax(${width}em, ${width}fr)`); // prettier-ignore
		this.table.style.setProperty('--columns', [`${NUMBER_WIDTH}em`, ...template].join(' '));
		this.table.style.setProperty('--width', `${end}em`);
	}

	/**
	 * Freezes the first column and the numbers of rows, as far as they leave room.
	 * @param width of the table, in em
	 */
	freeze(width: number) {
		const both = this.ends[0] ?? NUMBER_WIDTH;
		const first = both - NUMBER_WIDTH;
		const isNarrow = both > width * MAX_FROZEN;
		this.table.dataset.frozen = isNarrow ? (first > width * MAX_FROZEN ? 'none' : 'first') : 'both';
		this.table.style.scrollPaddingLeft = `${isNarrow ? first : both}em`;
	}

	/** Keeps the frozen columns in sight. @param left scroll position, in pixels */
	scrollTo(left: number) {
		if (left === this.left) return;
		this.left = left;
		this.table.style.setProperty('--scrolled', `${left}px`);
	}

	/** The drawn columns; the first one may be frozen. */
	get columns() {
		const [from, to] = this.range;
		const columns = Array.from({ length: to - from }, (_, index) => from + index);
		return from > 0 ? [0, ...columns] : columns;
	}

	/** The start of a column, in em. */
	start(column: number) {
		return this.ends[column - 1] ?? 0;
	}

	isDrawn(column: number) {
		return column === 0 || (column >= this.range[0] && column < this.range[1]);
	}

	/**
	 * Chooses the columns to draw.
	 * @param left scroll position, in em
	 * @param width visible width, in em
	 * @param isKept whether to keep the drawn columns
	 * @returns whether the range has changed
	 */
	update(left: number, width: number, isKept: boolean) {
		const count = this.ends.length;
		if (this.isChosen && (isKept || count <= MAX_COLUMNS)) return false;
		const first = this.ends.findIndex((end) => end > left);
		const after = this.ends.findIndex((end) => end > left + width) + 1 || count;
		if (this.isChosen && first >= this.range[0] && after <= this.range[1]) return false;
		this.isChosen = true;
		this.range =
			count <= MAX_COLUMNS
				? [0, count]
				: [Math.max(0, first - SPARE_COLUMNS), Math.min(count, after + SPARE_COLUMNS)];
		return true;
	}
}
