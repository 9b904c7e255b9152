import { send } from './api.js';
import { Changes } from './changes.js';
import { addColumn, changeColumn } from './columns.js';
import { exportCsv } from './csv.js';
import { $, button, say, told } from './dom.js';
import { buildFilter, combined } from './filters.js';
import { changeGrid } from './manage.js';
import { addRow, openRow } from './row.js';
import { showLinks } from './sharing.js';
import { Table } from './table.js';

/** Typing rests this long before a search is sent. */
const TYPING_MS = 300;

/** An open grid: its table, its toolbar and its changes. */
export class GridView {
	orders = new Map();
	filter = { conditions: [], isAny: false, search: '' };

	/** @param given `me`, and `changed`, called when a name may have changed */
	constructor(summary, given) {
		this.summary = summary;
		this.given = given;
		this.table = new Table($('table'), {
			load: (pageIndex, pageSize) => this.load(pageIndex, pageSize),
			save: told((row, field, value) => this.save(row, field, value)),
			open: told((row) => row && this.open(row)),
			sort: (field, isAdded) => this.sort(field, isAdded),
			menu: told((field) => changeColumn(this.grid, field, () => this.describe())),
			seen: (from, to, total) => {
				$('position').textContent = total === 0 ? 'No rows' : `Rows ${from.toLocaleString()}–${to.toLocaleString()} of ${total.toLocaleString()}`; // prettier-ignore
			},
			fail: say,
		});
	}

	async start() {
		$('search').value = '';
		await this.describe();
		this.changes = new Changes({
			grid: this.grid,
			fields: this.fields,
			me: this.given.me,
			open: told(({ _links }) => this.open({ _links: { self: _links.entity } })),
			changed: (events) => this.see(events),
		});
	}

	stop() {
		this.changes?.stop();
	}

	clear() {
		for (const id of ['table', 'toolbar', 'changes']) $(id).replaceChildren();
		for (const id of ['title', 'position', 'live']) $(id).textContent = '';
		$('title').textContent = 'Choose a grid';
		$('search').hidden = true;
	}

	/** Reads the grid and its columns, and shows them. */
	async describe() {
		this.grid = await send(this.summary._links.self);
		this.fields = this.grid.fields;
		$('title').textContent = this.grid.name;
		this.showColumns();
		this.showToolbar();
		await this.table.reload();
	}

	showColumns() {
		this.table.columns(this.fields, this.orders, this.grid._links.columnRemove !== undefined);
	}

	showToolbar() {
		const { addEntity, columnAdd, csv, links, update } = this.grid._links;
		const count = this.filter.conditions.length;
		const buttons = [
			addEntity && button('Add row', () => addRow(this.grid, { fields: this.fields, done: () => this.showLast() }), { className: 'main' }),
			button(count > 0 ? `Filter (${count})` : 'Filter', () => this.chooseFilter(), { 'aria-pressed': String(count > 0) }),
			columnAdd && button('Add column', told(() => addColumn(this.grid, () => this.describe()))),
			csv && button('Export CSV', told(() => exportCsv(this.grid))),
			links && button('Public links', told(() => showLinks(this.grid))),
			update && button('Edit grid', () => changeGrid(this.grid, () => this.renamed())),
		]; // prettier-ignore
		$('toolbar').replaceChildren(...buttons.filter(Boolean));
		const search = $('search');
		search.hidden = false;
		search.oninput = () => {
			clearTimeout(this.typing);
			this.typing = setTimeout(() => void this.show({}), TYPING_MS);
		};
	}

	/** Goes to the row that was added: at the end, unless the rows are sorted. */
	async showLast() {
		await this.table.reload(true);
		if (this.orders.size === 0) this.table.select(this.table.total - 1, 0);
	}

	async renamed() {
		await this.given.changed();
		if (document.querySelector(`[data-grid="${CSS.escape(this.grid.id)}"]`)) await this.describe();
	}

	chooseFilter() {
		buildFilter(this.fields, this.filter, (chosen) => this.show(chosen));
	}

	/** Shows the rows of another filter. @throws what the service says against it */
	async show(changed) {
		const next = { ...this.filter, ...changed, search: $('search').value.trim() };
		combined(this.fields, next);
		this.filter = next;
		this.showToolbar();
		say();
		await this.table.reload();
	}

	sort(field, isAdded) {
		const direction = this.orders.get(field.id);
		if (!isAdded && (this.orders.size > 1 || !direction)) this.orders.clear();
		if (direction === 'descending') this.orders.delete(field.id);
		else this.orders.set(field.id, direction && this.orders.has(field.id) ? 'descending' : 'ascending');
		this.showColumns();
		say();
		void this.table.reload();
	}

	async load(pageIndex, pageSize) {
		const filter = combined(this.fields, this.filter);
		const sorting = Object.fromEntries([...this.orders].map(([id, $order]) => [id, { $order }]));
		const query = {
			pageIndex,
			pageSize,
			...(filter ? { filter: JSON.stringify(filter) } : {}),
			...(this.orders.size > 0 ? { sorting: JSON.stringify(sorting) } : {}),
		};
		return send(this.grid._links.entities, { query });
	}

	/** Writes an edited cell; a refusal leaves the old value and says why. */
	async save(row, field, value) {
		this.table.update(await send(row._links.update, { body: { [field.id]: value() } }));
	}

	open(row) {
		const done = async (entity) => {
			if (entity) this.table.update(entity);
			else await this.table.reload(true);
		};
		return openRow(row, { fields: this.fields, me: this.given.me, done });
	}

	/** Shows what others changed. */
	see(events) {
		for (const { entity, entityId } of events) if (entity) this.table.update({ ...entity, _id: entityId });
		if (events.some(({ type }) => type !== 'updated')) void this.table.reload(true);
	}
}
