import { pageOf, setAddress, spaceOf } from '../session/addresses';
import { send } from '../session/api';
import { changeProperties } from '../session/properties';
import { Changes } from '../rows/changes';
import { chooseColumns, moved, ordered } from './columnOrder';
import { $, say, tell, told } from '../elements/dom';
import { Edits } from '../rows/edits';
import { writeCells } from '../values/writtenCells';
import { buildFilter, combined } from './filters';
import { present } from '../presentations/presentation';
import { boardsOf } from '../presentations/boards';
import { openRow } from '../rows/row';
import { restore } from '../rows/writing';
import { showToolbar } from './toolbar';
import { misfits } from './views';
import { textOf } from '../values/cells';
import { learnPeople } from '../values/people';
import { forgetNames, learnNames, linkedGrid } from '../values/linkedRows';

/** A search is sent after a pause of this length in typing. */
const TYPING_MS = 300;
const MAX_PAGE_SIZE = 1000;

const noFilter = () => ({ conditions: [], isAny: false, search: '' });

/** An open grid: its table, its toolbar and its changes. */
export class GridView {
	orders = new Map();
	filter = noFilter();
	/** The columns shown, in their order. */
	columns = [];
	/** Whether another grid was opened: what still comes in is not shown. */
	isLeft = false;
	reads = 0;

	/**
	 * @param given `me`; `base`: the grid of a view; `changed()`: called when a name may have
	 * changed; `open(location, isWanted)`: opens another grid
	 */
	constructor(summary, given) {
		this.summary = summary;
		this.given = given;
		this.boards = [];
		this.edits = new Edits(() => this.showToolbar());
	}

	/** Shows what was read. */
	async start() {
		$('search').value = '';
		tell('');
		forgetNames();
		this.watchSearch();
		await this.show();
		if (this.isLeft) return;
		this.changes = new Changes({
			grid: this.grid,
			fields: this.allFields,
			me: this.given.me,
			open: told(({ _links }) => this.open({ _links: { self: _links.entity } })),
			restore: told((event) => restore(this, event)),
			know: (events) => this.know(events),
			changed: (events) => void this.see(events),
		});
	}

	stop() {
		this.isLeft = true;
		clearTimeout(this.typing);
		this.changes?.stop();
	}

	clear() {
		for (const id of ['table', 'toolbar', 'changes']) $(id).replaceChildren();
		for (const id of ['title', 'position', 'live', 'notice']) $(id).textContent = '';
		$('title').textContent = 'Choose a grid';
		$('search').hidden = true;
	}

	/**
	 * Reads the grid, its columns and its boards.
	 * @param isAnew whether it is shown as it is stored, without what was chosen on top of it
	 * @returns whether this is still wanted
	 */
	async read(isAnew = !this.grid) {
		this.reads += 1;
		const number = this.reads;
		const grid = await send(this.summary._links.self);
		const base = this.given.base && (await send(this.given.base._links.self));
		const space = spaceOf(grid);
		const allFields = (base?.fields ?? grid.fields).map((field) => ({ ...field, space, linkedGrid: linkedGrid(base ?? grid, field) })); // prettier-ignore
		const fields = ordered(allFields, grid.fields.map(({ id }) => id)).slice(0, grid.fields.length); // prettier-ignore
		const boards = await boardsOf(grid, fields);
		if (fields.some(({ type }) => type.name === 'createdby')) await learnPeople(space);
		if (this.isLeft || number !== this.reads) return false;
		if (this.changes) this.changes.given.fields = allFields;
		const shown = this.columns.map(({ id }) => id);
		const hidden = this.allFields?.filter(({ id }) => !shown.includes(id)).map(({ id }) => id) ?? [];
		Object.assign(this, { grid, base, allFields, fields, boards });
		if (isAnew) this.begin();
		else
			this.columns = ordered(allFields, shown).filter(({ id }) => !hidden.includes(id) && this.isShown(id));
		return true;
	}

	/** Shows the grid with the board that was shown before, if it is still there. */
	async show(board = this.boards.find(({ sview }) => sview.id === this.board?.sview.id)) {
		$('title').textContent = this.grid.name;
		present(this, board);
		this.showToolbar();
		await this.table.reload();
		this.tellMisfits();
	}

	/** Says what of a view no longer fits, until it fits again. */
	tellMisfits() {
		const text = misfits(this.grid);
		if (!this.isLeft && (text ?? this.misfits)) tell(text ?? '');
		this.misfits = text;
	}

	/** Shows columns and a name that others changed, unless something is being edited. */
	async refresh() {
		if (this.isLeft || document.querySelector('dialog, .editor')) return;
		const described = ({ name, fields, filter, properties, problems }) =>
			JSON.stringify([name, fields, filter, properties?.linkedGrids, problems]);
		const now = [await send(this.grid._links.self), this.base && (await send(this.base._links.self))];
		const before = [this.grid, this.base];
		const isSame = now.every((one, index) => !one || described(one) === described(before[index]));
		if (isSame || document.querySelector('dialog, .editor') || !(await this.read())) return;
		$('title').textContent = this.grid.name;
		if (this.board) return this.show();
		this.showColumns();
		this.showToolbar();
		await this.table.reload(true);
		this.tellMisfits();
	}

	/** Reads the columns that changes name, if they are new. */
	async know(events) {
		const ids = new Set(this.allFields.map(({ id }) => id));
		if (events.some(({ changes }) => changes.some(({ fieldId }) => !ids.has(fieldId)))) await this.refresh();
	}

	async describe(isAnew) {
		if (await this.read(isAnew)) await this.show();
	}

	showToolbar() {
		if (!this.isLeft) showToolbar(this);
	}

	/** Shows the columns and sorting of the grid or view itself. */
	begin() {
		this.columns = ordered(this.fields, this.grid.properties.columnOrder);
		this.orders = new Map(Object.entries(this.grid.sorting ?? {}).map(([id, { $order }]) => [id, $order]));
		this.filter = noFilter();
	}

	/** Whether a column is shown: hidden ones of a view are not, new ones of a grid are. */
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
			this.typing = setTimeout(() => void this.narrow({}), TYPING_MS);
		};
	}

	/** A row of a view at its address in the grid, where it has the values that the view hides. */
	inGrid(row) {
		if (!this.base) return row;
		const href = `${this.base._links.self.href}/entities/${row._id}`;
		return { ...row, _links: { ...row._links, self: { href, method: 'get' } } };
	}

	/**
	 * Selects the added row, which is the last one unless the rows are sorted.
	 * @param isWanted whether the person still waits for it
	 */
	async added(row, isWanted) {
		this.edits.add({ made: [this.inGrid(row)] });
		await this.table.reload(true);
		if (isWanted() && !this.board && this.orders.size === 0) this.table.select(this.table.total - 1, 0);
	}

	async renamed() {
		await this.given.changed();
		if (document.querySelector(`[data-grid="${CSS.escape(this.grid.id)}"]`)) await this.describe();
	}

	/** Called after filter, sorting and columns were saved to the view. */
	async saved() {
		await this.given.changed();
		if (this.isLeft || !document.querySelector(`[data-grid="${CSS.escape(this.summary.id)}"]`)) return;
		$('search').value = '';
		await this.describe(true);
	}

	chooseFilter() {
		buildFilter(this.allFields, this.filter, (chosen) => this.narrow(chosen));
	}

	chooseColumns() {
		const shown = new Set(this.columns.map(({ id }) => id));
		const choice = this.grid._links.replace ? this.allFields : this.fields;
		const fields = [...new Set([...this.columns, ...choice])];
		const hint =
			this.grid._links.replace && 'Columns that the view does not show yet are added to it, for everybody.';
		chooseColumns({ fields, shown, hint }, async (all, chosen) => {
			const isMissing = chosen.some((id) => !this.fields.some((field) => field.id === id));
			this.columns = ordered(this.allFields, chosen).slice(0, chosen.length);
			if (!isMissing) return this.showOrder(all);
			const { name, filter, sorting, _links } = this.grid;
			await send(_links.replace, { body: { name, fields: chosen, filter, sorting } });
			return this.describe();
		});
	}

	/** Moves a column to the position of another one, or by a number of positions. */
	async move(id, to) {
		const from = this.columns.findIndex((field) => field.id === id);
		const place = typeof to === 'number' ? from + to : this.columns.findIndex((field) => field.id === to);
		if (from < 0 || place < 0 || place >= this.columns.length || place === from) return;
		this.columns = moved(this.columns, from, place);
		const kept = this.showOrder(this.columns.map((field) => field.id));
		// Without waiting for the response, because the next key press is for this column, too.
		document.querySelector(`.sort[data-field="${CSS.escape(id)}"]`)?.focus();
		await kept;
	}

	/** Redraws the columns. A grid stores their order for everybody, a view only when it is saved. */
	async showOrder(columnOrder) {
		this.showColumns();
		this.showToolbar();
		this.table.draw();
		const { _links, type, properties } = this.grid;
		if (type === 'virtual' || !_links.update) return;
		this.grid = { ...this.grid, properties: { ...properties, columnOrder } };
		await changeProperties(this.grid, () => ({ columnOrder }));
	}

	/** Shows the rows of another filter. @throws the refusal of the service */
	async narrow(changed) {
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

	/** Filter and sorting in the format of the service. @param within a further condition */
	cut(within) {
		const own = combined(this.allFields, this.filter);
		const filter = own && within ? { $and: [own, within] } : (own ?? within);
		const sorting = Object.fromEntries([...this.orders].map(([id, $order]) => [id, { $order }]));
		return {
			...(filter ? { filter: JSON.stringify(filter) } : {}),
			...(this.orders.size > 0 ? { sorting: JSON.stringify(sorting) } : {}),
		};
	}

	/** The query of an export: the rows and columns that are shown. */
	exported() {
		return { ...this.cut(), fields: JSON.stringify(this.columns.map(({ id }) => id)) };
	}

	/** Reads a page of the rows that are shown. @param within a further condition */
	async load(query, within) {
		const page = await send(this.grid._links.entities, { query: { ...this.cut(within), ...query } });
		await learnNames(page.items, this.columns);
		return page;
	}

	/** Reads shown rows by their numbers. */
	async entities(from, to) {
		const rows = [];
		const first = Math.floor(from / MAX_PAGE_SIZE);
		for (let page = first; page * MAX_PAGE_SIZE < to; page++)
			rows.push(...(await this.load({ pageIndex: page + 1, pageSize: MAX_PAGE_SIZE })).items);
		return rows.slice(from - first * MAX_PAGE_SIZE, to - first * MAX_PAGE_SIZE);
	}

	/** Writes an edited cell, unless somebody changed it in the meantime; shows a refusal. */
	async save(row, field, read) {
		const after = read();
		const { self } = row._links;
		const { entity, written, kept } = await writeCells(self, [
			{ field, before: row[field.id] ?? null, after },
		]);
		if (entity) this.table.update(entity);
		this.edits.add({ rows: [{ id: row._id, self, cells: written }] });
		const [{ reason } = {}] = kept;
		if (!reason) return;
		const isConflict = reason.endsWith('in the meantime');
		const lost = `“${field.name}” ${reason}; your value was not written: “${textOf(field, after)}”`;
		throw Object.assign(new Error(isConflict ? lost : reason), { isConflict });
	}

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
			shown: (whole, dialog) => this.showRowAddress(whole, dialog),
		});
	}

	/** Shows the address of an open row until its dialog is closed. */
	showRowAddress({ _links }, dialog) {
		const address = pageOf(_links.self);
		setAddress(address, true);
		dialog.addEventListener('close', () => {
			if (location.href === address) setAddress(pageOf(this.summary._links.self), false);
		});
	}

	/** Shows changes by others. */
	async see(events) {
		await learnNames(events.flatMap(({ entity }) => entity ?? []), this.columns); // prettier-ignore
		for (const { entity, entityId } of events) if (entity) this.table.update({ ...entity, _id: entityId });
		if (events.some(({ type }) => type !== 'updated')) void this.table.reload(true);
	}
}
