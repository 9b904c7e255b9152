import { z } from 'zod/v4';
import { holds, same } from '../difference';
import { endpointOf } from '../exchange';
import { meaningOf } from '../aspects/links';
import { told, type Trial } from '../trial';
import type { Cells, TrueRow } from '../truth';
import { entity, SYNC, type Probe } from './probe';
import { asInput, newCells, someRows } from './rows';

/** Number of pages before which another user changes the grid. */
const CHANGES = 3;

type Change = (trial: Trial, ids: string[]) => Promise<void>;

const remove: Change = async (trial, ids) => {
	const [id] = ids.splice(trial.random.below(ids.length), 1);
	if (id !== undefined) await trial.grid.remove(id);
};
const add: Change = async (trial) =>
	void (await trial.grid.fill([trial.kept({ ...newCells(trial), Size: 500 })]));
const change: Change = async (trial, ids) => {
	const id = ids[trial.random.below(ids.length)];
	if (id !== undefined) await trial.grid.change(id, { Size: trial.random.below(1000) });
};

/** One kind in each run: a removed and an added row together leave the counts as they were. */
const KINDS: readonly Change[] = [remove, add, change];

/**
 * Does work while another user changes the grid before each of the first pages that it reads, until
 * it writes: what another user deletes after a write is gone.
 * @param ids rows of the grid; those that are removed are taken out
 */
async function whileMoving<Result>(
	trial: Trial,
	ids: string[],
	work: () => Promise<Result>,
): Promise<Result> {
	const { random, trials } = trial;
	const kind = KINDS[random.below(KINDS.length)];
	const bySize = JSON.stringify({ [trial.shown(trial.grid.fieldId('Size'))]: { $order: 'ascending' } });
	// §4.5 does not say how a list is sorted by default: here by a value, which may change.
	const isSorted = random.chance(0.5);
	let pages = 0;
	trials.service.intercept = async ({ method, path, query }) => {
		if (method !== 'GET') pages = CHANGES;
		if (endpointOf(method, meaningOf(path)) !== 'entities') return undefined;
		if (isSorted && !query.has('sorting')) query.set('sorting', bySize);
		if (++pages <= CHANGES) await kind?.(trial, ids);
		return undefined;
	};
	try {
		return await work();
	} finally {
		trials.service.intercept = () => undefined;
	}
}

const articleOf = ({ Article }: Cells) => z.string().parse(Article);

/** Input that changes each row, and adds one. */
function inputFor(trial: Trial, rows: readonly TrueRow[]): Cells[] {
	const changed = rows.map(({ cells }) => ({ Article: cells['Article'] ?? null, Note: 'written' }));
	return [...changed, { Article: trial.article(), Note: 'written' }];
}

/** A run says that the grid changed, or that a row is gone, or each item is in exactly one row. */
async function sameAsInput(
	trial: Trial,
	what: string,
	input: readonly Cells[],
	error: Error | undefined,
): Promise<void> {
	if (error) {
		holds(`${what}: the error`, /chang|Resource not found/.test(told(error)), told(error));
		return;
	}
	const after = await trial.grid.rows();
	const articles = after.map(({ cells }) => articleOf(cells));
	same(`${what}: articles are different`, new Set(articles).size, articles.length);
	for (const article of input.map(articleOf)) {
		const row = after.find(({ cells }) => cells['Article'] === article);
		same(`${what}: the row of ${article}`, row?.cells['Note'], 'written');
	}
}

/** While Sync reads the grid, rows move: none of the input may be doubled, deleted or left out. */
async function syncMoving(trial: Trial): Promise<void> {
	const rows = await someRows(trial, 10 + trial.random.below(20));
	const input = inputFor(trial, rows);
	const deleteOthers = trial.random.chance(0.5);
	const rowsNotInInput = deleteOthers ? 'delete' : 'keep';
	const options = { deletionLimit: 100 };
	const parameters = { ...trial.inGrid, ...trial.auto(['Article']), rowsNotInInput, options };
	const ids = rows.map(({ id }) => id);
	const run = await whileMoving(
		trial,
		ids,
		async () => await trial.run(SYNC, parameters, input.map(asInput)),
	);
	await sameAsInput(trial, 'sync, rows that move', input, run.error);
	if (run.error) return;
	const after = (await trial.grid.rows()).map(({ id }) => id);
	same(
		'sync, rows that move: rows that stay',
		ids.filter((id) => !after.includes(id)),
		[],
	);
}

async function upsertMoving(trial: Trial): Promise<void> {
	const rows = await someRows(trial, 10 + trial.random.below(20));
	const input = inputFor(trial, rows);
	const findRows = trial.random.chance(0.5) ? 'allAtOnce' : 'automatic';
	const parameters = { ...trial.inGrid, ...trial.auto(['Article']), options: { findRows } };
	const ids = rows.map(({ id }) => id);
	const run = await whileMoving(
		trial,
		ids,
		async () => await trial.run(entity('upsert'), parameters, input.map(asInput)),
	);
	await sameAsInput(trial, 'upsert, rows that move', input, run.error);
}

/** While rows are selected, others move: those that meet the conditions are deleted, no others. */
async function deleteMoving(trial: Trial): Promise<void> {
	const rows = await someRows(trial, 10 + trial.random.below(20));
	const ids = rows.map(({ id }) => id);
	const [first, ...others] = ids;
	for (const id of others) if (trial.random.chance(0.5)) await trial.grid.change(id, { Kind: 'done' });
	if (first !== undefined) await trial.grid.change(first, { Kind: 'new' });
	const isDone = ({ cells }: TrueRow) => cells['Kind'] === 'done';
	const done = new Set((await trial.grid.rows()).filter(isDone).map(({ id }) => id));
	const parameters = {
		...trial.inGrid,
		conditions: { condition: [{ column: 'Kind', operator: '$eq', value: 'done' }] },
		options: { limitPercent: 100 },
	};
	const run = await whileMoving(trial, ids, async () => await trial.run(entity('deleteMany'), parameters));
	if (run.error) {
		holds('delete, rows that move: the error', told(run.error).includes('chang'), told(run.error));
		return;
	}
	const after = (await trial.grid.rows()).map(({ id }) => id);
	const expected = ids.filter((id) => !done.has(id));
	same(
		'delete, rows that move: rows that stay',
		ids.filter((id) => after.includes(id)),
		expected,
	);
}

export const movingProbes: Probe[] = [
	{ name: 'entity.sync, rows that move', every: 4, run: syncMoving },
	{ name: 'entity.upsert, rows that move', every: 4, run: upsertMoving },
	{ name: 'entity.deleteMany, rows that move', every: 4, run: deleteMoving },
];
