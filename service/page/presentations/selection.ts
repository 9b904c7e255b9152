/** The place of a cell: number of its row, and of its column. */
export type Place = [row: number, column: number];

/** How a selection finds rows. */
interface Rows {
	/** The id of a row that was read. */
	readonly idAt: (index: number) => string | undefined;
	/** The number of a row, or -1. */
	readonly indexOf: (id: string) => number;
}

const sorted = (one: number, other: number): [number, number] => (one < other ? [one, other] : [other, one]);

/**
 * The selected cells of a table: from the cell that has the focus to the opposite corner. Both keep
 * their rows when others add or delete rows above them.
 */
export class Selection {
	/** The cell with the focus. */
	at: Place = [0, 0];
	private anchor: Place = [0, 0];
	/** Ids of the rows of both corners, as far as they are known. */
	private ids: Array<string | undefined> = [];

	constructor(private readonly rows: Rows) {}

	/** @param isExtended whether the opposite corner stays */
	set(at: Place, isExtended = false) {
		this.at = at;
		if (!isExtended) this.anchor = [...at];
		this.ids = [this.at, this.anchor].map(([row]) => this.rows.idAt(row));
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
			const id = this.ids[place] ?? this.rows.idAt(corner[0]);
			this.ids[place] = id;
			const index = id === undefined ? -1 : this.rows.indexOf(id);
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
	columnsOf(row: number): [number, number] | undefined {
		const { top, bottom, left, right } = this.range;
		return this.isRange && row >= top && row <= bottom ? [left, right] : undefined;
	}
}
