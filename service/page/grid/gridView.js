import { send } from '../session/api.js';
import { Changes } from '../rows/changes.js';
import { chooseColumns, moved, ordered } from './columnOrder.js';
import { $, counted, say, tell, told } from '../elements/dom.js';
import { Edits, writeCells } from '../rows/edits.js';
import { buildFilter, combined } from './filters.js';
import { confirmPaste, planPaste, tellProblems } from '../rows/paste.js';
import { refresh } from '../presentations/presentation.js';
import { openRow } from '../rows/row.js';
import { showToolbar } from './toolbar.js';

/** Typing rests this long before a search is sent. */
const TYPING_MS = 300;
const MAX_PAGE_SIZE = 1000;

const noFilter = () => ({ conditions: [], isAny: false, search: '' });

/** An open grid: its table, its toolbar and its changes. */
export class GridView {
	orders = new Map();
	filter = noFilter();
	/** The columns shown, in their order. */
	columns = [];

	/**
	 * @param given `me`, `base`, the grid of a view, `changed()`, called when a name may have
	 * changed, and `open(location)`, which opens another grid
	 */
	constructor(summary, given) {
		this.summary = summary;
		this.given = given;
		this.boards = [];
		this.edits = new Edits(() => this.showToolbar());
	}

	async start() {
		$('search').value = '';
		tell('');
		await this.describe();
		this.watchSearch();
		this.changes = new Changes({
			grid: this.grid,
			fields: this.allFields,
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
		for (const id of ['title', 'position', 'live', 'notice']) $(id).textContent = '';
		$('title').textContent = 'Choose a grid';
		$('search').hidden = true;
	}

	/** Reads the grid and its columns, and shows them. */
	async describe() {
		const before = this.grid;
		const shown = this.columns.map(({ id }) => id);
		const hidden = this.allFields?.filter(({ id }) => !shown.includes(id)).map(({ id }) => id) ?? [];
		this.grid = await send(this.summary._links.self);
		this.base = this.given.base && (await send(this.given.base._links.self));
		this.allFields = this.base?.fields ?? this.grid.fields;
		this.fields = ordered(this.allFields, this.grid.fields.map(({ id }) => id)).slice(0, this.grid.fields.length); // prettier-ignore
		if (before)
			this.columns = ordered(this.allFields, shown).filter(
				({ id }) => !hidden.includes(id) && this.isShown(id),
			);
		else this.begin();
		$('title').textContent = this.grid.name;
		await refresh(this);
		this.showToolbar();
		await this.table.reload();
	}

	showToolbar() {
		showToolbar(this);
	}

	/** Shows the columns and the order that the grid or view itself has. */
	begin() {
		this.columns = ordered(this.fields, this.grid.properties.columnOrder);
		this.orders = new Map(Object.entries(this.grid.sorting ?? {}).map(([id, { $order }]) => [id, $order]));
		this.filter = noFilter();
	}

	/** A column that a view hides stays hidden until it is chosen; a new one of a grid is shown. */
	isShown(id) {
		return this.columns.some((field) => field.id === id) || this.fields.some((field) => field.id === id);
	}

	showColumns() {
		this.table.columns(this.columns, this.orders, this.grid._links.columnRemove !== undefined);
	}

	watchSearch() {
		const search = $('search');
		search.hidden = false;
		search.oninput = () => {
			clearTimeout(this.typing);
			this.typing = setTimeout(() => void this.show({}), TYPING_MS);
		};
	}

	/** Goes to the row that was added: at the end, unless the rows are sorted. */
	async added(row) {
		this.edits.add({ made: [row] });
		await this.table.reload(true);
		if (!this.board && this.orders.size === 0) this.table.select(this.table.total - 1, 0);
	}

	async renamed() {
		await this.given.changed();
		if (document.querySelector(`[data-grid="${CSS.escape(this.grid.id)}"]`)) await this.describe();
	}

	/** The view holds now what was shown on top of it. */
	async saved() {
		$('search').value = '';
		this.grid = undefined;
		await this.given.changed();
		if (document.querySelector(`[data-grid="${CSS.escape(this.summary.id)}"]`)) await this.describe();
	}

	chooseFilter() {
		buildFilter(this.allFields, this.filter, (chosen) => this.show(chosen));
	}

	chooseColumns() {
		const shown = new Set(this.columns.map(({ id }) => id));
		const choice = this.grid._links.replace ? this.allFields : this.fields;
		const fields = [...new Set([...this.columns, ...choice])];
		const hint = this.grid._links.replace && 'What the view does not show yet is added to it, for everybody.';
		chooseColumns({ fields, shown, hint }, async (all, chosen) => {
			const isMissing = chosen.some((id) => !this.fields.some((field) => field.id === id));
			this.columns = ordered(this.allFields, chosen).slice(0, chosen.length);
			if (!isMissing) return this.showOrder(all);
			const { name, filter, sorting, _links } = this.grid;
			await send(_links.replace, { body: { name, fields: chosen, filter, sorting } });
			return this.describe();
		});
	}

	/** Moves a column to the place of another, or by a step. */
	async move(id, to) {
		const from = this.columns.findIndex((field) => field.id === id);
		const place = typeof to === 'number' ? from + to : this.columns.findIndex((field) => field.id === to);
		if (from < 0 || place < 0 || place >= this.columns.length || place === from) return;
		this.columns = moved(this.columns, from, place);
		const kept = this.showOrder(this.columns.map((field) => field.id));
		// Before the service has answered: the next key press belongs to this column, too.
		document.querySelector(`.sort[data-field="${CSS.escape(id)}"]`)?.focus();
		await kept;
	}

	/** Shows the columns anew; a grid keeps their order for everybody, a view when it is saved. */
	async showOrder(columnOrder) {
		this.showColumns();
		this.showToolbar();
		this.table.draw();
		const { _links, type, properties } = this.grid;
		if (type === 'virtual' || !_links.update) return;
		this.grid = { ...this.grid, properties: { ...properties, columnOrder } };
		await send(_links.update, { body: { properties: this.grid.properties } });
	}

	/** Shows the rows of another filter. @throws what the service says against it */
	async show(changed) {
		const next = { ...this.filter, ...changed, search: $('search').value.trim() };
		combined(this.allFields, next);
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

	/** Filter and sorting as the service takes them. @param within a further condition */
	cut(within) {
		const own = combined(this.allFields, this.filter);
		const filter = own && within ? { $and: [own, within] } : (own ?? within);
		const sorting = Object.fromEntries([...this.orders].map(([id, $order]) => [id, { $order }]));
		return {
			...(filter ? { filter: JSON.stringify(filter) } : {}),
			...(this.orders.size > 0 ? { sorting: JSON.stringify(sorting) } : {}),
		};
	}

	/** What an export holds: the rows and the columns that are shown. */
	exported() {
		return { ...this.cut(), fields: JSON.stringify(this.columns.map(({ id }) => id)) };
	}

	/** A page of what is shown. @param within a further condition */
	load(query, within) {
		return send(this.grid._links.entities, { query: { ...this.cut(within), ...query } });
	}

	/** Rows of what is shown, by their numbers. */
	async entities(from, to) {
		const rows = [];
		const first = Math.floor(from / MAX_PAGE_SIZE);
		for (let page = first; page * MAX_PAGE_SIZE < to; page++)
			rows.push(...(await this.load({ pageIndex: page + 1, pageSize: MAX_PAGE_SIZE })).items);
		return rows.slice(from - first * MAX_PAGE_SIZE, to - first * MAX_PAGE_SIZE);
	}

	/** Writes an edited cell, unless somebody changed it meanwhile; what is refused is told. */
	async save(row, field, read) {
		const after = read();
		const { self } = row._links;
		const { entity, written, kept } = await writeCells(self, [
			{ field, before: row[field.id] ?? null, after },
		]);
		if (entity) this.table.update(entity);
		this.edits.add({ rows: [{ id: row._id, self, cells: written }] });
		const [{ reason } = {}] = kept;
		if (reason) throw new Error(reason.endsWith('meanwhile') ? `“${field.name}” ${reason}; your value was not written` : reason); // prettier-ignore
	}

	async paste(text, row, column) {
		if (text === '') return;
		const plan = await planPaste({
			text,
			row: Math.max(0, row),
			column,
			fields: this.columns,
			total: this.table.total,
			canAdd: this.grid._links.addEntity !== undefined,
			entities: (from, to) => this.entities(from, to),
		});
		confirmPaste(this.grid, plan, async ({ rows, made, problems }) => {
			this.edits.add({ rows, made });
			const cells = rows.reduce((sum, one) => sum + one.cells.length, 0);
			tell(
				`Pasted: ${counted(cells, 'cell')} changed, ${counted(made.length, 'row')} added, ${counted(problems.length, 'cell')} refused.`,
			);
			await this.table.reload(true);
		});
	}

	async undo() {
		// A row that is added below the address of a view takes no values of columns that it hides.
		const { addEntity } = (this.base ?? this.grid)._links;
		const { cells, rows, restored, stayed } = await this.edits.undo(this.allFields, addEntity);
		const done = [
			cells > 0 && `${counted(cells, 'cell')} changed back`,
			rows > 0 && `${counted(rows, 'row')} taken away`,
			restored > 0 && `${counted(restored, 'deleted row')} added again as ${counted(restored, 'new row')} (the history and the links of a deleted row do not come back)`,
		].filter(Boolean).join(', ');
		tell(done ? `Undone: ${done}.` : 'Nothing was undone.');
		tellProblems('Not everything was undone', stayed);
		await this.table.reload(true);
	} // prettier-ignore

	open(row) {
		const done = async (entity, { cells, removed } = {}) => {
			this.edits.add({ rows: cells ? [{ id: row._id, self: row._links.self, cells }] : [], removed });
			if (entity) this.table.update(entity);
			else await this.table.reload(true);
		};
		return openRow(row, {
			grid: this.grid,
			fields: this.fields,
			allFields: this.allFields,
			me: this.given.me,
			done,
		});
	}

	/** Shows what others changed. */
	see(events) {
		for (const { entity, entityId } of events) if (entity) this.table.update({ ...entity, _id: entityId });
		if (events.some(({ type }) => type !== 'updated')) void this.table.reload(true);
	}
}
