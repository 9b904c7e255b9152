import type { Column } from '../session/schemas';

/** With more columns, only the visible ones are drawn, plus some on either side. */
const MAX_COLUMNS = 40;
const SPARE_COLUMNS = 8;
/** Widths of columns, in em. */
const NUMBER_WIDTH = 5;
const widthOf = ({ name, type }: Column) =>
	Math.max(
		Math.min(16, name.length * 0.7 + 4),
		['string', 'richText', 'email', 'uri'].includes(type.name) ? 13 : 8.5,
	);

/** The positions of the columns of a table, and the range of columns that is drawn. */
export class ColumnWindow {
	/** The columns drawn: [first, after the last]. */
	range: [number, number] = [0, 0];
	private isChosen = false;
	/** The end of each column, in em. */
	private readonly ends: number[];

	/** @param style style of the table, which gets the widths */
	constructor(fields: readonly Column[], style: CSSStyleDeclaration) {
		const widths = fields.map(widthOf);
		let end = NUMBER_WIDTH;
		this.ends = widths.map((width) => (end += width));
		const template = widths.map((width) => `minmax(${width}em, ${width}fr)`);
		style.setProperty('--columns', [`${NUMBER_WIDTH}em`, ...template].join(' '));
		style.setProperty('--width', `${end}em`);
	}

	/** The start of a column, in em. */
	start(column: number) {
		return this.ends[column - 1] ?? 0;
	}

	isDrawn(column: number) {
		return column >= this.range[0] && column < this.range[1];
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
