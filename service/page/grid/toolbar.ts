import { addColumn, showRemovedColumns } from '../structure/columns';
import { exportCsv } from '../rows/exportCsv';
import { $, button, menu, shown, told } from '../elements/dom';
import { setTabStop } from '../elements/tabStop';
import type { Row } from '../session/schemas';
import type { Request } from '../session/api';
import type { Orders } from '../presentations/heading';
import type { PresentedGrid } from '../presentations/presentation';
import type { BuiltFilter } from './filters';
import { changeGrid } from '../structure/spacesAndGrids';
import { presentationButtons } from '../presentations/presentation';
import { removeRows } from '../rows/bulk';
import { addRow } from '../rows/row';
import { showLinks } from '../sharing/publicLinks';
import { showConnecting } from './connecting';
import { designForm } from './formDesign';
import { addView, changeView, misfits, saveView } from './views';
import { importRows, undo } from '../rows/writing';

/** An open grid, as far as its toolbar is concerned. */
interface OperatedGrid extends PresentedGrid {
	readonly filter: BuiltFilter;
	readonly orders: Orders;
	showToolbar(): void;
	chooseColumns(): void;
	chooseFilter(): void;
	/** Opens a grid that was just created. */
	openCreated(location: string, isWanted: () => boolean): Promise<void>;
	renamed(): Promise<void>;
	saved(): Promise<void>;
	added(row: Row, isWanted: () => boolean): Promise<void>;
	exported(): NonNullable<Request['query']>;
}

/** Shows the actions for the open grid. */
export function showToolbar(view: OperatedGrid) {
	const toolbar = $('toolbar');
	const open = toolbar.querySelector(':popover-open');
	// An open menu stays: drawn anew, it would close under the pointer.
	if (open) {
		const draw = () => {
			view.showToolbar();
		};
		open.addEventListener('toggle', draw, { once: true });
		return;
	}
	const { grid } = view;
	const { addEntity, addVirtualGrid, columnAdd, csv, links, removedFields, replace, update } = grid._links;
	const count = view.filter.conditions.length;
	const [choice, ...boards] = presentationButtons(view);
	const rare = [
		button('Columns', () => { view.chooseColumns(); }, { 'aria-pressed': String(view.columns.length < view.allFields.length) }),
		columnAdd && button('Add column', told(() => addColumn(grid, () => view.describe()))),
		removedFields && button('Deleted columns', told(() => showRemovedColumns(grid, () => view.describe()))),
		...boards,
		addVirtualGrid && button('Save as view', () => { addView(grid, view, (location, isWanted) => view.openCreated(location, isWanted)); }),
		replace && button('Save view', () => { saveView(grid, view, () => view.saved()); }),
		addEntity && !view.board && button('Delete selected rows', told(() => removeRows(view))),
		addEntity && button('Import rows', () => { importRows(view); }),
		csv && button('Export CSV', () => { exportCsv(grid, view.columns, view.exported()); }),
		button('Connect', () => { showConnecting(grid); }),
		links && button('Public links', told(() => showLinks(grid))),
		update && !replace && button('Form', told(() => designForm(grid))),
		replace
			? button('Edit view', () => { edit(); })
			: update && button('Edit grid', () => { changeGrid(grid, () => view.renamed()); }),
	]; // prettier-ignore
	const edit = () => {
		changeView(grid, view.allFields, () => view.saved());
	};
	const buttons = [
		choice,
		replace && misfits(grid) && button('Repair view', edit, { className: 'main' }),
		addEntity && button('Add row', () => { addRow(grid, { fields: view.fields, done: (row, isWanted) => view.added(row, isWanted) }); }, { className: 'main' }),
		button(count > 0 ? `Filter (${count})` : 'Filter', () => { view.chooseFilter(); }, { 'aria-pressed': String(count > 0) }),
		button('Undo', told(() => undo(view)), { disabled: view.edits.isEmpty, title: view.edits.next }),
		...menu('More', shown(rare)),
	]; // prettier-ignore
	const at = [...toolbar.children].findIndex((one) => one === document.activeElement);
	toolbar.replaceChildren(...shown(buttons));
	setTabStop(toolbar, null);
	if (at >= 0) focusNear(toolbar, at);
}

/** Restores the focus after the buttons were replaced: to the same button, or an earlier one. */
function focusNear(toolbar: HTMLElement, at: number) {
	const free = [...toolbar.querySelectorAll<HTMLElement>(':scope > *')]
		.slice(0, at + 1)
		.filter((one) => !one.matches(':disabled, [popover]'));
	free.at(-1)?.focus();
}
