import { Forbidden, LinkMissing, NotFound } from '../errors';
import { outcomeOf, type Limiter } from '../http/limiter';
import type { Entity } from './entityRows';
import type { Field } from './fields';
import type { Grid } from './grids';

/** Number of rows that are read singly to find out whether lists leave a column out. */
const MAX_PROBES = 2;

export interface SummaryReads {
	/** The columns of a grid, or those that a view of it shows. */
	columns: (grid: Grid, viewId?: string) => Promise<readonly Field[]>;
	/** Reads the full representation of an entity in a list. */
	open: (grid: Grid, summary: Entity) => Promise<Entity>;
}

/** What the lists of a grid show. */
class ListedColumns {
	/** Whether they leave out values. */
	areCut = false;
	/** Ids of columns that some row of a list has. */
	readonly shown = new Set<string>();
	/** By id of a column that no row has: number of full rows without a value in it. */
	readonly probes = new Map<string, number>();
	/** Probes run one after the other. */
	probing: Promise<unknown> = Promise.resolve();
}

/**
 * Completes lists of entities. A list may hold summaries (§2.1), and the specification does not say
 * which values they have. A column that some row shows is in the list; for columns that no row
 * shows, up to two rows are read singly.
 */
export class Summaries {
	private readonly columnsByGrid = new WeakMap<Grid, ListedColumns>();

	constructor(
		private readonly limiter: Limiter,
		private readonly reads: SummaryReads,
	) {}

	/**
	 * The same rows, each in full if the list leaves out values. Rows that no longer exist are
	 * omitted.
	 * @param needs ids of columns whose values must be certain: rows of a list that does not show
	 *   them are read in full
	 * @throws Forbidden if such a row may not be read
	 */
	async completed(grid: Grid, rows: Entity[], needs: readonly string[] = []): Promise<Entity[]> {
		if (!areSummaries(rows)) return rows;
		const ids = await this.columnsOf(grid);
		const listed = this.listed(grid, [...needs, ...ids], rows);
		if (needs.some((id) => !listed.shown.has(id))) return await this.opened(grid, rows, true);
		return (await this.areCut(grid, ids, rows)) ? await this.opened(grid, rows) : rows;
	}

	/** The same for the rows of a view, which keep lacking the columns that it hides. */
	async completedInView(grid: Grid, viewId: string, rows: Entity[]): Promise<Entity[]> {
		if (!areSummaries(rows)) return rows;
		const ids = await this.columnsOf(grid);
		const listed = this.listed(grid, ids, rows);
		if (ids.every((id) => listed.shown.has(id))) return rows;
		const shown = await this.columnsOf(grid, viewId);
		if (!(await this.areCut(grid, shown, rows))) return rows;
		const full = await this.opened(grid, rows);
		const hidden = ids.filter((id) => !shown.includes(id));
		for (const row of full) for (const id of hidden) delete row[id];
		return full;
	}

	/** The ids of the columns of a grid or view; none if the service does not return them. */
	private async columnsOf(grid: Grid, viewId?: string): Promise<string[]> {
		const columns = await outcomeOf(this.reads.columns(grid, viewId));
		if (columns.state === 'done') return columns.value.map(({ id }) => id);
		if (isUnavailable(columns.error)) return [];
		throw columns.error;
	}

	/** What the lists of a grid show, these rows included. */
	private listed(grid: Grid, ids: readonly string[], rows: readonly Entity[]): ListedColumns {
		const listed = this.columnsByGrid.get(grid) ?? new ListedColumns();
		this.columnsByGrid.set(grid, listed);
		for (const id of ids) if (!listed.shown.has(id) && isShown(rows, id)) listed.shown.add(id);
		return listed;
	}

	/** Whether the lists of a grid leave out values of some columns. */
	private async areCut(grid: Grid, ids: readonly string[], rows: readonly Entity[]): Promise<boolean> {
		const listed = this.listed(grid, ids, rows);
		const probing = listed.probing.then(async () => await this.probe(grid, listed, { ids, rows }));
		listed.probing = outcomeOf(probing);
		return await probing;
	}

	private async probe(
		grid: Grid,
		listed: ListedColumns,
		{ ids, rows }: { ids: readonly string[]; rows: readonly Entity[] },
	): Promise<boolean> {
		const { shown, probes } = listed;
		for (const row of rows) {
			const open = ids.filter((id) => !shown.has(id) && (probes.get(id) ?? 0) < MAX_PROBES);
			if (listed.areCut || open.length === 0) break;
			const full = await this.openIfThere(grid, row, false);
			if (!full) continue;
			listed.areCut = open.some((id) => (full[id] ?? null) !== null);
			for (const id of open) probes.set(id, (probes.get(id) ?? 0) + 1);
		}
		return listed.areCut;
	}

	/**
	 * The rows in full, without those that no longer exist.
	 * @param mustOpen whether a row that may not be read is an error; otherwise, it is as listed
	 */
	private async opened(grid: Grid, rows: readonly Entity[], mustOpen = false): Promise<Entity[]> {
		const open = async (row: Entity) => await this.openIfThere(grid, row, mustOpen);
		const { outcomes, stoppedBy } = await this.limiter.run(rows, open, { stopOn: () => true });
		if (stoppedBy) throw stoppedBy.error;
		return outcomes.flatMap((outcome) => (outcome.state === 'done' && outcome.value ? [outcome.value] : []));
	}

	private async openIfThere(grid: Grid, row: Entity, mustOpen: boolean): Promise<Entity | undefined> {
		const reading = await outcomeOf(this.reads.open(grid, row));
		if (reading.state === 'done') return reading.value;
		if (reading.error instanceof NotFound) return undefined;
		if (reading.error instanceof Forbidden && !mustOpen) return row;
		throw reading.error;
	}
}

/** The ids of the columns that no summary of a list has. */
export const absentColumns = (fields: readonly Field[], rows: readonly Entity[]): string[] =>
	areSummaries(rows) ? fields.flatMap(({ id }) => (isShown(rows, id) ? [] : [id])) : [];

const isShown = (rows: readonly Entity[], id: string) => rows.some((row) => Object.hasOwn(row, id));

const isUnavailable = (error: unknown) =>
	error instanceof LinkMissing || error instanceof Forbidden || error instanceof NotFound;

const areSummaries = (rows: readonly Entity[]) =>
	rows.length > 0 && rows.every(({ _representation }) => _representation === 'summary');
