import { startFaultProxy, type FaultProxy, type Rule } from '../../../../testbed/proxy/faultProxy';
import { World } from '../../../../testbed/world/world';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';
import { importFile } from './stockGrid';

/** Two processes of n8n: runs at different addresses of a service share nothing. */
const world = World.forTests();
let grid: WorldGrid;
let proxies: FaultProxy[] = [];

beforeEach(async () => {
	grid = await world.grid({ Item: 'string' });
	proxies = [await startFaultProxy(world.service.url), await startFaultProxy(world.service.url)];
});
afterEach(async () => {
	for (const proxy of proxies) await proxy.stop();
});

const ADD = { missingColumns: 'add' };
const isAddition = ({ path }: { path: string }) => path.endsWith('/ColumnAdd');

async function fieldsOf({ grid: { address } }: WorldGrid) {
	const client = world.newClient();
	const { spaceId, gridId } = address;
	return await client.fields.of(await client.grids.open({ spaceId, gridId }));
}

const run = async (operation: 'sync' | 'importFile', number: number) => {
	const settings = { baseUrl: proxies[number]?.url ?? '' };
	if (operation === 'importFile')
		return await importFile(grid, `Item,Count\nItem ${number},${number}\n`, { options: ADD }, settings);
	const input = [{ Item: `Item ${number}`, Count: number }];
	return await grid.run('sync', { ...grid.auto(['Item']), options: ADD }, input, settings);
};

/** Both processes add the column before either looks at the other's. @param rule of each */
async function together(
	operation: 'sync' | 'importFile',
	rule: (number: number) => Rule = () => () => undefined,
) {
	let arrived = 0;
	let open = () => {};
	const both = new Promise<void>((resolve) => (open = resolve));
	for (const [number, proxy] of proxies.entries())
		proxy.setRules(async (request) => {
			if (!isAddition(request)) return undefined;
			if (++arrived === 2) open();
			await both;
			return undefined;
		}, rule(number));
	const runs = await Promise.all([run(operation, 0), run(operation, 1)]);
	expect(runs.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
	expect(arrived).toBe(2);
	// Only the run whose column stays has added it.
	expect(runs.flatMap(({ hints }) => hints.filter((hint) => hint.includes('Added to')))).toHaveLength(1);
	const [item, count, ...others] = await fieldsOf(grid);
	expect([item?.name, others]).toEqual(['Item', []]);
	const { items } = await world.newClient().entities.many(grid.grid);
	expect(items.map((row) => [row[item?.id ?? ''], row[count?.id ?? '']]).sort()).toEqual([
		['Item 0', 0],
		['Item 1', 1],
	]);
}

/** Lets the service have several columns of a name, as far as a process sees it. */
const severalOfName =
	(number: number): Rule =>
	({ body }) => ({
		kind: 'change',
		request: { body: body.replaceAll('"Count"', `"Count#${number}"`) },
		response: (response) => ({ body: response.body.replaceAll(/Count#\d/g, 'Count') }),
	});

describe.each(['sync', 'importFile'] as const)('%s of two processes adds a column once', (operation) => {
	test('if the service refuses a second one', async () => {
		await together(operation);
	});

	test('if the service has both', async () => {
		await together(operation, severalOfName);
	});
});

test('names a column that stays a duplicate, and writes nothing', async () => {
	const client = world.newClient();
	const { spaceId, gridId } = grid.grid.address;
	let isAdded = false;
	proxies[0]?.setRules(async (request) => {
		if (isAddition(request)) isAdded = true;
		else if (isAdded && request.method === 'GET') {
			isAdded = false;
			const column = { name: 'Count#1', type: { name: 'integer' } };
			await client.fields.add(await client.grids.open({ spaceId, gridId }), column);
		}
		return undefined;
	}, severalOfName(0));
	const { error } = await run('sync', 0);
	expect(error?.message).toMatch(/^The column "Count" of ".+" was added twice .*; nothing was written$/);
	expect(await world.newClient().entities.many(grid.grid)).toMatchObject({ items: [] });
	expect((await fieldsOf(grid)).map(({ name }) => name)).toEqual(['Item', 'Count#0', 'Count#1']);
});
