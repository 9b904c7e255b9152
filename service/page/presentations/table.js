import { editCell } from './cellEditor';
import { ColumnWindow } from './columnWindow';
import { isSimple } from '../values/cells';
import { blockOf } from '../values/clipboard';
import { counted, h } from '../elements/dom';
import { heading } from './heading';
import { RowElements } from './rowElements';
import { dragSelect } from './dragSelect';
import { Selection } from './selection';

const ROW_HEIGHT = 36;
const HEADER_HEIGHT = 40;
const PAGE_SIZE = 100;
const MAX_PAGES = 60;
/** Browsers draw nothing below about 17 million pixels, so taller tables scroll proportionally. */
const MAX_HEIGHT = 8_000_000;
/** A page is requested after a pause of this length in scrolling. */
const REST_MS = 60;
const SPARE_ROWS = 4;
/** Minimum interval between updates of the shown position while scrolling. */
const PLACE_MS = 100;

/**
 * A table with any number of rows. Only the visible ones are read and drawn. `given` contains
 * `load(pageIndex, pageSize)`, `save(row, field, read)`, `open(row)`, `paste(text, row, column)`,
 * `copy(data)`, `clear()`, and the callbacks of a heading.
 */
export class Table {
	fields = [];
	total = 0;
	pages = new Map();
	/** Pages before the last reload, which are shown and edited until they are read again. */
	former = new Map();
	selection = new Selection({
		idAt: (index) => this.row(index)?._id,
		indexOf: (id) => this.indexOf(id),
	});
	version = 0;

	constructor(container, given) {
		this.given = given;
		this.header = h('div', { role: 'row', className: 'row head', 'aria-rowindex': '1' });
		this.body = h('div', { role: 'rowgroup', className: 'body' });
		this.root = h(
			'div',
			{ role: 'grid', className: 'grid', tabIndex: 0, 'aria-label': 'Rows', 'aria-multiselectable': 'true' },
			h('div', { role: 'rowgroup', className: 'top' }, this.header),
			this.body,
		);
		container.replaceChildren(this.root);
		this.rows = new RowElements(this.body);
		this.root.addEventListener('scroll', () => this.draw());
		this.root.addEventListener('keydown', (event) => this.key(event));
		this.root.addEventListener('copy', (event) => this.copy(event));
		dragSelect(this);
		this.root.addEventListener('paste', (event) => this.paste(event));
		this.body.addEventListener('click', (event) => this.click(event));
		this.body.addEventListener('dblclick', (event) => this.click(event));
		new ResizeObserver(() => {
			this.measure();
			this.draw();
		}).observe(this.root);
	}

	/** Measured when the size changes, because measuring while scrolling would force a layout. */
	measure() {
		const { clientHeight, clientWidth } = this.root;
		Object.assign(this, { height: clientHeight, width: clientWidth });
		this.em = parseFloat(getComputedStyle(this.root).fontSize);
	}

	/** Shows other columns. @param orders `Map` of field id to direction */
	columns(fields, orders, hasMenu) {
		this.fields = fields;
		this.selection.collapse();
		this.window = new ColumnWindow(fields, this.root.style);
		this.root.setAttribute('aria-colcount', String(fields.length + 1));
		this.measure();
		this.header.replaceChildren(
			h('div', { role: 'columnheader', className: 'cell', textContent: '#' }),
			...fields.map((field) => heading(field, { ...this.given, orders, hasMenu })),
		);
	}

	/** Reads the visible rows again. @param keep whether to keep the scroll position */
	async reload(keep = false) {
		this.version += 1;
		const unread = [...this.former].filter(([page]) => this.pages.has(page));
		this.former = new Map(keep ? [...unread, ...this.rowsByPage()] : []);
		this.pages.clear();
		if (!keep) {
			this.root.scrollTop = 0;
			this.selection.forget();
		}
		await this.read(keep ? Math.floor(this.first() / PAGE_SIZE) + 1 : 1);
	}

	get rowsInSight() {
		return Math.max(1, Math.floor((this.height - HEADER_HEIGHT) / ROW_HEIGHT));
	}

	/** Number of the row at the top, with a fraction. */
	first() {
		const height = this.total * ROW_HEIGHT;
		if (height <= MAX_HEIGHT) return this.root.scrollTop / ROW_HEIGHT;
		const distance = MAX_HEIGHT - this.height + HEADER_HEIGHT;
		return (this.root.scrollTop / distance) * Math.max(0, this.total - this.rowsInSight);
	}

	row(index) {
		const number = Math.floor(index / PAGE_SIZE) + 1;
		const page = this.pages.get(number);
		return (Array.isArray(page) ? page : this.former.get(number))?.[index % PAGE_SIZE];
	}

	/** The pages that were read, each with its number. */
	rowsByPage() {
		return [...this.pages].filter(([, rows]) => Array.isArray(rows));
	}

	/** Number of a row that was read; -1 for others. */
	indexOf(id) {
		for (const [page, rows] of this.rowsByPage()) {
			const index = rows.findIndex((row) => row._id === id);
			if (index >= 0) return (page - 1) * PAGE_SIZE + index;
		}
		return -1;
	}

	/** The selected rows; undefined for those that were not read. */
	selectedRows() {
		const { top, bottom } = this.selection.range;
		const length = Math.max(0, Math.min(bottom, this.total - 1) - top + 1);
		return Array.from({ length }, (_, index) => this.row(top + index));
	}

	get selectedFields() {
		const { left, right } = this.selection.range;
		return this.fields.slice(left, right + 1);
	}

	draw() {
		if (!this.root.isConnected) return;
		const first = this.first();
		const { scrollTop, scrollLeft } = this.root;
		const from = Math.max(0, Math.floor(first) - SPARE_ROWS);
		const to = Math.min(this.total, Math.ceil(first) + this.rowsInSight + SPARE_ROWS);
		const hadFocus = this.body.contains(document.activeElement);
		if (this.window.update(scrollLeft / this.em, this.width / this.em, this.editing !== undefined))
			this.rows.begin(this.fields, this.window.range);
		this.showTotal();
		this.rows.release(from, to, this.editing);
		for (let index = from; index < to; index++) {
			if (index === this.editing) continue;
			const top = Math.round(scrollTop + (index - first) * ROW_HEIGHT);
			this.rows.show(index, { entity: this.row(index), selection: this.selection, top });
		}
		this.rows.trim();
		// The element with the focus may have been reused for another row.
		if (hadFocus && this.editing === undefined) this.focus();
		this.tellPlace(Math.floor(first));
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.rest(), REST_MS);
	}

	/** Focuses the selected cell, or the table if the cell is not drawn. */
	focus() {
		const cell = this.cell(...this.selection.at) ?? this.root;
		if (document.activeElement !== cell) cell.focus({ preventScroll: true });
	}

	showTotal() {
		if (this.shownTotal === this.total) return;
		this.shownTotal = this.total;
		this.body.style.height = `${Math.min(MAX_HEIGHT, this.total * ROW_HEIGHT)}px`;
		this.root.setAttribute('aria-rowcount', String(this.total + 1));
	}

	tellPlace(first, isAtRest = false) {
		const { isRange, range } = this.selection;
		const selected = isRange ? [range.bottom - range.top + 1, range.right - range.left + 1] : undefined;
		const now = performance.now();
		if (!isAtRest && now - this.toldAt < PLACE_MS) return;
		this.toldAt = now;
		const last = Math.min(this.total, first + this.rowsInSight);
		this.given.seen?.(this.total === 0 ? 0 : first + 1, last, this.total, selected);
	}

	/** After scrolling: reads missing rows, and orders the elements for screen readers. */
	rest() {
		if (!this.root.isConnected) return;
		this.tellPlace(Math.floor(this.first()), true);
		if (this.editing === undefined) this.rows.order();
		this.readMissing();
	}

	/** A click on a cell selects it; a double click, or a tap on the selected cell, edits it. */
	click(event) {
		const row = event.target.closest('[data-row]');
		const index = Number(row?.dataset.row);
		if (event.target.closest('.number')) this.given.open(this.row(index));
		const cell = event.target.closest('[data-column]');
		if (!cell || this.isBusy(event)) return;
		const column = Number(cell.dataset.column);
		const { at } = this.selection;
		const isTapped = event.pointerType === 'touch' && at[0] === index && at[1] === column;
		if (event.type === 'dblclick' || (isTapped && document.activeElement === cell)) this.edit(index, column);
		else this.select(index, column, event.shiftKey);
	}

	cell(index, column) {
		return this.rows.cell(index, column);
	}

	/** @param isExtended whether all cells from the opposite corner on are selected */
	select(index, column, isExtended = false) {
		const at = [
			Math.max(0, Math.min(this.total - 1, index)),
			Math.max(0, Math.min(this.fields.length - 1, column)),
		];
		this.selection.set(at, isExtended);
		const first = this.first();
		const step = this.total * ROW_HEIGHT <= MAX_HEIGHT ? ROW_HEIGHT : (MAX_HEIGHT - this.height) / this.total;
		if (at[0] < first) this.root.scrollTop = at[0] * step;
		if (at[0] > first + this.rowsInSight - 1) this.root.scrollTop = (at[0] - this.rowsInSight + 1) * step;
		if (!this.window.isDrawn(at[1])) this.root.scrollLeft = this.window.start(at[1]) * this.em;
		this.draw();
		const cell = this.cell(...at);
		cell?.focus({ preventScroll: true });
		cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
	}

	/** Selects whole rows, or all rows. */
	selectRows(isAll) {
		const { top, bottom } = isAll ? { top: 0, bottom: this.total - 1 } : this.selection.range;
		this.select(top, 0);
		this.select(bottom, this.fields.length - 1, true);
	}

	key(event) {
		if (this.isBusy(event)) return;
		const [row, column] = this.selection.at;
		const isCommand = event.ctrlKey || event.metaKey;
		const moves = {
			ArrowUp: [row - 1, column],
			ArrowDown: [row + 1, column],
			ArrowLeft: [row, column - 1],
			ArrowRight: [row, column + 1],
			PageUp: [row - this.rowsInSight, column],
			PageDown: [row + this.rowsInSight, column],
			Home: event.ctrlKey ? [0, 0] : [row, 0],
			End: event.ctrlKey ? [this.total - 1, this.fields.length - 1] : [row, this.fields.length - 1],
		};
		const move = moves[event.key];
		if (move) this.select(...move, event.shiftKey);
		else if (event.key === 'Enter' || event.key === 'F2') this.edit(row, column);
		else if (event.key === ' ' && event.shiftKey) this.selectRows(false);
		else if (event.key === ' ') this.given.open(this.row(row));
		else if (event.key === 'a' && isCommand) this.selectRows(true);
		else if (event.key === 'Escape') this.select(row, column);
		else if (event.key === 'Delete' || event.key === 'Backspace') this.given.clear();
		else {
			// The editor receives the key itself; "/" is the key of the search.
			const isTyped = event.key.length === 1 && event.key !== '/' && !isCommand && !event.altKey;
			if (isTyped && this.canEdit(row, column)) this.edit(row, column);
			return;
		}
		event.preventDefault();
	}

	canEdit(index, column) {
		return this.row(index)?._links.update !== undefined && isSimple(this.fields[column]);
	}

	/** Edits a cell in place, or the whole row if the column needs more space. */
	edit(index, column) {
		const [entity, field] = [this.row(index), this.fields[column]];
		if (!entity) return;
		if (!this.canEdit(index, column)) {
			this.given.open(entity);
			return;
		}
		this.select(index, column);
		this.editing = index;
		editCell(this.cell(index, column), {
			field,
			value: entity[field.id],
			save: (read) => this.given.save(entity, field, read),
			end: (step) => {
				const row = this.editing;
				this.editing = undefined;
				this.rows.forget(row);
				this.draw();
				if (step !== undefined) this.select(row, column + step);
			},
		});
	}

	/** Copies the selected cells as tab-separated text. */
	copy(event) {
		if (this.isBusy(event) || this.total === 0 || String(getSelection()) !== '') return;
		event.preventDefault();
		const rows = this.selectedRows();
		const missing = rows.filter((row) => !row).length;
		if (missing > 0) {
			const reason = `${counted(missing, 'row')} of the selection not read yet`;
			this.given.fail(new Error(`Nothing was copied: ${reason}. Scroll over them, or use “Export CSV”`));
			return;
		}
		event.clipboardData.setData('text/plain', blockOf(rows, this.selectedFields));
	}

	paste(event) {
		if (this.isBusy(event)) return;
		event.preventDefault();
		const { top, left } = this.selection.range;
		this.given.paste(event.clipboardData.getData('text/plain'), top, left);
	}

	/** Whether an event belongs to an input or a button within the table. */
	isBusy(event) {
		return this.editing !== undefined || event.target.closest?.('button, input, select, textarea') !== null;
	}

	/** Replaces a row with its changed version. */
	update(entity) {
		for (const page of [...this.rowsByPage().map(([, rows]) => rows), ...this.former.values()]) {
			const index = page.findIndex((row) => row._id === entity._id);
			if (index >= 0) page[index] = { ...page[index], ...entity, _links: page[index]._links };
		}
		this.draw();
	}

	/** Keeps selection and editor on their rows. */
	follow() {
		const step = this.selection.follow();
		if (this.editing === undefined || step === 0) return;
		const to = this.editing + step;
		this.rows.move(this.editing, to, Math.round(this.root.scrollTop + (to - this.first()) * ROW_HEIGHT));
		this.editing = to;
	}

	readMissing() {
		const first = this.first();
		const last = Math.min(this.total, first + this.rowsInSight) - 1;
		for (let page = Math.floor(first / PAGE_SIZE) + 1; page <= Math.floor(last / PAGE_SIZE) + 1; page++)
			if (!this.pages.has(page)) void this.read(page);
	}

	async read(page) {
		const { version } = this;
		this.pages.set(page, 'coming');
		try {
			const { items, numberOfItems } = await this.given.load(page, PAGE_SIZE);
			if (version !== this.version) return;
			this.pages.delete(page);
			this.former.delete(page);
			this.pages.set(page, items);
			if (this.pages.size > MAX_PAGES) this.pages.delete(this.pages.keys().next().value);
			this.total = numberOfItems;
			this.follow();
			this.draw();
		} catch (error) {
			if (version !== this.version || !this.root.isConnected) return;
			this.pages.delete(page);
			this.given.fail(error);
		}
	}
}
