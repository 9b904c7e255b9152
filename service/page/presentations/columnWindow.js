/** Of more columns, only those in sight are drawn, and so many beside them. */
const MAX_COLUMNS = 40;
const SPARE_COLUMNS = 8;
/** Widths of columns, in the size of the text. */
const NUMBER_WIDTH = 5;
const widthOf = ({ name, type }) =>
	Math.max(
		Math.min(16, name.length * 0.7 + 4),
		['string', 'richText', 'email', 'uri'].includes(type.name) ? 13 : 8.5,
	);

/** Where the columns of a table are, and which of them are drawn. */
export class ColumnWindow {
	/** The columns drawn: [first, after the last]. */
	range;

	/** @param style of the table: it is given the widths */
	constructor(fields, style) {
		const widths = fields.map(widthOf);
		let end = NUMBER_WIDTH;
		this.ends = widths.map((width) => (end += width));
		const template = widths.map((width) => `minmax(${width}em, ${width}fr)`);
		style.setProperty('--columns', [`${NUMBER_WIDTH}em`, ...template].join(' '));
		style.setProperty('--width', `${end}em`);
	}

	/** Where a column begins, in the size of the text. */
	start(column) {
		return this.ends[column - 1] ?? 0;
	}

	isDrawn(column) {
		return this.range !== undefined && column >= this.range[0] && column < this.range[1];
	}

	/**
	 * Chooses the columns to be drawn.
	 * @param left the part scrolled away, and `width` the part in sight, in the size of the text
	 * @param isKept whether what is drawn stays
	 * @returns whether they are others than before
	 */
	update(left, width, isKept) {
		const count = this.ends.length;
		if (this.range && (isKept || count <= MAX_COLUMNS)) return false;
		const first = this.ends.findIndex((end) => end > left);
		const after = this.ends.findIndex((end) => end > left + width) + 1 || count;
		if (this.range && first >= this.range[0] && after <= this.range[1]) return false;
		this.range =
			count <= MAX_COLUMNS
				? [0, count]
				: [Math.max(0, first - SPARE_COLUMNS), Math.min(count, after + SPARE_COLUMNS)];
		return true;
	}
}
