import { z } from 'zod/v4';
import { Caller, object } from '../../contract/service/http';
import { World } from '../../../testbed/world/world';

const rows = [
	{ Item: 'Ölkanne', Count: 3, Price: 1.5, Since: '2026-01-01T12:00:00.000Z', Open: true },
	{ Item: '0042', Count: 0, Price: null, Since: null, Open: false },
	{ Item: 'a "quoted", text\nof two lines', Count: -1, Price: 0.1, Since: null, Open: null },
];
const types = { Item: 'string', Count: 'integer', Price: 'decimal', Since: 'date-time', Open: 'boolean' };

let here: World;
let there: World;
beforeAll(async () => {
	[here, there] = await Promise.all([World.start(), World.start()]);
});
afterAll(() => Promise.all([here.stop(), there.stop()]));

const callerOf = ({ service }: World) =>
	Caller.basic(service.url, service.userId, service.key, service.secret);

test('a grid moves from one service to another as CSV with unchanged values', async () => {
	const source = await here.grid(types);
	await source.fill(rows);
	const from = `/api/users/${here.service.userId}/spaces/${here.spaceId}/grids/${source.grid.id}`;
	const exported = await callerOf(here).get(`${from}/csv`);

	const target = callerOf(there);
	const space = `/api/users/${there.service.userId}/spaces/${there.spaceId}`;
	const body = { name: 'Moved', file: exported.text, types };
	const grid = await target.create(`${space}/uploadCSV`, body);
	const copied = await target.get(`${grid}/csv`);
	expect(copied.text).toBe(exported.text);
	const schema = (reply: unknown) =>
		Object.values(object(object(reply)['properties'])).map((field) => [object(field)['title'], object(object(field)['x-type'])['name']]); // prettier-ignore
	const [before, after] = [await callerOf(here).get(`${from}/schema`), await target.get(`${grid}/schema`)];
	expect(schema(after.json())).toEqual(schema(before.json()));
});

test('Sync works with another service after changing only base URL, key and grid', async () => {
	const [source, target] = [await here.grid(types), await there.grid(types)];
	await source.fill(rows);
	const cells = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])));
	const settings = {
		...target.auto(['Item']),
		rowsNotInInput: 'delete',
		output: 'report',
		options: { deletionLimit: 100 },
	};
	const sync = async () =>
		target.run('sync', settings, cells.parse(await source.rows()), { resource: 'entity' });
	const first = await sync();
	expect(first.error).toBeUndefined();
	expect(await target.rows()).toEqual(await source.rows());
	await source.fill([{ Item: 'new', Count: 7 }]);
	const again = await sync();
	expect(again.rows[0]).toMatchObject({ created: 1, updated: 0, deleted: 0, unchanged: 3 });
	expect(await target.rows()).toEqual(await source.rows());
});
