import { World } from '../../../../testbed/world/world';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';

/**
 * Columns may be named like built-in properties of objects. (The embedded service refuses the
 * name `__proto__`.)
 */
const world = World.forTests();
let grid: WorldGrid;

beforeEach(async () => {
	grid = await world.grid({ constructor: 'string', toString: 'string' });
});

/** Parses JSON, so that the members are own properties, as in items of n8n. */
const item = (text: string) => JSON.parse(text) as Record<string, string>;
const ADA = '{"constructor":"Ada","toString":"Lovelace"}';
const stored = async () =>
	(await grid.rows()).map((row) => ['constructor', 'toString'].map((name) => Object.entries(row).find(([own]) => own === name)?.[1])); // prettier-ignore

test('columns named like built-in properties are written and read', async () => {
	const { rows, error } = await grid.run('create', grid.auto(), [item(ADA)]);
	expect(error).toBeUndefined();
	expect(rows).toEqual([expect.objectContaining({ constructor: 'Ada', toString: 'Lovelace' })]);
	expect(await stored()).toEqual([['Ada', 'Lovelace']]);
	const { rows: read } = await grid.run('getMany', { returnAll: true });
	expect(read).toEqual([expect.objectContaining({ constructor: 'Ada', toString: 'Lovelace' })]);
});

test('columns named like built-in properties can be used in JSON filters and sorting', async () => {
	await grid.run('create', grid.auto(), [item(ADA), item('{"constructor":"Bo","toString":"Berg"}')]);
	const selection = (filter: string, sorting: string) => ({
		returnAll: true,
		options: { filter, sorting },
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
