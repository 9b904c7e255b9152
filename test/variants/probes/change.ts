import { z } from 'zod/v4';
import { same } from '../difference';
import type { Cells, TrueRow } from '../truth';
import type { Trial } from '../trial';
import { entity, type Probe } from './probe';
import {
	asInput,
	inOneSpelling,
	momentSpelled,
	newCells,
	NOON,
	rowOf,
	sameRows,
	someRows,
	textIn,
} from './rows';

const changed = (rows: readonly TrueRow[], id: string, cells: Cells): TrueRow[] =>
	rows.map((row) => (row.id === id ? { id, cells: { ...row.cells, ...cells } } : row));

const outcome = z.looseObject({ _id: z.string(), _outcome: z.string() });
const outcomes = (rows: readonly unknown[]) => rows.map((row) => outcome.parse(row)._outcome);

/** Several items of one row: the last one wins, for each column that it names. */
async function updateRows(trial: Trial): Promise<void> {
	const before = await someRows(trial, 3);
	const target = before[trial.random.below(before.length)];
	const other = before.find(({ id }) => id !== target?.id);
	if (!target || !other) throw new Error('No rows');
	const sizes = Array.from({ length: 6 }, (_one, index) => 100 + index);
	const input = [...sizes.map((Size) => ({ id: target.id, Size })), { id: other.id, Size: 7 }];
	const ids = Object.fromEntries(before.map(({ id }) => [id, trial.shown(id)]));
	const rows = await trial.rows(
		entity('update'),
		{
			...trial.inGrid,
			entity: { __rl: true, mode: 'id', value: '={{ $json.row }}' },
			...trial.mapped({ Size: '={{ $json.Size }}', Note: 'changed' }),
		},
		input.map(({ id, Size }) => ({ row: ids[id] ?? '', Size })),
	);
	const expected = changed(changed(before, target.id, { Size: 105, Note: 'changed' }), other.id, {
		Size: 7,
		Note: 'changed',
	});
	await sameRows(trial, 'update: rows of the grid', expected, true);
	same(
		'update: rows of output',
		rows.map((row) => rowOf(trial, row)),
		inOneSpelling(
			trial,
			input.map(({ id, Size }) => ({
				id,
				cells: { ...before.find((row) => row.id === id)?.cells, Size, Note: 'changed' },
			})),
		),
	);
}

async function upsertRows(trial: Trial): Promise<void> {
	const before = await someRows(trial, 3);
	const [first, second] = before;
	if (!first || !second) throw new Error('No rows');
	// The same article in other letters is another one.
	const otherCase = textIn(first, 'Article').toUpperCase();
	const fresh = newCells(trial);
	// Random sizes may be the very ones; to write them again would change nothing.
	const firstSize = first.cells['Size'] === 1 ? 4 : 1;
	const freshSize = fresh['Size'] === 3 ? 4 : 3;
	const input: Cells[] = [
		{ Article: first.cells['Article'] ?? '', Size: firstSize },
		fresh,
		{ Article: otherCase, Size: 2 },
		{ Article: fresh['Article'] ?? '', Size: freshSize },
		{ Article: second.cells['Article'] ?? '', Size: second.cells['Size'] ?? 0 },
	];
	const rows = await trial.rows(
		entity('upsert'),
		{ ...trial.inGrid, ...trial.auto(['Article']) },
		input.map(asInput),
	);
	same('upsert: outcomes', outcomes(rows), ['updated', 'created', 'created', 'updated', 'unchanged']);
	const made = (index: number) => outcome.parse(rows[index])._id;
	await sameRows(trial, 'upsert: rows of the grid', [
		...changed(before, first.id, { Size: firstSize }),
		{ id: made(1), cells: { ...fresh, Size: freshSize } },
		{ id: made(2), cells: { Article: otherCase, Size: 2 } },
	]);
	same('upsert: the row made first and the row changed then', made(1), made(3));
}

/** One moment in several spellings is one key. */
async function upsertByMoment(trial: Trial): Promise<void> {
	const there = [0, 1, 2].map((how) => ({
		...newCells(trial),
		At: momentSpelled(NOON + how * 3_600_000, how),
	}));
	await trial.grid.fill(there.map((cells) => trial.kept(cells)));
	const before = await trial.grid.rows();
	const input = [0, 1, 2].map((how) => ({
		At: momentSpelled(NOON + how * 3_600_000, how + 1 + trial.random.below(3)),
		Size: how,
	}));
	const rows = await trial.rows(entity('upsert'), { ...trial.inGrid, ...trial.auto(['At']) }, input);
	const expected = before.map(({ id, cells }, Size) => ({ id, cells: { ...cells, Size } }));
	await sameRows(trial, 'upsert by a moment in another spelling: rows', expected, true);
	same('upsert by a moment in another spelling: rows of output', rows.length, 3);
}

/** All rows that match are changed, however many there are. */
async function upsertAll(trial: Trial): Promise<void> {
	const before = await someRows(trial, 23);
	const parameters = { ...trial.inGrid, ...trial.auto(['Group']), options: { whenSeveral: 'all' } };
	const rows = await trial.rows(entity('upsert'), parameters, [{ Group: 'G-1', Note: 'all of them' }]);
	same('upsert of all that match: rows of output', rows.length, before.length);
	await sameRows(
		trial,
		'upsert of all that match: rows',
		before.map(({ id, cells }) => ({ id, cells: { ...cells, Note: 'all of them' } })),
	);
}

async function deleteRows(trial: Trial): Promise<void> {
	const before = await someRows(trial, 3);
	const [first, , third] = before;
	if (!first || !third) throw new Error('No rows');
	const rows = await trial.rows(
		entity('delete'),
		{ ...trial.inGrid, entity: { __rl: true, mode: 'id', value: '={{ $json.row }}' } },
		[{ row: trial.shown(first.id) }, { row: trial.shown(third.id) }],
	);
	same('delete: rows of output', rows, [
		{ deleted: true, _id: first.id },
		{ deleted: true, _id: third.id },
	]);
	await sameRows(trial, 'delete: rows', before.slice(1, 2));
}

export const changeProbes: Probe[] = [
	{ name: 'entity.update', every: 2, run: updateRows },
	{ name: 'entity.upsert', every: 2, run: upsertRows },
	{ name: 'entity.upsert, by a moment', every: 4, run: upsertByMoment },
	{ name: 'entity.upsert, all that match', every: 8, run: upsertAll },
	{ name: 'entity.delete', every: 4, run: deleteRows },
];
