import { holds, same } from '../difference';
import type { TrueRow } from '../truth';
import type { World } from '../world';
import { entity, type Probe } from './probe';
import { comparable, entityId, inOneSpelling, rowOf, someRows } from './rows';

const read = (world: World, rows: readonly Parameters<typeof rowOf>[1][]): TrueRow[] =>
	rows.map((row) => rowOf(world, row));

async function getRow(world: World): Promise<void> {
	const rows = await someRows(world, 2);
	const wanted = rows[world.random.below(rows.length)];
	if (!wanted) throw new Error('No row');
	const found = await world.rows(entity('get'), { ...world.inGrid, ...entityId(world, wanted.id) });
	same('get: the row', read(world, found), inOneSpelling(world, [wanted]));
}

async function getAll(world: World): Promise<void> {
	const rows = await someRows(world, world.random.below(30));
	const found = await world.rows(entity('getMany'), { ...world.inGrid, returnAll: true });
	same('getMany: all rows', read(world, found), inOneSpelling(world, rows));
	const limited = await world.rows(entity('getMany'), { ...world.inGrid, returnAll: false, limit: 5 });
	same('getMany: the first five rows', read(world, limited), inOneSpelling(world, rows.slice(0, 5)));
}

async function getSelected(world: World): Promise<void> {
	const rows = await someRows(world, 9);
	const kind = world.random.chance(0.5) ? 'new' : 'done';
	const found = await world.rows(entity('getMany'), {
		...world.inGrid,
		returnAll: true,
		conditions: { condition: [{ column: 'Kind', operator: '$eq', value: kind }] },
		sort: { by: [{ column: 'Size', direction: 'ascending' }] },
	});
	const expected = rows
		.filter(({ cells }) => cells['Kind'] === kind)
		.sort((a, b) => Number(a.cells['Size']) - Number(b.cells['Size']));
	same('getMany, filtered and sorted: how many', found.length, expected.length);
	const sizes = (list: readonly TrueRow[]) => list.map(({ cells }) => cells['Size']);
	same('getMany, filtered and sorted: the order', sizes(read(world, found)), sizes(expected));
	same(
		'getMany, filtered and sorted: the rows',
		new Set(read(world, found).map(({ id }) => id)),
		new Set(expected.map(({ id }) => id)),
	);
}

/** A search shows at least the first four columns (§4.4); full entities are all of each row. */
async function searchRows(world: World): Promise<void> {
	const rows = await someRows(world, 12);
	const parameters = { ...world.inGrid, matching: 'G-1', returnAll: true };
	const inFull = await world.rows(entity('search'), { ...parameters, fullEntities: true });
	same('search with full entities: rows', read(world, inFull), inOneSpelling(world, rows));
	const found = read(world, await world.rows(entity('search'), parameters));
	same(
		'search: ids',
		found.map(({ id }) => id),
		rows.map(({ id }) => id),
	);
	for (const { id, cells } of found) {
		const whole = comparable(world, rows.find((row) => row.id === id)?.cells ?? {});
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
	{ name: 'entity.search', every: 4, run: searchRows },
];
