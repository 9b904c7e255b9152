import { z } from 'zod/v4';
import { same } from '../difference';
import type { Cells } from '../truth';
import type { Trial } from '../trial';
import { SYNC, type Probe } from './probe';
import { asInput, momentSpelled, newCells, sameRows, someRows, textIn } from './rows';

const report = z.looseObject({
	created: z.number(),
	updated: z.number(),
	unchanged: z.number(),
	deleted: z.number(),
	failed: z.number(),
});
const counts = (row: unknown) => {
	const { created, updated, unchanged, deleted, failed } = report.parse(row);
	return { created, updated, unchanged, deleted, failed };
};

/** The grid becomes what the input is, and a second run has nothing to do. */
async function mirror(trial: Trial): Promise<void> {
	const before = await someRows(trial, 5);
	const [unchanged, changed, emptied] = before;
	if (!unchanged || !changed || !emptied) throw new Error('No rows');
	const at = textIn(unchanged, 'At');
	const fresh: Cells = { ...newCells(trial), Note: '' };
	const input: Cells[] = [
		{ ...unchanged.cells, At: momentSpelled(Date.parse(at), trial.random.below(4)) },
		{ ...changed.cells, Size: 5000, error: 'changed' },
		{ ...emptied.cells, Note: '', error: '' },
		fresh,
	];
	const parameters = {
		...trial.inGrid,
		...trial.auto(['Article']),
		rowsNotInInput: 'delete',
		output: 'report',
		options: { deletionLimit: 100 },
	};
	await trial.rows(SYNC, parameters, input.map(asInput));
	const rows = await trial.grid.rows();
	const made = rows.find(({ cells }) => cells['Article'] === fresh['Article'])?.id ?? '';
	const ids = [unchanged.id, changed.id, emptied.id, made];
	await sameRows(
		trial,
		'sync: rows',
		input.map((cells, index) => ({ id: ids[index] ?? '', cells })),
	);
	const events = (await trial.grid.events()).length;
	const [again] = await trial.rows(SYNC, parameters, input.map(asInput));
	same('sync: the second run', counts(again), {
		created: 0,
		updated: 0,
		unchanged: 4,
		deleted: 0,
		failed: 0,
	});
	same('sync: changes of the second run', (await trial.grid.events()).length, events);
}

async function mirrorByMoment(trial: Trial): Promise<void> {
	const before = await someRows(trial, 2);
	const input = before.map((row, index) => ({
		...row.cells,
		At: momentSpelled(Date.parse(textIn(row, 'At')), index + trial.random.below(4)),
	}));
	if (new Set(input.map(({ At }) => Date.parse(At))).size < input.length) return;
	const parameters = { ...trial.inGrid, ...trial.auto(['At']), output: 'report' };
	const [row] = await trial.rows(SYNC, parameters, input.map(asInput));
	same('sync by a moment: the report', counts(row), {
		created: 0,
		updated: 0,
		unchanged: 2,
		deleted: 0,
		failed: 0,
	});
	await sameRows(trial, 'sync by a moment: rows', before);
}

export const syncProbes: Probe[] = [
	{ name: 'entity.sync', every: 2, run: mirror },
	{ name: 'entity.sync, by a moment', every: 6, run: mirrorByMoment },
];
