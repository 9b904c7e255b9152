const sorted = (one, other) => (one < other ? [one, other] : [other, one]);

/**
 * The selected cells of a table: from the cell that has the focus to the opposite corner. Both keep
 * their rows when others add or delete rows above them.
 */
export class Selection {
	/** The cell with the focus: [row, column]. */
	at = [0, 0];
	anchor = [0, 0];
	/** Ids of the rows of both corners, as far as they are known. */
	ids = [];

	/** @param idAt returns the id of a row that was read @param indexOf returns its number, or -1 */
	constructor({ idAt, indexOf }) {
		Object.assign(this, { idAt, indexOf });
	}

	/** @param isExtended whether the opposite corner stays */
	set(at, isExtended = false) {
		this.at = at;
		if (!isExtended) this.anchor = [...at];
		this.ids = [this.at, this.anchor].map(([row]) => this.idAt(row));
	}

	/** Selects only the cell with the focus. */
	collapse() {
		this.set(this.at);
	}

	/** Selects only the cell with the focus, whatever row is there next. */
	forget() {
		this.collapse();
		this.ids = [];
	}

	/** Follows the rows of both corners. @returns by how many rows the focus moved */
	follow() {
		const [before] = this.at;
		for (const [place, corner] of [this.at, this.anchor].entries()) {
			this.ids[place] ??= this.idAt(corner[0]);
			const index = this.ids[place] === undefined ? -1 : this.indexOf(this.ids[place]);
			if (index >= 0) corner[0] = index;
		}
		return this.at[0] - before;
	}

	/** The selected rows and columns, both ends included. */
	get range() {
		const [top, bottom] = sorted(this.at[0], this.anchor[0]);
		const [left, right] = sorted(this.at[1], this.anchor[1]);
		return { top, bottom, left, right };
	}

	get isRange() {
		return this.at[0] !== this.anchor[0] || this.at[1] !== this.anchor[1];
	}

	/** The selected columns of a row, if it has several selected cells or is one of several. */
	columnsOf(row) {
		const { top, bottom, left, right } = this.range;
		return this.isRange && row >= top && row <= bottom ? [left, right] : undefined;
	}
}
