import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { same } from '../difference';
import { without, type Json } from '../exchange';
import type { Cells } from '../truth';
import { told, type ColumnName, type Trial } from '../trial';
import { entity, type Probe } from './probe';
import { asInput, columnNamed, comparable, inOneSpelling, momentSpelled, newCells, NOON } from './rows';

const record = z.record(z.string(), z.custom<Json>());

/** What a run of an operation comes to, without ids: those differ from grid to grid. */
interface End {
	error: string | undefined;
	rows: Json[];
	grid: Cells[];
}

/** Key columns of several types, and values of which some have several spellings. */
const KEYS: ColumnName[][] = [['Article'], ['Size'], ['At'], ['Price'], ['Article', 'At'], ['Kind', 'Size']];

/** Rows of which some share their keys, and items that find one, several or none of them. */
function drawn(trial: Trial): { there: Cells[]; items: Cells[] } {
	const { random } = trial;
	const cellsOf = (number: number, how: number): Cells => ({
		Article: `Art-${number}`,
		Size: number,
		At: momentSpelled(NOON + number * 60_000, how),
		Price: number + 0.5,
		Kind: number % 2 === 0 ? 'new' : 'done',
	});
	const there = Array.from({ length: 12 }, (_, number) => {
		const cells = cellsOf(number === 7 ? 3 : number, random.below(4));
		if (number === 5) return { ...cells, Article: null, At: null, Size: null };
		return { ...newCells(trial), ...cells, Article: number === 9 ? 'ART-2' : (cells['Article'] ?? null) };
	});
	const items = Array.from({ length: 7 }, (_, number) => ({
		...cellsOf(random.below(16), random.below(4)),
		Note: `item ${number}`,
	}));
	return { there, items };
}

/** The same work in two grids that hold the same, of which one is removed again. */
async function bothWays(
	trial: Trial,
	work: (trial: Trial, findRows: string) => Promise<End>,
): Promise<End[]> {
	const other = await trial.trials.trial(trial.variant);
	try {
		return [await work(trial, 'oneByOne'), await work(other, 'allAtOnce')];
	} finally {
		await trial.trials.truth.removeSpaceOf(other.grid);
	}
}

/** One by one and all at once, the same rows are found. */
async function findRows(trial: Trial): Promise<void> {
	const { random } = trial;
	const { there, items } = drawn(trial);
	const keys = KEYS[random.below(KEYS.length)] ?? ['Article'];
	const operation = ['upsert', 'create', 'lookUp'][random.below(3)] ?? 'upsert';
	const several = ['fail', 'first', 'all'][random.below(3)] ?? 'fail';
	const input = items.map(asInput);
	const parametersFor = (at: Trial, how: string): INodeParameters => {
		if (operation === 'lookUp')
			return {
				...at.inGrid,
				matchBy: { key: keys.map((column) => ({ column, value: `={{ $json.${column} }}` })) },
				whenSeveral: several,
				options: { findRows: how },
			};
		if (operation === 'create')
			return { ...at.inGrid, ...at.auto(), options: { avoidDuplicatesBy: keys, findRows: how } };
		return { ...at.inGrid, ...at.auto(keys), options: { findRows: how, whenSeveral: several } };
	};
	const [single, whole] = await bothWays(trial, async (at, how) => {
		await at.grid.fill(there.map((cells) => at.kept(cells)));
		return await endOf(at, operation, parametersFor(at, how), input);
	});
	same(`Find Rows, ${operation} by ${keys.join(' and ')} (${several})`, whole, single);
	sameAsModel({ trial, there, items, keys, operation, several }, single);
}

interface Drawn {
	trial: Trial;
	there: Cells[];
	items: Cells[];
	keys: ColumnName[];
	operation: string;
	several: string;
}

/** How many rows of the grid each item has to find, by a plain comparison. */
function sameAsModel({ trial, there, items, keys, operation, several }: Drawn, end: End | undefined): void {
	if (operation !== 'lookUp' || !end) return;
	const keyOf = (cells: Cells) => JSON.stringify(keys.map((name) => comparable(trial, cells)[name] ?? null));
	const counts = items.map((item) => there.filter((cells) => keyOf(cells) === keyOf(item)).length);
	const rows = counts.map((count) =>
		count > 1 && several === 'fail' ? 'error' : several === 'all' ? Math.max(count, 1) : 1,
	);
	const expected = rows.flatMap((count) =>
		count === 'error' ? ['error'] : Array.from({ length: count }, () => 'row'),
	);
	same(
		'Look Up: rows of output',
		end.rows.map((row) => (record.parse(row)['failed'] === undefined ? 'row' : 'error')),
		expected,
	);
	const unmatched = end.rows.filter((row) => record.parse(row)['row'] === null).length;
	same('Look Up: items without a row', unmatched, counts.filter((count) => count === 0).length);
}

async function endOf(
	trial: Trial,
	operation: string,
	parameters: INodeParameters,
	input: IDataObject[],
): Promise<End> {
	const run = await trial.run(entity(operation), parameters, input, { onError: 'continueRegularOutput' });
	const rows = trial.inward(run.rows).map((row) => withoutIds(row));
	const grid = inOneSpelling(trial, await trial.grid.rows()).map(({ cells }) => cells);
	return { error: run.error && told(run.error), rows, grid: sorted(grid) };
}

/** Rows are created side by side, so their order in the grid is nobody's promise. */
const sorted = (rows: Cells[]) =>
	rows
		.map((cells) => ({ cells, text: JSON.stringify(Object.entries(cells).sort()) }))
		.sort((one, other) => (one.text < other.text ? -1 : 1))
		.map(({ cells }) => cells);

/** Which rows an error lists differs from grid to grid, too. */
function withoutIds(row: Json): Json {
	const { error, row: found, _changes, ...members } = without(record.parse(row), '_id');
	const changes = Array.isArray(_changes)
		? { _changes: _changes.map((change) => without(record.parse(change), 'fieldId')) }
		: {};
	const named = (cells: Record<string, Json>) =>
		Object.fromEntries(Object.entries(cells).map(([name, cell]) => [columnNamed(name), cell]));
	const text = typeof error === 'string' ? { failed: error.replace(/[0-9a-f]{24}/g, '#') } : {};
	const linked =
		found === undefined ? {} : { row: found === null ? null : named(without(record.parse(found), '_id')) };
	return { ...named(members), ...changes, ...linked, ...text };
}

export const keyedProbes: Probe[] = [{ name: 'find rows', every: 8, run: findRows }];
