import { z } from 'zod/v4';
import { holds, same } from '../difference';
import { jsonSchema } from '../exchange';
import type { Cells } from '../truth';
import type { Trial } from '../trial';
import { entity, type Probe } from './probe';
import { asInput, comparable, inOneSpelling, newCells, pairing, rowOf, sameRows, someRows } from './rows';

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

/** Items that name columns by their keys, one of which is the name of another column. */
async function createByKeys(trial: Trial): Promise<void> {
	if (!trial.showsKeys) return;
	const article = trial.article();
	const input = { article, size: 3, Kind: true, kind: 'done', json: 'G-7' };
	await trial.rows(entity('create'), { ...trial.inGrid, ...trial.auto() }, [input]);
	same(
		'create by keys: rows',
		(await trial.grid.rows()).map(({ cells }) => cells),
		[{ Article: article, Size: 3, Open: true, Kind: 'done', Group: 'G-7' }],
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

/** The older representation names no keys. */
const NAME_AND_KEY: [string, Record<string, unknown>] = [
	'name and key of one column',
	{ Article: 'Art-0', Size: 1, size: 2 },
];

/** What does not fit its column, and what is not clear, is refused before anything is written. */
async function refuseItems(trial: Trial): Promise<void> {
	const before = await someRows(trial, 1);
	const article = trial.article();
	const bad: Array<[string, Record<string, unknown>]> = [
		['a number beyond all', { Article: article, Price: '1e400' }],
		['an integer that no number holds exactly', { Article: article, Size: '9007199254740993' }],
		['a decimal of more digits than a number holds', { Article: article, Price: '1234567890.123456789' }],
		['half a date', { Article: article, Due: '2026-01' }],
		['a day that is none', { Article: article, At: '2026-02-30T10:00' }],
		...(trial.showsKeys ? [NAME_AND_KEY] : []),
		['nothing that is a column', { Nothing: article }],
	];
	for (const [what, item] of bad) {
		const input = jsonSchema.parse(item);
		const run = await trial.run(entity('create'), { ...trial.inGrid, ...trial.auto() }, [
			z.custom<Cells>().parse(input),
		]);
		holds(`create with ${what}: was not refused`, run.error !== undefined, run.rows);
		await sameRows(trial, `create with ${what}: rows`, before);
	}
}

/**
 * As people type values, and as CSV files hold them: what they are is known by the column alone.
 */
async function createFromTexts(trial: Trial): Promise<void> {
	const article = trial.article();
	const At = '2026-03-01T12:00:00.000Z';
	const texts = {
		Article: article,
		Size: '3',
		Price: '1.50',
		Open: 'true',
		Kind: 'new',
		Tags: '["a","b"]',
		At,
	};
	await trial.rows(entity('create'), { ...trial.inGrid, ...trial.auto() }, [texts]);
	const rows = inOneSpelling(trial, await trial.grid.rows());
	same(
		'create from texts: rows',
		rows.map(({ cells }) => cells),
		[{ Article: article, Size: 3, At, Price: 1.5, Open: true, Kind: 'new', Tags: ['a', 'b'] }],
	);
}

/** An expression may give a Date: in a column of days it is the day in the workflow's time zone. */
async function createFromDates(trial: Trial): Promise<void> {
	const before = await someRows(trial, 0);
	const article = trial.article();
	const values = {
		Article: article,
		Due: '={{ new Date("2026-01-14T23:30:00Z") }}',
		At: '={{ new Date("2026-01-14T23:30:00Z") }}',
	};
	await trial.rows(entity('create'), { ...trial.inGrid, ...trial.mapped(values) }, [{}], {
		timezone: 'Europe/Berlin',
	});
	const rows = inOneSpelling(trial, await trial.grid.rows());
	same(
		'create from Dates: rows',
		rows.slice(before.length).map(({ cells }) => cells),
		[{ Article: article, Due: '2026-01-15', At: '2026-01-14T23:30:00.000Z' }],
	);
}

export const createProbes: Probe[] = [
	{ name: 'entity.create', every: 2, run: createRows },
	{ name: 'entity.create, avoiding duplicates', every: 4, run: avoidDuplicates },
	{ name: 'entity.create, by keys', every: 8, run: createByKeys },
	{ name: 'entity.create, refusals', every: 6, run: refuseItems },
	{ name: 'entity.create, from texts', every: 8, run: createFromTexts },
	{ name: 'entity.create, from dates', every: 8, run: createFromDates },
];
