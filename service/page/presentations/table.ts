import { editCell, type Step } from './cellEditor';
import { keepWidth, makeResizable } from './columnWidths';
import { ColumnWindow } from './columnWindow';
import { isSimple } from '../values/cells';
import { blockOf, namedBlockOf } from '../values/clipboard';
import { counted, elementOf, h } from '../elements/dom';
import type { PastedText } from '../rows/filling';
import type { SelectableTable } from '../rows/openGrid';
import type { Field, Row } from '../session/schemas';
import { focusHeading, heading, moveInHeading, type HeadingActions, type Orders } from './heading';
import { RowElements } from './rowElements';
import { dragSelect } from './dragSelect';
import { Selection, type Place } from './selection';
import { totals } from './totals';

const ROW_HEIGHT = 36;
const HEADER_HEIGHT = 40;
const PAGE_SIZE = 100;
const MAX_PAGES = 60;
/** Browsers draw nothing below about 17 million pixels, so taller tables scroll proportionally. */
const MAX_HEIGHT = 8_000_000;
/** A page is requested after a pause of this length in scrolling. */
const REST_MS = 60;
const SPARE_ROWS = 4;
/** Cells that were copied from a table of this page. */
const OWN_CELLS = 'application/x-cells';
/** Minimum interval between updates of the shown position while scrolling. */
const PLACE_MS = 100;

interface TableActions extends HeadingActions {
	readonly load: (pageIndex: number, pageSize: number) => Promise<{ items: Row[]; numberOfItems: number }>;
	readonly save: (row: Row, field: Field, read: () => unknown) => Promise<void>;
	readonly open: (row: Row | undefined) => unknown;
	readonly paste: (pasted: PastedText) => unknown;
	readonly fillDown: () => unknown;
	readonly clear: () => unknown;
	/** Tells which rows are in sight, and what is selected, if more than a cell. */
	readonly seen: (from: number, to: number, total: number, selected: string) => void;
	readonly fail: (error: unknown) => void;
}

/** A table with any number of rows. Only the visible ones are read and drawn. */
export class Table implements SelectableTable {
	readonly root: HTMLElement;
	readonly body: HTMLElement;
	private readonly header: HTMLElement;
	private readonly rows: RowElements;
	private window: ColumnWindow;
	private fields: readonly Field[] = [];
	total = 0;
	/** The pages by their numbers; undefined for those that are being read. */
	private readonly pages = new Map<number, Row[] | undefined>();
	/** Pages before the last reload, which are shown and edited until they are read again. */
	private former = new Map<number, Row[]>();
	/** Number of the row that is edited. */
	private editing: number | undefined;
	/** The column where Tab began; Enter goes back to it. */
	private entryColumn: number | undefined;
	private height = 0;
	private width = 0;
	/** Pixels of an em. */
	private em = 1;
	private timer: number | undefined;
	private shownTotal: number | undefined;
	/** When the position was shown last. */
	/** What is selected, as a text. */
	private selected = '';
	private toldAt = -Infinity;
	readonly selection = new Selection({
		idAt: (index) => this.row(index)?._id,
		indexOf: (id) => this.indexOf(id),
	});
	private version = 0;

	constructor(
		container: HTMLElement,
		private readonly given: TableActions,
	) {
		this.header = h('div', { role: 'row', className: 'row head', 'aria-rowindex': '1' });
		this.body = h('div', { role: 'rowgroup', className: 'body' });
		this.root = h(
			'div',
			{ role: 'grid', className: 'grid', 'aria-label': 'Rows', 'aria-multiselectable': 'true' },
			h('div', { role: 'rowgroup', className: 'top' }, this.header),
			this.body,
		);
		container.replaceChildren(this.root);
		this.rows = new RowElements(this.body);
		this.window = new ColumnWindow([], this.root);
		this.root.addEventListener('scroll', () => {
			this.draw();
		});
		this.root.addEventListener('keydown', (event) => {
			this.key(event);
		});
		this.root.addEventListener('copy', (event) => {
			this.copy(event);
		});
		dragSelect(this);
		this.root.addEventListener('paste', (event) => {
			this.paste(event);
		});
		this.body.addEventListener('click', (event) => {
			this.click(event);
		});
		this.body.addEventListener('dblclick', (event) => {
			this.click(event);
		});
		new ResizeObserver(() => {
			this.measure();
			this.draw();
		}).observe(this.root);
	}

	/** Measured when the size changes, because measuring while scrolling would force a layout. */
	private measure() {
		const { clientHeight, clientWidth } = this.root;
		Object.assign(this, { height: clientHeight, width: clientWidth });
		this.em = parseFloat(getComputedStyle(this.root).fontSize);
		this.window.freeze(clientWidth / this.em);
	}

	/** Changes the width of a column. @param width in em; undefined for the usual one */
	private resize(field: Field, width: number | undefined) {
		keepWidth(field, width);
		this.window.setWidths(this.fields);
		this.measure();
		this.draw();
	}

	/** Shows other columns. */
	columns(fields: readonly Field[], orders: Orders, hasMenu: boolean) {
		this.fields = fields;
		this.selection.collapse();
		this.window = new ColumnWindow(fields, this.root);
		this.root.setAttribute('aria-colcount', String(fields.length + 1));
		this.measure();
		this.header.replaceChildren(
			h('div', { role: 'columnheader', className: 'cell', textContent: '#' }),
			...fields.map((field) => {
				const cell = heading(field, { ...this.given, orders, hasMenu });
				makeResizable(cell, (width) => {
					this.resize(field, width);
				});
				return cell;
			}),
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

	private get rowsInSight() {
		return Math.max(1, Math.floor((this.height - HEADER_HEIGHT) / ROW_HEIGHT));
	}

	/** Number of the row at the top, with a fraction. */
	private first() {
		const height = this.total * ROW_HEIGHT;
		if (height <= MAX_HEIGHT) return this.root.scrollTop / ROW_HEIGHT;
		const distance = MAX_HEIGHT - this.height + HEADER_HEIGHT;
		return (this.root.scrollTop / distance) * Math.max(0, this.total - this.rowsInSight);
	}

	private row(index: number): Row | undefined {
		const number = Math.floor(index / PAGE_SIZE) + 1;
		return (this.pages.get(number) ?? this.former.get(number))?.[index % PAGE_SIZE];
	}

	/** The pages that were read, each with its number. */
	private rowsByPage() {
		return [...this.pages].flatMap(([page, rows]) => (rows ? [[page, rows] as const] : []));
	}

	/** Number of a row that was read; -1 for others. */
	private indexOf(id: string) {
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
		this.window.scrollTo(scrollLeft);
		if (this.window.update(scrollLeft / this.em, this.width / this.em, this.editing !== undefined))
			this.rows.begin(this.fields, this.window.columns);
		this.showTotal();
		this.rows.release(from, to, this.editing);
		for (let index = from; index < to; index++) {
			if (index === this.editing) continue;
			const top = Math.round(scrollTop + (index - first) * ROW_HEIGHT);
			this.rows.show(index, { entity: this.row(index), selection: this.selection, top });
		}
		this.rows.trim();
		this.setTabStop();
		// The element with the focus may have been reused for another row.
		if (hadFocus && this.editing === undefined) this.focus();
		this.tellPlace(Math.floor(first));
		clearTimeout(this.timer);
		this.timer = setTimeout(() => {
			this.rest();
		}, REST_MS);
	}

	/** One tab stop: the selected cell, or the table itself if the cell is not drawn. */
	private setTabStop() {
		const stop = this.cell(...this.selection.at) ? -1 : 0;
		if (this.root.tabIndex !== stop) this.root.tabIndex = stop;
	}

	/** Focuses the selected cell, or the table if the cell is not drawn. */
	private focus() {
		const cell = this.cell(...this.selection.at) ?? this.root;
		if (document.activeElement !== cell) cell.focus({ preventScroll: true });
	}

	private showTotal() {
		if (this.shownTotal === this.total) return;
		this.shownTotal = this.total;
		this.body.style.height = `${Math.min(MAX_HEIGHT, this.total * ROW_HEIGHT)}px`;
		this.root.setAttribute('aria-rowcount', String(this.total + 1));
	}

	private tellPlace(first: number, isAtRest = false) {
		const now = performance.now();
		if (!isAtRest && now - this.toldAt < PLACE_MS) return;
		this.toldAt = now;
		// Reads the whole selection, which would take long while scrolling.
		if (isAtRest)
			this.selected = this.selection.isRange ? totals(this.selectedRows(), this.selectedFields) : '';
		const last = Math.min(this.total, first + this.rowsInSight);
		this.given.seen(this.total === 0 ? 0 : first + 1, last, this.total, this.selected);
	}

	/** After scrolling: reads missing rows, and orders the elements for screen readers. */
	private rest() {
		if (!this.root.isConnected) return;
		this.tellPlace(Math.floor(this.first()), true);
		if (this.editing === undefined) this.rows.order();
		this.readMissing();
	}

	/**
	 * A click on a cell selects it; a double click, or a tap on the selected cell, edits it. Names in
	 * the selected cell open their rows.
	 */
	private click(event: MouseEvent) {
		const target = elementOf(event.target);
		if (target?.closest('a') && event.detail < 2) return;
		const index = Number(target?.closest<HTMLElement>('[data-row]')?.dataset.row);
		if (target?.closest('.number')) this.given.open(this.row(index));
		const cell = target?.closest<HTMLElement>('[data-column]');
		if (!cell || this.isBusy(event)) return;
		const column = Number(cell.dataset.column);
		const { at } = this.selection;
		const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
		const isTapped = isTouch && at[0] === index && at[1] === column;
		if (event.type === 'dblclick' || (isTapped && document.activeElement === cell)) this.edit(index, column);
		else this.select(index, column, event.shiftKey);
	}

	private cell(index: number, column: number) {
		return this.rows.cell(index, column);
	}

	/** @param isExtended whether all cells from the opposite corner on are selected */
	select(index: number, column: number, isExtended = false) {
		const at: Place = [
			Math.max(0, Math.min(this.total - 1, index)),
			Math.max(0, Math.min(this.fields.length - 1, column)),
		];
		this.selection.set(at, isExtended);
		this.entryColumn = undefined;
		const first = this.first();
		const step = this.total * ROW_HEIGHT <= MAX_HEIGHT ? ROW_HEIGHT : (MAX_HEIGHT - this.height) / this.total;
		if (at[0] < first) this.root.scrollTop = at[0] * step;
		if (at[0] > first + this.rowsInSight - 1) this.root.scrollTop = (at[0] - this.rowsInSight + 1) * step;
		if (at[1] === 0) this.root.scrollLeft = 0;
		if (!this.window.isDrawn(at[1])) this.root.scrollLeft = this.window.start(at[1]) * this.em;
		this.draw();
		const cell = this.cell(...at);
		cell?.focus({ preventScroll: true });
		cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
	}

	/** Selects whole rows, or all rows. */
	private selectRows(isAll: boolean) {
		const { top, bottom } = isAll ? { top: 0, bottom: this.total - 1 } : this.selection.range;
		this.select(top, 0);
		this.select(bottom, this.fields.length - 1, true);
	}

	/** Moves the selection as in a form: Tab along the row, Enter to the start of the next one. */
	private advance(row: number, column: number, [down, right]: Step) {
		const start = this.entryColumn ?? column;
		this.select(row + down, down === 0 ? column + right : start);
		if (right !== 0) this.entryColumn = start;
	}

	/** Tab leaves the table at either end of a row. */
	private tab(event: KeyboardEvent) {
		const [row, column] = this.selection.at;
		const step = event.shiftKey ? -1 : 1;
		if (this.total === 0 || this.fields[column + step] === undefined) return;
		event.preventDefault();
		this.advance(row, column, [0, step]);
	}

	private key(event: KeyboardEvent) {
		if (elementOf(event.target)?.closest('.head')) moveInHeading(event, this.header, (column) => { this.select(this.selection.at[0], column); }); // prettier-ignore
		if (this.isBusy(event)) return;
		if (event.key === 'Tab') {
			this.tab(event);
			return;
		}
		const [row, column] = this.selection.at;
		const isCommand = event.ctrlKey || event.metaKey;
		const moves = new Map(
			Object.entries<Place>({
				ArrowUp: [row - 1, column],
				ArrowDown: [row + 1, column],
				ArrowLeft: [row, column - 1],
				ArrowRight: [row, column + 1],
				PageUp: [row - this.rowsInSight, column],
				PageDown: [row + this.rowsInSight, column],
				Home: event.ctrlKey ? [0, 0] : [row, 0],
				End: event.ctrlKey ? [this.total - 1, this.fields.length - 1] : [row, this.fields.length - 1],
			}),
		);
		const move = moves.get(event.key);
		if (event.key === 'ArrowUp' && row === 0 && !event.shiftKey) focusHeading(this.header, column);
		else if (move) this.select(...move, event.shiftKey);
		else if (event.key === 'Enter' || event.key === 'F2') this.edit(row, column);
		else if (event.key === ' ' && event.shiftKey) this.selectRows(false);
		else if (event.key === ' ') this.given.open(this.row(row));
		else if (event.key === 'a' && isCommand) this.selectRows(true);
		else if (event.key === 'd' && isCommand) this.given.fillDown();
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

	private canEdit(index: number, column: number) {
		const field = this.fields[column];
		return this.row(index)?._links.update !== undefined && field !== undefined && isSimple(field);
	}

	/** Edits a cell in place, or the whole row if the column needs more space. */
	private edit(index: number, column: number) {
		const [entity, field] = [this.row(index), this.fields[column]];
		if (!entity) return;
		if (!field || !this.canEdit(index, column)) {
			this.given.open(entity);
			return;
		}
		const { entryColumn } = this;
		this.select(index, column);
		this.entryColumn = entryColumn;
		const cell = this.cell(index, column);
		if (!cell) return;
		this.editing = index;
		editCell(cell, {
			field,
			value: entity[field.id],
			save: (read) => this.given.save(entity, field, read),
			end: (step) => {
				const row = this.editing ?? index;
				this.editing = undefined;
				this.rows.forget(row);
				this.draw();
				if (step) this.advance(row, column, step);
			},
		});
	}

	/** Copies the selected cells as tab-separated text. */
	private copy(event: ClipboardEvent) {
		if (this.isBusy(event) || this.total === 0 || String(getSelection()) !== '') return;
		event.preventDefault();
		const selected = this.selectedRows();
		const rows = selected.flatMap((row) => row ?? []);
		const missing = selected.length - rows.length;
		if (missing > 0) {
			const reason = `${counted(missing, 'row')} of the selection not read yet`;
			this.given.fail(new Error(`Nothing was copied: ${reason}. Scroll over them, or use “Export CSV”`));
			return;
		}
		event.clipboardData?.setData('text/plain', namedBlockOf(rows, this.selectedFields));
		event.clipboardData?.setData(OWN_CELLS, blockOf(rows, this.selectedFields));
	}

	private paste(event: ClipboardEvent) {
		if (this.isBusy(event)) return;
		event.preventDefault();
		const [text = '', own = ''] = ['text/plain', OWN_CELLS].map((type) => event.clipboardData?.getData(type));
		this.given.paste({ text, own });
	}

	/** Whether an event belongs to an input or a button within the table. */
	isBusy({ target }: Event) {
		const input = elementOf(target)?.closest('button, input, select, textarea');
		return this.editing !== undefined || input !== null;
	}

	/** Replaces a row with its changed version. */
	update(entity: { readonly _id: string; readonly [id: string]: unknown }) {
		for (const page of [...this.rowsByPage().map(([, rows]) => rows), ...this.former.values()]) {
			const index = page.findIndex((row) => row._id === entity._id);
			const row = page[index];
			if (row) page[index] = { ...row, ...entity, _links: row._links };
		}
		this.draw();
	}

	/** Keeps selection and editor on their rows. */
	private follow() {
		const step = this.selection.follow();
		if (this.editing === undefined || step === 0) return;
		const to = this.editing + step;
		this.rows.move(this.editing, to, Math.round(this.root.scrollTop + (to - this.first()) * ROW_HEIGHT));
		this.editing = to;
	}

	private readMissing() {
		const first = this.first();
		const last = Math.min(this.total, first + this.rowsInSight) - 1;
		for (let page = Math.floor(first / PAGE_SIZE) + 1; page <= Math.floor(last / PAGE_SIZE) + 1; page++)
			if (!this.pages.has(page)) void this.read(page);
	}

	private async read(page: number) {
		const { version } = this;
		this.pages.set(page, undefined);
		try {
			const { items, numberOfItems } = await this.given.load(page, PAGE_SIZE);
			if (version !== this.version) return;
			this.pages.delete(page);
			this.former.delete(page);
			this.pages.set(page, items);
			const [oldest] = this.pages.keys();
			if (oldest !== undefined && this.pages.size > MAX_PAGES) this.pages.delete(oldest);
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
