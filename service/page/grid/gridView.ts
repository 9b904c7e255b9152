import { pageOf, setAddress, spaceOf } from '../session/addresses';
import { read, send, type Request } from '../session/api';
import * as schemas from '../session/schemas';
import type { Field, Grid, GridSummary, Link, Row, RowEvent } from '../session/schemas';
import { changeProperties } from '../session/properties';
import { Changes } from '../rows/changes';
import { chooseColumns, moved, ordered } from './columnOrder';
import { $, inputOfPage, say, tell, told } from '../elements/dom';
import { whileShown } from '../elements/progress';
import { Edits } from '../rows/edits';
import { writeCells } from '../values/writtenCells';
import { buildFilter, combined, type BuiltFilter, type ServiceFilter } from './filters';
import { makeBoard, makeTable } from '../presentations/presentation';
import { boardsOf, type PossibleBoard } from '../presentations/boards';
import { Conflict } from '../presentations/cellEditor';
import type { Table } from '../presentations/table';
import type { Presentation } from '../rows/openGrid';
import { addRow, openRow, type RowOutcome } from '../rows/row';
import { importRows, restore } from '../rows/writing';
import { addColumn } from '../structure/columns';
import { showFirstSteps } from './firstSteps';
import { showToolbar } from './toolbar';
import { misfits } from './views';
import { textOf } from '../values/cells';
import { learnPeople } from '../values/people';
import { forgetNames, learnNames, linkedGrid } from '../values/linkedRows';

/** A search is sent after a pause of this length in typing. */
const TYPING_MS = 300;
const MAX_PAGE_SIZE = 1000;
const ROWS = schemas.pageOf(schemas.row);

type Query = NonNullable<Request['query']>;

const noFilter = (): BuiltFilter => ({ conditions: [], isAny: false, search: '' });

/** What was read of a grid or view. */
interface Stored {
	readonly grid: Grid;
	/** The grid of a view. */
	readonly base: Grid | undefined;
	/** The columns of the grid, also those that a view hides. */
	readonly allFields: readonly Field[];
	/** The columns of the grid or view. */
	readonly fields: readonly Field[];
	readonly boards: readonly PossibleBoard[];
}

interface Opened {
	/** Id of the person at the page. */
	readonly me: string;
	/** The grid of a view, if the person may read it. */
	readonly base: GridSummary | undefined;
	/** Called when a name may have changed. */
	readonly changed: () => Promise<void>;
	/** Opens another grid. */
	readonly open: (location: string, isWanted: () => boolean) => Promise<void>;
}

/** An open grid: its table, its toolbar and its changes. */
export class GridView {
	orders = new Map<string, 'ascending' | 'descending'>();
	filter = noFilter();
	/** The columns shown, in their order. */
	columns: readonly Field[] = [];
	/** The board that is shown; undefined for the table. */
	board: PossibleBoard | undefined;
	/** The table, unless a board is shown. */
	table: Table | undefined;
	readonly edits = new Edits(() => {
		this.showToolbar();
	});
	private stored: Stored | undefined;
	private presentation: Presentation | undefined;
	private changes: Changes | undefined;
	private typing: number | undefined;
	/** What a new grid lacks, as the page says it. */
	private guided: string | undefined;
	/** What of a view no longer fits. */
	private misfits: string | undefined;
	/** Whether another grid was opened: what still comes in is not shown. */
	private isLeft = false;
	private reads = 0;

	constructor(
		readonly summary: GridSummary,
		private readonly given: Opened,
	) {}

	private get known(): Stored {
		if (!this.stored) throw new Error('The grid was not read');
		return this.stored;
	}

	get grid() {
		return this.known.grid;
	}

	get base() {
		return this.known.base;
	}

	get allFields() {
		return this.known.allFields;
	}

	get fields() {
		return this.known.fields;
	}

	get boards() {
		return this.known.boards;
	}

	/** The table or board. */
	get shown(): Presentation {
		if (!this.presentation) throw new Error('The grid is not shown');
		return this.presentation;
	}

	get me() {
		return this.given.me;
	}

	openCreated(location: string, isWanted: () => boolean) {
		return this.given.open(location, isWanted);
	}

	/** Shows what was read. */
	async start() {
		inputOfPage('search').value = '';
		tell('');
		forgetNames();
		this.watchSearch();
		await this.show();
		if (this.isLeft) return;
		this.changes = new Changes({
			grid: this.grid,
			fields: this.allFields,
			me: this.given.me,
			open: told(({ _links: { entity } }: RowEvent) =>
				entity ? this.open({ _links: { self: entity } }) : undefined,
			),
			restore: told((event: RowEvent) => restore(this, event)),
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
		showFirstSteps(undefined);
	}

	/**
	 * Reads the grid, its columns and its boards.
	 * @param isAnew whether it is shown as it is stored, without what was chosen on top of it
	 * @returns whether this is still wanted
	 */
	async read(isAnew = !this.stored) {
		this.reads += 1;
		const number = this.reads;
		const grid = await read(this.summary._links.self, schemas.grid);
		const base = this.given.base && (await read(this.given.base._links.self, schemas.grid));
		const space = spaceOf(grid);
		const allFields = (base?.fields ?? grid.fields).map((field) => ({ ...field, space, linkedGrid: linkedGrid(base ?? grid, field) })); // prettier-ignore
		const fields = ordered(allFields, grid.fields.map(({ id }) => id)).slice(0, grid.fields.length); // prettier-ignore
		const boards = await boardsOf(grid, fields);
		if (fields.some(({ type }) => type.name === 'createdby')) await learnPeople(space);
		if (this.isLeft || number !== this.reads) return false;
		if (this.changes) this.changes.given.fields = allFields;
		const shown = this.columns.map(({ id }) => id);
		const hidden = this.stored?.allFields.filter(({ id }) => !shown.includes(id)).map(({ id }) => id) ?? [];
		this.stored = { grid, base, allFields, fields, boards };
		if (isAnew) this.begin();
		else
			this.columns = ordered(allFields, shown).filter(({ id }) => !hidden.includes(id) && this.isShown(id));
		return true;
	}

	/** Shows the grid with the board that was shown before, if it is still there. */
	async show(board = this.boards.find(({ sview }) => sview.id === this.board?.sview.id)) {
		await this.present(board);
	}

	/** Shows the grid as a table. */
	showTable() {
		return this.present(undefined);
	}

	private async present(board: PossibleBoard | undefined) {
		$('title').textContent = this.grid.name;
		if (board || !this.table) {
			this.table = board ? undefined : makeTable(this);
			this.presentation = board ? makeBoard(this, board) : this.table;
		}
		this.board = board;
		this.showColumns();
		this.showToolbar();
		await this.shown.reload();
		this.tellMisfits();
	}

	/** Says what of a view no longer fits, until it fits again. */
	private tellMisfits() {
		const text = misfits(this.grid);
		if (!this.isLeft && (text ?? this.misfits)) tell(text ?? '');
		this.misfits = text;
	}

	/** Shows columns and a name that others changed, unless something is being edited. */
	async refresh() {
		if (this.isLeft || document.querySelector('dialog, .editor')) return;
		const described = (...grids: ReadonlyArray<Grid | undefined>) =>
			JSON.stringify(
				grids.map((one) => [one?.name, one?.fields, one?.filter, one?.properties.linkedGrids, one?.problems]),
			);
		const { grid, base } = this;
		const now = await read(grid._links.self, schemas.grid);
		const baseNow = base && (await read(base._links.self, schemas.grid));
		const isSame = described(now, baseNow) === described(grid, base);
		if (isSame || document.querySelector('dialog, .editor') || !(await this.read())) return;
		$('title').textContent = this.grid.name;
		if (this.board) {
			await this.show();
			return;
		}
		this.showColumns();
		this.showToolbar();
		await this.shown.reload(true);
		this.tellMisfits();
	}

	/** Reads the columns that changes name, if they are new. */
	private async know(events: readonly RowEvent[]) {
		const ids = new Set(this.allFields.map(({ id }) => id));
		if (events.some(({ changes }) => changes.some(({ fieldId }) => !ids.has(fieldId)))) await this.refresh();
	}

	async describe(isAnew?: boolean) {
		if (await this.read(isAnew)) await this.show();
	}

	showToolbar() {
		if (!this.isLeft) showToolbar(this);
	}

	/** Says what to do next in a grid without columns or rows. */
	guide(total: number) {
		const { grid, fields, filter } = this;
		const isNarrowed = filter.conditions.length > 0 || Boolean(filter.search) || grid.type === 'virtual';
		const state = total > 0 || isNarrowed ? '' : fields.length > 0 ? 'rows' : 'columns';
		if (this.isLeft || this.guided === state) return;
		this.guided = state;
		const steps = {
			grid,
			hasColumns: fields.length > 0,
			addColumn: told(() => addColumn(grid, () => this.describe())),
			addRow: () => { addRow(grid, { fields: this.fields, done: (row, isWanted) => this.added(row, isWanted) }); },
			importRows: () => { importRows(this); },
			open: (location: string) => this.openCreated(location, () => true),
		}; // prettier-ignore
		showFirstSteps(state === '' ? undefined : steps);
	}

	/** Shows the columns and sorting of the grid or view itself. */
	private begin() {
		this.columns = ordered(this.fields, this.grid.properties.columnOrder);
		this.orders = new Map(Object.entries(this.grid.sorting ?? {}).map(([id, { $order }]) => [id, $order]));
		this.filter = noFilter();
	}

	/** Whether a column is shown: hidden ones of a view are not, new ones of a grid are. */
	private isShown(id: string) {
		return this.columns.some((field) => field.id === id) || this.fields.some((field) => field.id === id);
	}

	private showColumns() {
		this.shown.columns(this.columns, this.orders, this.grid._links.columnRemove !== undefined);
	}

	private watchSearch() {
		const search = inputOfPage('search');
		search.hidden = false;
		search.oninput = () => {
			clearTimeout(this.typing);
			this.typing = setTimeout(() => void this.narrow({}), TYPING_MS);
		};
	}

	/** A row of a view at its address in the grid, where it has the values that the view hides. */
	inGrid(row: Row): Row {
		if (!this.base) return row;
		const href = `${this.base._links.self.href}/entities/${row._id}`;
		return { ...row, _links: { ...row._links, self: { href, method: 'get' } } };
	}

	/**
	 * Selects the added row, which is the last one unless the rows are sorted.
	 * @param isWanted whether the person still waits for it
	 */
	async added(row: Row, isWanted: () => boolean) {
		this.edits.add({ made: [this.inGrid(row)] });
		await this.shown.reload(true);
		if (isWanted() && this.orders.size === 0) this.table?.select(this.table.total - 1, 0);
	}

	async renamed() {
		await this.given.changed();
		if (document.querySelector(`[data-grid="${CSS.escape(this.grid.id)}"]`)) await this.describe();
	}

	/** Called after filter, sorting and columns were saved to the view. */
	async saved() {
		await this.given.changed();
		if (this.isLeft || !document.querySelector(`[data-grid="${CSS.escape(this.summary.id)}"]`)) return;
		inputOfPage('search').value = '';
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
			if (!isMissing) {
				await this.showOrder(all);
				return;
			}
			const { name, filter, sorting, _links } = this.grid;
			await send(_links.replace, { body: { name, fields: chosen, filter, sorting } });
			await this.describe();
		});
	}

	/** Moves a column to the position of another one, or by a number of positions. */
	async move(id: string, to: string | number) {
		const from = this.columns.findIndex((field) => field.id === id);
		const place = typeof to === 'number' ? from + to : this.columns.findIndex((field) => field.id === to);
		if (from < 0 || place < 0 || place >= this.columns.length || place === from) return;
		this.columns = moved(this.columns, from, place);
		const kept = this.showOrder(this.columns.map((field) => field.id));
		// Without waiting for the response, because the next key press is for this column, too.
		document.querySelector<HTMLElement>(`.sort[data-field="${CSS.escape(id)}"]`)?.focus();
		await kept;
	}

	/** Redraws the columns. A grid stores their order for everybody, a view only when it is saved. */
	private async showOrder(columnOrder: readonly string[]) {
		this.showColumns();
		this.showToolbar();
		this.shown.draw();
		const { _links, type, properties } = this.grid;
		if (type === 'virtual' || !_links.update) return;
		const grid = { ...this.grid, properties: { ...properties, columnOrder } };
		this.stored = { ...this.known, grid };
		await changeProperties(this.grid, () => ({ columnOrder }));
	}

	/** Shows the rows of another filter. @throws the refusal of the service */
	private async narrow(changed: Partial<BuiltFilter>) {
		const next = { ...this.filter, ...changed, search: inputOfPage('search').value.trim() };
		combined(this.allFields, next);
		this.filter = next;
		this.showToolbar();
		say();
		await whileShown($('message'), this.shown.reload());
	}

	sort(field: Field, isAdded: boolean) {
		const direction = this.orders.get(field.id);
		if (!isAdded && (this.orders.size > 1 || !direction)) this.orders.clear();
		if (direction === 'descending') this.orders.delete(field.id);
		else this.orders.set(field.id, direction && this.orders.has(field.id) ? 'descending' : 'ascending');
		this.showColumns();
		say();
		void whileShown($('message'), this.shown.reload());
	}

	/** Filter and sorting in the format of the service. @param within a further condition */
	private cut(within?: ServiceFilter): Query {
		const own = combined(this.allFields, this.filter);
		const filter = own && within ? { $and: [own, within] } : (own ?? within);
		const sorting = Object.fromEntries([...this.orders].map(([id, $order]) => [id, { $order }]));
		return {
			...(filter ? { filter: JSON.stringify(filter) } : {}),
			...(this.orders.size > 0 ? { sorting: JSON.stringify(sorting) } : {}),
		};
	}

	/** The query of an export: the rows and columns that are shown. */
	exported(): Query {
		return { ...this.cut(), fields: JSON.stringify(this.columns.map(({ id }) => id)) };
	}

	/** Reads a page of the rows that are shown. @param within a further condition */
	async load(query: Query, within?: ServiceFilter) {
		const page = await read(this.grid._links.entities, ROWS, { query: { ...this.cut(within), ...query } });
		await learnNames(page.items, this.columns);
		return page;
	}

	/** Reads shown rows by their numbers. */
	async entities(from: number, to: number) {
		const rows: Row[] = [];
		const first = Math.floor(from / MAX_PAGE_SIZE);
		for (let page = first; page * MAX_PAGE_SIZE < to; page++)
			rows.push(...(await this.load({ pageIndex: page + 1, pageSize: MAX_PAGE_SIZE })).items);
		return rows.slice(from - first * MAX_PAGE_SIZE, to - first * MAX_PAGE_SIZE);
	}

	/** Writes an edited cell, unless somebody changed it in the meantime; shows a refusal. */
	async save(row: Row, field: Field, valueOf: () => unknown) {
		const after = valueOf();
		const { self } = row._links;
		const { entity, written, kept } = await writeCells(self, [
			{ field, before: row[field.id] ?? null, after },
		]);
		if (entity) this.shown.update(entity);
		this.edits.add({ rows: [{ self, cells: written }] });
		const [first] = kept;
		if (!first) return;
		const { reason } = first;
		const isConflict = reason.endsWith('in the meantime');
		const lost = `“${field.name}” ${reason}; your value was not written: “${textOf(field, after)}”`;
		throw isConflict ? new Conflict(lost) : new Error(reason);
	}

	open(row: { readonly _links: { readonly self: Link } }) {
		const done = async (entity: Row | undefined, { cells = [], removed = [] }: RowOutcome) => {
			this.edits.add({ rows: [{ self: row._links.self, cells }], removed });
			if (entity) this.shown.update(entity);
			else await this.shown.reload(true);
		};
		return openRow(row, {
			grid: this.grid,
			fields: this.fields,
			allFields: this.allFields,
			me: this.given.me,
			done,
			opened: (whole, dialog) => {
				this.showRowAddress(whole, dialog);
			},
		});
	}

	/** Shows the address of an open row until its dialog is closed. */
	private showRowAddress({ _links }: Row, dialog: HTMLDialogElement) {
		const address = pageOf(_links.self);
		setAddress(address, true);
		dialog.addEventListener('close', () => {
			if (location.href === address) setAddress(pageOf(this.summary._links.self), false);
		});
	}

	/** Shows changes by others. */
	private async see(events: readonly RowEvent[]) {
		await learnNames(events.flatMap(({ entity }) => (entity ? [entity] : [])), this.columns); // prettier-ignore
		for (const { entity, entityId } of events) if (entity) this.shown.update({ ...entity, _id: entityId });
		if (events.some(({ type }) => type !== 'updated')) void this.shown.reload(true);
	}
}
