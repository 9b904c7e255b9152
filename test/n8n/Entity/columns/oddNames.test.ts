import { World } from '../../../../testbed/world/world';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';

/**
 * Names of members that every object of JavaScript has: columns may be called so. (`__proto__` is
 * no name in the embedded service.)
 */
let world: World;
let grid: WorldGrid;

beforeAll(async () => {
	world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
	grid = await world.grid({ constructor: 'string', toString: 'string' });
});

/** As an item comes from n8n: with members of its own. */
const item = (text: string) => JSON.parse(text) as Record<string, string>;
const ADA = '{"constructor":"Ada","toString":"Lovelace"}';
const stored = async () =>
	(await grid.rows()).map((row) => ['constructor', 'toString'].map((name) => Object.entries(row).find(([own]) => own === name)?.[1])); // prettier-ignore

test('are written from the input, and read again', async () => {
	const { rows, error } = await grid.run('create', grid.auto(), [item(ADA)]);
	expect(error).toBeUndefined();
	expect(rows).toEqual([expect.objectContaining({ constructor: 'Ada', toString: 'Lovelace' })]);
	expect(await stored()).toEqual([['Ada', 'Lovelace']]);
	const { rows: read } = await grid.run('getMany', { returnAll: true });
	expect(read).toEqual([expect.objectContaining({ constructor: 'Ada', toString: 'Lovelace' })]);
});

test('can be keys of a sync, which finds the rows again', async () => {
	const twice = async () =>
		await grid.run('sync', grid.auto(['constructor']), [item(ADA)], { resource: 'bulk' });
	expect((await twice()).rows).toMatchObject([{ _outcome: 'created', constructor: 'Ada' }]);
	expect((await twice()).rows).toEqual([]);
	expect(await stored()).toEqual([['Ada', 'Lovelace']]);
});

test('can be used in filters and sorting as JSON', async () => {
	await grid.run('create', grid.auto(), [item(ADA), item('{"constructor":"Bo","toString":"Berg"}')]);
	const selection = (filter: string, sorting: string) => ({
		returnAll: true,
		selectBy: 'json',
		filter,
		sorting,
	});
	const chosen = async (filter: string, sorting = '') => {
		const { rows, error } = await grid.run('getMany', selection(filter, sorting));
		expect(error).toBeUndefined();
		return rows.map((row) => row['toString']);
	};
	expect(await chosen('{"constructor":{"$eq":"Ada"}}')).toEqual(['Lovelace']);
	expect(await chosen('{"toString":{"$eq":"Berg"}}')).toEqual(['Berg']);
	expect(await chosen('', '{"toString":{"$order":"ascending"}}')).toEqual(['Berg', 'Lovelace']);
	const { error } = await grid.run('getMany', selection('', '{"constructor":"ascending"}'));
	expect(error?.message).toContain('"Sorting (JSON)" (constructor) cannot be used');
});
