import { editCell } from './cellEditor.js';
import { isNumber, isSimple, textOf } from '../values/cells.js';
import { plainText } from '../values/clipboard.js';
import { h } from '../elements/dom.js';
import { heading } from './heading.js';

const ROW_HEIGHT = 36;
const HEADER_HEIGHT = 40;
const PAGE_SIZE = 100;
const MAX_PAGES = 60;
/** Browsers draw nothing below some 17 million pixels: beyond this, scrolling is scaled. */
const MAX_HEIGHT = 8_000_000;
/** A page is asked for once scrolling rests this long. */
const REST_MS = 60;
const SPARE_ROWS = 4;
/** Widths of columns, in the size of the text. */
const NUMBER_WIDTH = 5;
const widthOf = ({ name, type }) =>
	Math.max(
		Math.min(16, name.length * 0.7 + 4),
		['string', 'richText', 'email', 'uri'].includes(type.name) ? 13 : 8.5,
	);

/**
 * A table of any number of rows, of which only those in sight are read and drawn. Given are
 * `load(pageIndex, pageSize)`, `save(row, field, read)`, `open(row)`, `paste(text, row, column)`,
 * and what a heading asks for.
 */
export class Table {
	fields = [];
	total = 0;
	pages = new Map();
	/** The selected cell: [row, column]; row -1 is the header. */
	at = [0, 0];
	version = 0;

	constructor(container, given) {
		this.given = given;
		this.header = h('div', { role: 'row', className: 'row head', 'aria-rowindex': '1' });
		this.body = h('div', { role: 'rowgroup', className: 'body' });
		this.root = h(
			'div',
			{ role: 'grid', className: 'grid', tabIndex: 0, 'aria-label': 'Rows' },
			h('div', { role: 'rowgroup', className: 'top' }, this.header),
			this.body,
		);
		container.replaceChildren(this.root);
		this.root.addEventListener('scroll', () => this.draw());
		this.root.addEventListener('keydown', (event) => this.key(event));
		this.root.addEventListener('copy', (event) => this.copy(event));
		this.root.addEventListener('paste', (event) => this.paste(event));
		new ResizeObserver(() => this.draw()).observe(this.root);
	}

	/** Shows other columns. @param orders `Map` of field id to direction */
	columns(fields, orders, hasMenu) {
		this.fields = fields;
		const widths = fields.map(widthOf);
		const [first, ...others] = [NUMBER_WIDTH, ...widths].map((width, n) =>
			n === 0 ? `${width}em` : `minmax(${width}em, ${width}fr)`,
		);
		this.root.style.setProperty('--columns', [first, ...others].join(' '));
		this.root.style.setProperty('--width', `${[NUMBER_WIDTH, ...widths].reduce((sum, one) => sum + one)}em`);
		this.root.setAttribute('aria-colcount', String(fields.length + 1));
		this.header.replaceChildren(
			h('div', { role: 'columnheader', className: 'cell', textContent: '#' }),
			...fields.map((field) => heading(field, { ...this.given, orders, hasMenu })),
		);
	}

	/** Reads anew what is in sight. @param keep whether the place in the table stays */
	async reload(keep = false) {
		this.version += 1;
		this.pages.clear();
		if (!keep) this.root.scrollTop = 0;
		await this.read(keep ? Math.floor(this.first() / PAGE_SIZE) + 1 : 1);
	}

	get rowsInSight() {
		return Math.max(1, Math.floor((this.root.clientHeight - HEADER_HEIGHT) / ROW_HEIGHT));
	}

	/** Number of the row at the top, with a fraction. */
	first() {
		const height = this.total * ROW_HEIGHT;
		if (height <= MAX_HEIGHT) return this.root.scrollTop / ROW_HEIGHT;
		const way = MAX_HEIGHT - this.root.clientHeight + HEADER_HEIGHT;
		return (this.root.scrollTop / way) * Math.max(0, this.total - this.rowsInSight);
	}

	row(index) {
		const page = this.pages.get(Math.floor(index / PAGE_SIZE) + 1);
		return Array.isArray(page) ? page[index % PAGE_SIZE] : undefined;
	}

	/** Rows that were read, to be looked through. */
	known() {
		return [...this.pages.values()].filter(Array.isArray).flat();
	}

	draw() {
		const first = this.first();
		const from = Math.max(0, Math.floor(first) - SPARE_ROWS);
		const to = Math.min(this.total, Math.ceil(first) + this.rowsInSight + SPARE_ROWS);
		this.body.style.height = `${Math.min(MAX_HEIGHT, this.total * ROW_HEIGHT)}px`;
		this.root.setAttribute('aria-rowcount', String(this.total + 1));
		if (this.editing) return;
		const rows = [];
		for (let index = from; index < to; index++) {
			const row = this.drawRow(index);
			row.style.transform = `translateY(${Math.round(this.root.scrollTop + (index - first) * ROW_HEIGHT)}px)`;
			rows.push(row);
		}
		const hadFocus = this.body.contains(document.activeElement);
		this.body.replaceChildren(...rows);
		if (hadFocus) this.cell(...this.at)?.focus({ preventScroll: true });
		this.given.seen?.(
			this.total === 0 ? 0 : Math.floor(first) + 1,
			Math.min(this.total, Math.floor(first) + this.rowsInSight),
			this.total,
		);
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.readMissing(), REST_MS);
	}

	drawRow(index) {
		const entity = this.row(index);
		const number = h('button', {
			type: 'button',
			className: 'number',
			textContent: String(index + 1),
			'aria-label': `Open row ${index + 1}`,
			tabIndex: -1,
			disabled: !entity,
			onclick: () => this.given.open(entity),
		});
		const cells = this.fields.map((field, column) => this.drawCell(index, column, field, entity));
		return h(
			'div',
			{
				role: 'row',
				className: index % 2 ? 'row odd' : 'row',
				'aria-rowindex': String(index + 2),
				'data-row': String(index),
			},
			h('div', { role: 'rowheader', className: 'cell' }, number),
			...cells,
		);
	}

	drawCell(index, column, field, entity) {
		const text = entity ? textOf(field, entity[field.id]) : '…';
		const isAt = this.at[0] === index && this.at[1] === column;
		const cell = h('div', {
			role: 'gridcell',
			className: `cell${isNumber(field) ? ' right' : ''}${entity ? '' : ' coming'}${isAt ? ' at' : ''}`,
			textContent: text.slice(0, 300),
			tabIndex: isAt ? 0 : -1,
			'data-column': String(column),
			onclick: () => this.select(index, column),
			ondblclick: () => this.edit(index, column),
		});
		if (text.length > 20) cell.title = text.slice(0, 1000);
		return cell;
	}

	cell(index, column) {
		return this.body.querySelector(`[data-row="${index}"] [data-column="${column}"]`);
	}

	select(index, column) {
		this.at = [
			Math.max(0, Math.min(this.total - 1, index)),
			Math.max(0, Math.min(this.fields.length - 1, column)),
		];
		const first = this.first();
		const step =
			this.total * ROW_HEIGHT <= MAX_HEIGHT ? ROW_HEIGHT : (MAX_HEIGHT - this.root.clientHeight) / this.total;
		if (this.at[0] < first) this.root.scrollTop = this.at[0] * step;
		if (this.at[0] > first + this.rowsInSight - 1)
			this.root.scrollTop = (this.at[0] - this.rowsInSight + 1) * step;
		this.draw();
		const cell = this.cell(...this.at);
		cell?.focus({ preventScroll: true });
		cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
	}

	key(event) {
		if (this.isBusy(event)) return;
		const [row, column] = this.at;
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
		if (move) this.select(...move);
		else if (event.key === 'Enter' || event.key === 'F2') this.edit(row, column);
		else if (event.key === ' ') this.given.open(this.row(row));
		else return;
		event.preventDefault();
	}

	/** Edits a cell in its place, or the whole row where a column needs more room. */
	edit(index, column) {
		const [entity, field] = [this.row(index), this.fields[column]];
		if (!entity) return;
		if (!entity._links.update || !isSimple(field)) {
			this.given.open(entity);
			return;
		}
		this.editing = true;
		editCell(this.cell(index, column), {
			field,
			value: entity[field.id],
			save: (read) => this.given.save(entity, field, read),
			end: (step) => {
				this.editing = false;
				this.draw();
				if (step !== undefined) this.select(index, column + step);
			},
		});
	}

	/** The text of the selected cell goes to the clipboard. */
	copy(event) {
		const [row, column] = this.at;
		const [entity, field] = [this.row(row), this.fields[column]];
		if (this.isBusy(event) || !entity || String(getSelection()) !== '') return;
		event.preventDefault();
		event.clipboardData.setData('text/plain', plainText(entity[field.id]));
	}

	paste(event) {
		if (this.isBusy(event)) return;
		event.preventDefault();
		this.given.paste(event.clipboardData.getData('text/plain'), ...this.at);
	}

	/** Whether an event belongs to an input or a button within the table. */
	isBusy(event) {
		return this.editing || event.target.closest?.('button, input, select, textarea') !== null;
	}

	/** Puts a row that changed in place of the one that was read. */
	update(entity) {
		for (const page of this.pages.values()) {
			const index = Array.isArray(page) ? page.findIndex((row) => row._id === entity._id) : -1;
			if (index >= 0) page[index] = { ...page[index], ...entity, _links: page[index]._links };
		}
		this.draw();
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
			this.pages.set(page, items);
			if (this.pages.size > MAX_PAGES) this.pages.delete(this.pages.keys().next().value);
			this.total = numberOfItems;
			this.draw();
		} catch (error) {
			if (version !== this.version) return;
			this.pages.delete(page);
			this.given.fail(error);
		}
	}
}
