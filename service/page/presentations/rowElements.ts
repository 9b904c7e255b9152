import { isNumber, textOf } from '../values/cells';
import { linkNodes } from '../values/linkedRows';
import { optionNodes } from '../values/options';
import { h } from '../elements/dom';
import type { Field, Row } from '../session/schemas';
import type { Selection } from './selection';

const MAX_TEXT = 300;
const MAX_TITLE = 1000;
/** Longer texts may be cut off in their cell, so a tooltip shows them in full. */
const SHORT_TEXT = 20;

/** The elements of a drawn row, and what they show. */
interface DrawnRow {
	readonly element: HTMLElement;
	readonly number: HTMLButtonElement;
	readonly cells: HTMLElement[];
	/** The row; undefined until it was read. */
	entity?: Row | undefined;
	/** Whether the next draw fills the cells, even if their values are the same. */
	isForgotten?: boolean;
	column?: number;
	left?: number | undefined;
	right?: number | undefined;
	/** Pixels. */
	top?: number;
}

interface CellState {
	readonly field: Field;
	readonly entity: Row | undefined;
	readonly isAt: boolean;
	readonly isSelected: boolean;
}

/** Sets a property only if it changes, because setting an equal text also causes a layout. */
function set<Name extends 'className' | 'ariaSelected' | 'tabIndex' | 'title'>(
	element: HTMLElement,
	name: Name,
	value: HTMLElement[Name],
) {
	if (element[name] !== value) element[name] = value;
}

/** Keeps equal links: one replaced between press and release of the mouse gets no click. */
function fillNodes(cell: HTMLElement, content: HTMLElement) {
	if (cell.innerHTML !== content.innerHTML) cell.replaceChildren(...content.childNodes);
}

function fillCell(cell: HTMLElement, { field, entity, isAt, isSelected }: CellState) {
	const text = entity ? textOf(field, entity[field.id]) : '…';
	const shown = text.slice(0, MAX_TEXT);
	// In other cells a click on a name selects, as everywhere in the table.
	const links = isAt && entity ? linkNodes(field, entity[field.id]) : undefined;
	const nodes = links ?? (entity && optionNodes(field, entity[field.id]));
	if (nodes) fillNodes(cell, h('div', {}, ...nodes));
	else if (cell.textContent !== shown) cell.textContent = shown;
	set(
		cell,
		'className',
		`cell${isNumber(field) ? ' right' : ''}${entity ? '' : ' coming'}${isAt ? ' at' : ''}`,
	);
	set(cell, 'ariaSelected', isAt || isSelected ? 'true' : null);
	set(cell, 'tabIndex', isAt ? 0 : -1);
	set(cell, 'title', text.length > SHORT_TEXT ? text.slice(0, MAX_TITLE) : '');
}

function makeRow(columns: readonly number[]): DrawnRow {
	const number = h('button', { type: 'button', className: 'number', tabIndex: -1 });
	const cells = columns.map((column) => {
		const cell = h('div', { role: 'gridcell', 'data-column': String(column), 'aria-colindex': String(column + 2) });
		cell.style.gridColumn = String(column + 2);
		return cell;
	});
	const element = h('div', { role: 'row' }, h('div', { role: 'rowheader', className: 'cell', 'aria-colindex': '1' }, number), ...cells);
	return { element, number, cells };
} // prettier-ignore

/**
 * The rows that are drawn. Elements of rows that leave the window are reused for rows that enter
 * it.
 */
export class RowElements {
	private readonly drawn = new Map<number, DrawnRow>();
	private free: DrawnRow[] = [];
	private fields: readonly Field[] = [];
	private columns: readonly number[] = [];

	constructor(private readonly body: HTMLElement) {}

	/** Removes all rows. @param columns numbers of the drawn columns */
	begin(fields: readonly Field[], columns: readonly number[]) {
		this.fields = fields;
		this.columns = columns;
		this.drawn.clear();
		this.free = [];
		this.body.replaceChildren();
	}

	/** Frees the elements of rows outside a range. @param kept number of a row that stays */
	release(from: number, to: number, kept: number | undefined) {
		for (const [index, row] of this.drawn) {
			if ((index >= from && index < to) || index === kept) continue;
			this.drawn.delete(index);
			this.free.push(row);
		}
	}

	/** @param selection of the table @param top pixels */
	show(
		index: number,
		{ entity, selection, top }: { entity: Row | undefined; selection: Selection; top: number },
	) {
		const known = this.drawn.get(index);
		const row = known ?? this.free.pop() ?? makeRow(this.columns);
		this.drawn.set(index, row);
		if (!row.element.isConnected) this.body.append(row.element);
		this.place(row, top);
		const column = selection.at[0] === index ? selection.at[1] : -1;
		const [left, right] = selection.columnsOf(index) ?? [];
		const isSame =
			!row.isForgotten &&
			row.entity === entity &&
			row.column === column &&
			row.left === left &&
			row.right === right;
		if (known && isSame) return;
		Object.assign(row, { entity, column, left, right, isForgotten: false });
		if (!known) this.renumber(row, index);
		row.number.disabled = !entity;
		for (const [offset, cell] of row.cells.entries()) {
			const number = this.columns[offset];
			const field = number === undefined ? undefined : this.fields[number];
			if (number === undefined || !field) continue;
			const isSelected = left !== undefined && right !== undefined && number >= left && number <= right;
			fillCell(cell, { field, entity, isAt: number === column, isSelected });
		}
	}

	/** @param row the elements of one @param top pixels */
	private place(row: DrawnRow, top: number) {
		if (row.top !== top) row.element.style.transform = `translateY(${top}px)`;
		row.top = top;
	}

	/** Moves the elements of a row to another number and position. */
	move(from: number, to: number, top: number) {
		const row = this.drawn.get(from);
		if (!row) return;
		const other = this.drawn.get(to);
		if (other && from !== to) this.free.push(other);
		this.drawn.delete(from);
		this.drawn.set(to, row);
		this.renumber(row, to);
		this.place(row, top);
	}

	private renumber({ element, number }: DrawnRow, index: number) {
		element.className = index % 2 ? 'row odd' : 'row';
		element.setAttribute('aria-rowindex', String(index + 2));
		element.dataset.row = String(index);
		number.textContent = String(index + 1);
		number.setAttribute('aria-label', `Open row ${index + 1}`);
	}

	/** Removes elements that were not reused. */
	trim() {
		for (const { element } of this.free) element.remove();
		this.free = [];
	}

	/** Puts the elements in the order of their rows, for screen readers. */
	order() {
		const rows = [...this.drawn].sort(([one], [other]) => one - other);
		const elements = rows.map(([, { element }]) => element);
		if (elements.every((element, place) => this.body.children[place] === element)) return;
		const { activeElement } = document;
		const focused = this.body.contains(activeElement) ? activeElement : undefined;
		this.body.append(...elements);
		if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
	}

	/** Makes the next draw update a row, even if its values are the same. */
	forget(index: number) {
		const row = this.drawn.get(index);
		if (row) row.isForgotten = true;
	}

	cell(index: number, column: number) {
		return this.drawn.get(index)?.cells[this.columns.indexOf(column)];
	}
}
