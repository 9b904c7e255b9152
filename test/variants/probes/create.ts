import { z } from 'zod/v4';
import { same } from '../difference';
import type { Trial } from '../trial';
import { entity, type Probe } from './probe';
import { asInput, comparable, newCells, pairing, rowOf, sameRows, someRows } from './rows';

const outcome = z.looseObject({ _id: z.string(), _outcome: z.string() });

async function createRows(trial: Trial): Promise<void> {
	const { random } = trial;
	await someRows(trial, 2);
	const before = await trial.grid.rows();
	const wanted = Array.from({ length: 1 + random.below(4) }, () => newCells(trial));
	const full = random.chance(0.5) ? { return: 'entity', options: { readRowsBack: true } } : {};
	// A row is no failed item, whatever its columns are called: nothing is to be repeated.
	const run = await trial.run(
		entity('create'),
		{ ...trial.inGrid, ...trial.auto(), ...full },
		wanted.map(asInput),
		{
			retryOnFail: true,
		},
	);
	same('create: an error', run.error?.message, undefined);
	const output = trial.inward(run.rows).map((row) => rowOf(trial, row));
	const added = (await trial.grid.rows()).slice(before.length);
	const byArticle = new Map(added.map(({ id, cells }) => [cells['Article'], id]));
	const expected = wanted.map((cells) => ({
		id: byArticle.get(cells['Article'] ?? '') ?? '',
		cells: comparable(trial, cells),
	}));
	await sameRows(trial, 'create: rows of the grid', [...before, ...expected]);
	same('create: rows of output', output, expected);
	same(
		'create: pairing',
		pairing(run.items),
		wanted.map((_cells, item) => ({ item })),
	);
}

async function avoidDuplicates(trial: Trial): Promise<void> {
	const [there] = await someRows(trial, 2);
	const before = await trial.grid.rows();
	const again = { ...there?.cells };
	const fresh = newCells(trial);
	const parameters = { ...trial.inGrid, ...trial.auto(), options: { avoidDuplicatesBy: ['Article', 'At'] } };
	const rows = await trial.rows(entity('create'), parameters, [again, fresh, fresh].map(asInput));
	same(
		'create, avoiding duplicates: outcomes',
		rows.map((row) => outcome.parse(row)._outcome),
		['existing', 'created', 'existing'],
	);
	const made = outcome.parse(rows[1])._id;
	await sameRows(trial, 'create, avoiding duplicates: rows', [...before, { id: made, cells: fresh }]);
}

export const createProbes: Probe[] = [
	{ name: 'entity.create', every: 2, run: createRows },
	{ name: 'entity.create, avoiding duplicates', every: 4, run: avoidDuplicates },
];
