import { Forbidden, LinkMissing, NotFound, StatusError } from '../errors';
import { outcomeOf, type Limiter } from '../http/limiter';
import { Cache } from '../session/cache';
import type { Entity } from './entityRows';
import type { Field } from './fields';
import type { Grid } from './grids';

/** Maximum number of absent columns of a page that are searched; samples decide about others. */
const MAX_SEARCHES = 20;

export interface SummaryReads {
	/** The columns of a grid, or those that a view of it shows. */
	columns: (grid: Grid, viewId?: string) => Promise<readonly Field[]>;
	/** Reads the full representation of an entity in a list. */
	open: (grid: Grid, summary: Entity) => Promise<Entity>;
	/** Some entities with a value in a column, if the service filters them (§4.5). */
	someWithValue: (grid: Grid, fieldId: string) => Promise<Entity[]>;
}

/**
 * Completes lists of entities. A list may hold summaries (§2.1), and the specification does not say
 * which values they have.
 */
export class Summaries {
	/** Grids whose lists leave out values. */
	private readonly incomplete = new WeakSet<Grid>();
	/** Whether a search found a value in an absent column, by its id: each search runs once. */
	private readonly searches = new WeakMap<Grid, Cache<boolean>>();

	constructor(
		private readonly limiter: Limiter,
		private readonly reads: SummaryReads,
	) {}

	/**
	 * The same rows, each in full if the list leaves out values. Rows that no longer exist are
	 * omitted.
	 * @param needs ids of columns whose values must be certain: without them, each row is read in
	 *   full
	 * @throws Forbidden if such a row may not be read
	 */
	async completed(grid: Grid, rows: Entity[], needs: readonly string[] = []): Promise<Entity[]> {
		if (!areSummaries(rows)) return rows;
		if (absentFrom(rows, needs).length > 0) return await this.opened(grid, rows, true);
		const ids = await this.columnsOf(grid);
		return (await this.leavesOut(grid, ids, rows)) ? await this.opened(grid, rows) : rows;
	}

	/** The same for the rows of a view, which keep lacking the columns that it hides. */
	async completedInView(grid: Grid, viewId: string, rows: Entity[]): Promise<Entity[]> {
		if (!areSummaries(rows)) return rows;
		const ids = await this.columnsOf(grid);
		if (absentFrom(rows, ids).length === 0) return rows;
		const shown = await this.columnsOf(grid, viewId);
		if (!(await this.leavesOut(grid, shown, rows))) return rows;
		const full = await this.opened(grid, rows);
		const hidden = ids.filter((id) => !shown.includes(id));
		for (const row of full) for (const id of hidden) delete row[id];
		return full;
	}

	/** The ids of the columns of a grid or view; none if the service does not return them. */
	private async columnsOf(grid: Grid, viewId?: string): Promise<string[]> {
		const columns = await outcomeOf(this.reads.columns(grid, viewId));
		if (columns.state === 'done') return idsOf(columns.value);
		if (isUnavailable(columns.error)) return [];
		throw columns.error;
	}

	/**
	 * Whether a full row has a value in one of some columns that is absent from all rows of a list.
	 * Rows that a filter finds can prove it; that it finds none proves nothing, so each page is
	 * sampled.
	 */
	private async leavesOut(grid: Grid, ids: readonly string[], rows: readonly Entity[]): Promise<boolean> {
		const absent = absentFrom(rows, ids);
		if (absent.length === 0) return false;
		if (this.incomplete.has(grid)) return true;
		const searched = absent.slice(0, MAX_SEARCHES);
		const found = await Promise.all(searched.map(async (id) => await this.search(grid, id)));
		if (!found.includes(true) && !(await this.haveValue(grid, samplesOf(rows), absent))) return false;
		this.incomplete.add(grid);
		return true;
	}

	private async search(grid: Grid, fieldId: string): Promise<boolean> {
		const searches = this.searches.get(grid) ?? new Cache<boolean>();
		this.searches.set(grid, searches);
		return await searches.get(fieldId, () => this.searchNow(grid, fieldId));
	}

	private async searchNow(grid: Grid, fieldId: string): Promise<boolean> {
		const found = await outcomeOf(this.reads.someWithValue(grid, fieldId));
		if (found.state === 'done') return await this.haveValue(grid, found.value, [fieldId]);
		// The specification shows no operator for it (§4 Gaps), so the service may refuse it.
		if (found.error instanceof StatusError) return false;
		throw found.error;
	}

	private async haveValue(
		grid: Grid,
		rows: readonly Entity[],
		fieldIds: readonly string[],
	): Promise<boolean> {
		const full = await this.opened(grid, rows);
		return full.some((row) => fieldIds.some((id) => (row[id] ?? null) !== null));
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
	areSummaries(rows) ? absentFrom(rows, idsOf(fields)) : [];

const absentFrom = (rows: readonly Entity[], ids: readonly string[]) =>
	ids.filter((id) => !rows.some((row) => Object.hasOwn(row, id)));

const idsOf = (fields: readonly Field[]) => fields.map(({ id }) => id);

const isUnavailable = (error: unknown) =>
	error instanceof LinkMissing || error instanceof Forbidden || error instanceof NotFound;

const areSummaries = (rows: readonly Entity[]) =>
	rows.length > 0 && rows.every(({ _representation }) => _representation === 'summary');

/** Up to three rows: the first, the last, and one between them. */
function samplesOf(rows: readonly Entity[]): Entity[] {
	const last = rows.length - 1;
	const places = new Set([0, last, Math.floor(last / 2)]);
	return rows.filter((_row, at) => places.has(at));
}
