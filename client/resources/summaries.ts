import { NotFound } from '../errors';
import { outcomeOf, type Limiter } from '../http/limiter';
import type { Entity } from './entityRows';
import type { Grid } from './grids';

/** Reads the full representation of an entity in a list. */
type Open = (grid: Grid, summary: Entity) => Promise<Entity>;

/**
 * Completes lists of entities. A list may hold summaries (§2.1), and the specification does not say
 * which values they have.
 */
export class Summaries {
	/** Grids whose lists leave out values. */
	private readonly incomplete = new WeakSet<Grid>();
	/** Columns of a grid that were looked for in full rows, and were empty there, too. */
	private readonly empty = new WeakMap<Grid, Set<string>>();

	constructor(
		private readonly limiter: Limiter,
		private readonly open: Open,
	) {}

	/**
	 * The same rows, each in full if the list leaves out values. Rows that no longer exist are
	 * omitted.
	 */
	async completed(grid: Grid, rows: Entity[]): Promise<Entity[]> {
		const absent = absentColumns(grid, rows);
		if (absent.length === 0 || !(await this.leavesOut(grid, absent, rows))) return rows;
		this.incomplete.add(grid);
		const open = async (row: Entity) => await this.openIfThere(grid, row);
		const { outcomes, stoppedBy } = await this.limiter.run(rows, open, { stopOn: () => true });
		if (stoppedBy) throw stoppedBy.error;
		return outcomes.flatMap((outcome) => (outcome.state === 'done' && outcome.value ? [outcome.value] : []));
	}

	/** Whether a full row has a value in a column that is absent from all rows of a list. */
	private async leavesOut(grid: Grid, absent: readonly string[], rows: readonly Entity[]): Promise<boolean> {
		if (this.incomplete.has(grid)) return true;
		const empty = this.empty.get(grid) ?? new Set();
		this.empty.set(grid, empty);
		if (absent.every((id) => empty.has(id))) return false;
		for (const row of samplesOf(rows)) {
			const reading = await outcomeOf(this.open(grid, row));
			const full = reading.state === 'done' ? reading.value : undefined;
			if (full && absent.some((id) => hasValue(full, id))) return true;
		}
		for (const id of absent) empty.add(id);
		return false;
	}

	private async openIfThere(grid: Grid, row: Entity): Promise<Entity | undefined> {
		const reading = await outcomeOf(this.open(grid, row));
		if (reading.state === 'done') return reading.value;
		if (reading.error instanceof NotFound) return undefined;
		throw reading.error;
	}
}

/** The ids of the columns that no summary of a list has. */
export function absentColumns({ fields = [] }: Pick<Grid, 'fields'>, rows: readonly Entity[]): string[] {
	if (rows.length === 0 || rows.some(({ _representation }) => _representation !== 'summary')) return [];
	return fields.flatMap(({ id }) => (rows.some((row) => Object.hasOwn(row, id)) ? [] : [id]));
}

const hasValue = (row: Entity, id: string) => Object.hasOwn(row, id) && (row[id] ?? null) !== null;

/** Up to three rows: the first, the last, and one between them. */
function samplesOf(rows: readonly Entity[]): Entity[] {
	const last = rows.length - 1;
	const places = new Set([0, last, Math.floor(last / 2)]);
	return rows.filter((_row, at) => places.has(at));
}
