import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { holds, same } from '../difference';
import type { TrueRow } from '../truth';
import type { Trial } from '../trial';
import { entity, type Probe } from './probe';
import { comparable, entityId, inOneSpelling, rowOf, someRows } from './rows';

const read = (trial: Trial, rows: readonly Parameters<typeof rowOf>[1][]): TrueRow[] =>
	rows.map((row) => rowOf(trial, row));

async function getRow(trial: Trial): Promise<void> {
	const rows = await someRows(trial, 2);
	const wanted = rows[trial.random.below(rows.length)];
	if (!wanted) throw new Error('No row');
	const found = await trial.rows(entity('get'), { ...trial.inGrid, ...entityId(trial, wanted.id) });
	same('get: the row', read(trial, found), inOneSpelling(trial, [wanted]));
}

async function getAll(trial: Trial): Promise<void> {
	const rows = await someRows(trial, trial.random.below(30));
	const found = await trial.rows(entity('getMany'), { ...trial.inGrid, returnAll: true });
	same('getMany: all rows', read(trial, found), inOneSpelling(trial, rows));
	const limited = await trial.rows(entity('getMany'), { ...trial.inGrid, returnAll: false, limit: 5 });
	same('getMany: the first five rows', read(trial, limited), inOneSpelling(trial, rows.slice(0, 5)));
}

async function getSelected(trial: Trial): Promise<void> {
	const rows = await someRows(trial, 9);
	const kind = trial.random.chance(0.5) ? 'new' : 'done';
	const found = await trial.rows(entity('getMany'), {
		...trial.inGrid,
		returnAll: true,
		conditions: { condition: [{ column: 'Kind', operator: '$eq', value: kind }] },
		options: { sort: { by: [{ column: 'Size', direction: 'ascending' }] } },
	});
	const expected = rows
		.filter(({ cells }) => cells['Kind'] === kind)
		.sort((a, b) => Number(a.cells['Size']) - Number(b.cells['Size']));
	same('getMany, filtered and sorted: how many', found.length, expected.length);
	const sizes = (list: readonly TrueRow[]) => list.map(({ cells }) => cells['Size']);
	same('getMany, filtered and sorted: the order', sizes(read(trial, found)), sizes(expected));
	same(
		'getMany, filtered and sorted: the rows',
		new Set(read(trial, found).map(({ id }) => id)),
		new Set(expected.map(({ id }) => id)),
	);
}

const cursorRow = z.object({ _cursor: z.string().nullable() });
const batchRow = z.record(z.string(), z.json());

/** Each batch begins where the last one ended. */
async function getBatches(trial: Trial): Promise<void> {
	const rows = await someRows(trial, trial.random.below(30));
	const limit = 1 + trial.random.below(9);
	const found: Parameters<typeof rowOf>[1][] = [];
	let batchCursor: string | null = '';
	while (batchCursor !== null) {
		const parameters: INodeParameters = { ...trial.inGrid, limit, options: { batchCursor } };
		for (const row of await trial.rows(entity('getMany'), parameters)) {
			const values = batchRow.parse(row);
			delete values['_cursor'];
			found.push(values);
		}
		// A cursor goes back as it came, with the ids of this service.
		const [row]: object[] = (await trial.run(entity('getMany'), parameters)).rows;
		batchCursor = row ? cursorRow.parse(row)._cursor : null;
	}
	same('getMany, in batches: all rows', read(trial, found), inOneSpelling(trial, rows));
}

/** A search shows at least the first four columns (§4.4); full entities are all of each row. */
async function searchRows(trial: Trial): Promise<void> {
	const rows = await someRows(trial, 12);
	const parameters = { ...trial.inGrid, searchText: 'G-1', returnAll: true };
	const inFull = await trial.rows(entity('getMany'), parameters);
	same('search: full rows', read(trial, inFull), inOneSpelling(trial, rows));
	const preview = { ...parameters, options: { onlyFirstColumns: true } };
	const found = read(trial, await trial.rows(entity('getMany'), preview));
	same(
		'search: ids',
		found.map(({ id }) => id),
		rows.map(({ id }) => id),
	);
	for (const { id, cells } of found) {
		const whole = comparable(trial, rows.find((row) => row.id === id)?.cells ?? {});
		const { Article, Size } = whole;
		holds(
			`search: a preview holds the first columns`,
			cells['Article'] === Article && cells['Size'] === Size,
			cells,
		);
	}
}

export const readProbes: Probe[] = [
	{ name: 'entity.get', every: 2, run: getRow },
	{ name: 'entity.getMany', every: 2, run: getAll },
	{ name: 'entity.getMany, selected', every: 4, run: getSelected },
	{ name: 'entity.getMany, in batches', every: 4, run: getBatches },
	{ name: 'entity.search', every: 4, run: searchRows },
];
