import type { Edits } from '../rows/edits';
import type { PastedText } from '../rows/filling';
import type { OpenGrid } from '../rows/openGrid';
import type { Field, Row } from '../session/schemas';
import { addBoard, BrokenBoard, changeBoard, type PossibleBoard } from './boards';
import type { RowPage } from './cards';
import { Calendar } from './calendar';
import { changeColumn } from '../structure/columns';
import { $, button, h, say, told } from '../elements/dom';
import { Board } from './kanban';
import { clearCells } from '../rows/bulk';
import { fillDown, paste } from '../rows/writing';
import { Table } from './table';

/** An open grid, as far as its rows are shown. */
export interface PresentedGrid extends OpenGrid {
	readonly base: OpenGrid['grid'] | undefined;
	readonly me: string;
	readonly edits: Edits;
	readonly boards: readonly PossibleBoard[];
	/** The board that is shown; undefined for the table. */
	readonly board: PossibleBoard | undefined;
	/** @param within a further condition */
	load(query: Readonly<Record<string, string | number>>, within?: object): Promise<RowPage>;
	save(row: Row, field: Field, read: () => unknown): Promise<void>;
	open(row: Row): Promise<void>;
	sort(field: Field, isAdded: boolean): void;
	/** Moves a column to that of an id, or by a number of positions. */
	move(id: string, to: string | number): Promise<void>;
	read(): Promise<boolean>;
	/** Says what to do next. @param total number of the rows that are shown */
	guide(total: number): void;
	show(board?: PossibleBoard): Promise<void>;
	showTable(): Promise<void>;
}

const place = (text: string) => {
	if ($('position').textContent !== text) $('position').textContent = text;
};

export const makeTable = (view: PresentedGrid) =>
	new Table($('table'), {
		load: (pageIndex, pageSize) => view.load({ pageIndex, pageSize }),
		save: (row, field, read) => view.save(row, field, read),
		open: told((row: Row | undefined) => row && view.open(row)),
		paste: told((pasted: PastedText) => paste(view, pasted)),
		fillDown: told(() => fillDown(view)),
		clear: told(() => clearCells(view)),
		sort: (field, isAdded) => { view.sort(field, isAdded); },
		menu: told((field: Field) => changeColumn(view, field, () => view.describe())),
		move: told((id: string, to: string | number) => view.move(id, to)),
		seen: (from, to, total, selected) => {
			view.guide(total);
			place(total === 0 ? 'No rows' : `Rows ${from.toLocaleString()}–${to.toLocaleString()} of ${total.toLocaleString()}${selected && `, selected: ${selected}`}`);
		},
		fail: say,
	}); // prettier-ignore

const makeCards = (view: PresentedGrid, type: string, column: Field) =>
	new (type === 'kanban' ? Board : Calendar)($('table'), {
		column,
		load: (within, query) => view.load(query, within),
		move: told((row: Row, field: Field, read: () => unknown) => view.save(row, field, read)),
		open: told((row: Row) => view.open(row)),
		seen: place,
		fail: say,
	});

/** Shows a board again after it was changed. */
const again = (view: PresentedGrid) => async (name?: string) => {
	if (await view.read()) await view.show(view.boards.find((one) => one.name === name));
};

function makeBroken(view: PresentedGrid, board: PossibleBoard) {
	place('');
	const repair = () => {
		changeBoard(board, view.fields, again(view));
	};
	return new BrokenBoard($('table'), board, board.sview._links.update && repair);
}

/** Shows the rows as a board or calendar. */
export const makeBoard = (view: PresentedGrid, board: PossibleBoard) =>
	board.column ? makeCards(view, board.type, board.column) : makeBroken(view, board);

/** Controls that choose, add and edit presentations. */
export function presentationButtons(view: PresentedGrid) {
	const { grid, boards, board } = view;
	const choice: HTMLSelectElement = h(
		'select',
		{
			'aria-label': 'Show rows as',
			onchange: told(() => {
				const chosen = boards[choice.selectedIndex - 1];
				return chosen ? view.show(chosen) : view.showTable();
			}),
		},
		h('option', { textContent: 'Table' }),
		...boards.map((one) => h('option', { textContent: one.name, selected: one === board })),
	);
	return [
		boards.length > 0 ? choice : undefined,
		board?.sview._links.update && button(board.type === 'kanban' ? 'Edit board' : 'Edit calendar', () => { changeBoard(board, view.fields, again(view)); }),
		grid._links.addSview && button('Add board or calendar', told(() => { addBoard(grid, view.fields, again(view)); })),
	]; // prettier-ignore
}
