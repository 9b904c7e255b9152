import type { Edits } from './edits';
import type { Field, Grid, Row } from '../session/schemas';

/** A table, board or calendar, as far as those who write rows use it. */
export interface Presentation {
	columns(
		fields: readonly Field[],
		orders: ReadonlyMap<string, 'ascending' | 'descending'>,
		hasMenu: boolean,
	): void;
	/** Shows changed values of a row. */
	update(row: { readonly _id: string; readonly [id: string]: unknown }): void;
	draw(): void;
	/** @param keep whether to keep the scroll position */
	reload(keep?: boolean): Promise<void>;
}

/** A table with selected cells. */
export interface SelectableTable extends Presentation {
	readonly total: number;
	readonly selection: {
		readonly range: Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>;
		collapse(): void;
	};
	readonly selectedFields: readonly Field[];
	/** The selected rows; undefined for those that were not read. */
	selectedRows(): ReadonlyArray<Row | undefined>;
	select(row: number, column: number): void;
}

/** An open grid, as far as those who write its rows use it. */
export interface OpenGrid {
	readonly grid: Grid;
	readonly fields: readonly Field[];
	readonly allFields: readonly Field[];
	/** The columns shown, in their order. */
	readonly columns: readonly Field[];
	readonly edits: Edits;
	readonly shown: Presentation;
	/** The table, unless a board is shown. */
	readonly table: SelectableTable | undefined;
	describe(): Promise<void>;
	/** Reads shown rows by their numbers. */
	entities(from: number, to: number): Promise<Row[]>;
	/** A row of a view at its address in the grid. */
	inGrid(row: Row): Row;
}
