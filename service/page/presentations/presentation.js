import { addBoard, BrokenBoard, changeBoard } from './boards';
import { Calendar } from './calendar';
import { changeColumn } from '../structure/columns';
import { $, button, counted, h, say, told } from '../elements/dom';
import { Board } from './kanban';
import { clearCells } from '../rows/bulk';
import { paste } from '../rows/writing';
import { Table } from './table';

const place = (text) => {
	if ($('position').textContent !== text) $('position').textContent = text;
};

const makeTable = (view) =>
	new Table($('table'), {
		load: (pageIndex, pageSize) => view.load({ pageIndex, pageSize }),
		save: (row, field, read) => view.save(row, field, read),
		open: told((row) => row && view.open(row)),
		paste: told((text, row, column) => paste(view, text, { row, column })),
		clear: told(() => clearCells(view)),
		sort: (field, isAdded) => view.sort(field, isAdded),
		menu: told((field) => changeColumn(view, field, () => view.describe())),
		move: told((id, to) => view.move(id, to)),
		seen: (from, to, total, selected) =>
			place(total === 0 ? 'No rows' : `Rows ${from.toLocaleString()}–${to.toLocaleString()} of ${total.toLocaleString()}${selected ? `, selected: ${counted(selected[0], 'row')}, ${counted(selected[1], 'column')}` : ''}`),
		fail: say,
	}); // prettier-ignore

const makeCards = (view, { type, column }) =>
	new (type === 'kanban' ? Board : Calendar)($('table'), {
		column,
		load: (within, query) => view.load(query, within),
		move: told((row, field, read) => view.save(row, field, read)),
		open: told((row) => view.open(row)),
		seen: place,
		fail: say,
	});

/** Shows a board again after it was changed. */
const again = (view) => async (name) => {
	if (await view.read()) await view.show(view.boards.find((one) => one.name === name));
};

function makeBroken(view, board) {
	place('');
	const repair = board.sview._links.update && (() => changeBoard(board, view.fields, again(view)));
	return new BrokenBoard($('table'), board, repair);
}

const makeBoard = (view, board) => (board.column ? makeCards(view, board) : makeBroken(view, board));

/** Shows the rows as a board or calendar, or as a table. */
export function present(view, board) {
	const isSame = view.table && !board && !view.board;
	view.board = board;
	if (!isSame) view.table = board ? makeBoard(view, board) : makeTable(view);
	view.showColumns();
}

/** Controls that choose, add and edit presentations. */
export function presentationButtons(view) {
	const { grid, boards, board } = view;
	const choice = h(
		'select',
		{
			'aria-label': 'Show rows as',
			onchange: told(() => view.show(boards[choice.selectedIndex - 1] ?? null)),
		},
		h('option', { textContent: 'Table' }),
		...boards.map((one) => h('option', { textContent: one.name, selected: one === board })),
	);
	return [
		boards.length > 0 ? choice : undefined,
		board?.sview._links.update && button(board.type === 'kanban' ? 'Edit board' : 'Edit calendar', () => changeBoard(board, view.fields, again(view))),
		grid._links.addSview && button('Add board or calendar', told(() => addBoard(grid, view.fields, again(view)))),
	]; // prettier-ignore
}
