import { startFaultProxy } from '../../../testbed/proxy/faultProxy';
import { byId } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import type * as SkippedWaits from '../../fixtures/skippedWaits';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof SkippedWaits>('../../fixtures/skippedWaits').withoutWaits(),
);

let world: World;
let grid: WorldGrid;

beforeAll(async () => {
	world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
	grid = await world.grid({ Name: 'string', Count: 'integer', Price: 'decimal' });
});

/**
 * Starts a proxy that delays earlier writes longer, so that concurrent writes end in reverse
 * order.
 */
async function slowAtFirst(method: string) {
	let left = 300;
	return await startFaultProxy(world.service.url, {
		rules: [
			(request) => {
				if (request.method !== method) return undefined;
				left = Math.max(0, left - 40);
				return { kind: 'latency', milliseconds: left };
			},
		],
	});
}

const counts = Array.from({ length: 8 }, (_, Count) => ({ Count }));

describe('writes to the same row run in the order of the items', () => {
	test('Update: the last item wins', async () => {
		const [id = ''] = await grid.fill([{ Name: 'x' }]);
		const proxy = await slowAtFirst('PUT');
		const given = { ...grid.auto(), entity: { __rl: true, mode: 'id', value: id } };
		const { rows, error } = await grid.run('update', given, counts, { baseUrl: proxy.url });
		await proxy.stop();
		expect(error).toBeUndefined();
		expect(rows.map(({ Count }) => Count)).toEqual(counts.map(({ Count }) => Count));
		expect(await grid.rows()).toEqual([{ Name: 'x', Count: 7, Price: null }]);
	});

	test('Create or Update: items with one key run in turn, in whichever spelling, and the last one wins', async () => {
		const spellings = ['1', '1.0', 1, '1e0', '01', ' 1 ', '1.00', '0.1e1'];
		const proxy = await slowAtFirst('PUT');
		const input = spellings.map((Price, Count) => ({ Price, Count }));
		const { rows, error } = await grid.run('upsert', grid.auto(['Price']), input, { baseUrl: proxy.url });
		await proxy.stop();
		expect(error).toBeUndefined();
		expect(rows.map(({ _outcome }) => _outcome)).toEqual([
			'created',
			...Array.from({ length: 7 }, () => 'updated'),
		]);
		expect(await grid.rows()).toEqual([{ Name: null, Count: 7, Price: 1 }]);
	});

	test('Delete: of two items for one row, the first deletes it, and the second reports it as missing', async () => {
		const [id = ''] = await grid.fill([{ Name: 'x' }]);
		const proxy = await slowAtFirst('DELETE');
		const given = { entity: { __rl: true, mode: 'id', value: id } };
		const extra = { baseUrl: proxy.url, onError: 'continueRegularOutput' } as const;
		const { rows } = await grid.run('delete', given, [{}, {}], extra);
		await proxy.stop();
		expect(rows[0]).toEqual({ deleted: true, _id: id });
		expect(rows[1]).toHaveProperty('error');
	});
});

describe('items that choose one grid with and without its space share its rows', () => {
	const inSpace = () => ({ ...grid.chosen, space: byId('={{ $json.space }}') });
	const spaces = () => [grid.grid.address.spaceId, ''];

	test('Create or Update creates one row for a key', async () => {
		const input = spaces().map((space, Count) => ({ space, Name: 'a', Count }));
		const { rows } = await grid.run('upsert', { ...inSpace(), ...grid.auto(['Name']) }, input);
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['created', 'updated']);
		expect(await grid.rows()).toEqual([{ Name: 'a', Count: 1, Price: null }]);
	});

	test('Update Many: the last item wins', async () => {
		await grid.fill([{ Name: 'a', Count: 1 }]);
		const input = spaces().map((space, at) => ({ space, value: 2 - at }));
		const columns = grid.mapped({ Count: '={{ $json.value }}' });
		await grid.run('updateMany', { ...inSpace(), ...columns }, input);
		expect(await grid.rows()).toEqual([{ Name: 'a', Count: 1, Price: null }]);
	});
});

describe('Keep Order', () => {
	/** Like `slowAtFirst`, but every fourth write is also refused once. */
	async function slowAndBusy() {
		let left = 300;
		let writes = 0;
		return await startFaultProxy(world.service.url, {
			rules: [
				({ method }) => {
					if (method !== 'POST') return undefined;
					if (++writes % 4 === 1) return { kind: 'response', status: 503 };
					left = Math.max(0, left - 40);
					return { kind: 'latency', milliseconds: left };
				},
			],
		});
	}

	test.each([
		['Create', 'create'],
		['Create or Update', 'upsert'],
		['Sync', 'sync'],
	])('%s: new rows keep the order of the input, even if some writes are repeated', async (_, operation) => {
		const proxy = await slowAndBusy();
		const given = { ...grid.auto(['Count']), options: { keepOrder: true } };
		const { error } = await grid.run(operation, given, counts, { baseUrl: proxy.url });
		await proxy.stop();
		expect(error).toBeUndefined();
		expect((await grid.rows()).map(({ Count }) => Count)).toEqual(counts.map(({ Count }) => Count));
	});

	test.each([
		['Create', 'create'],
		['Create or Update', 'upsert'],
		['Sync', 'sync'],
	])('%s: with one request at a time, order costs nothing', async (_, operation) => {
		const proxy = await slowAndBusy();
		const options = { baseUrl: proxy.url, requestsAtATime: 1 };
		const { error } = await grid.run(operation, grid.auto(['Count']), counts, options);
		await proxy.stop();
		expect(error).toBeUndefined();
		expect((await grid.rows()).map(({ Count }) => Count)).toEqual(counts.map(({ Count }) => Count));
	});
});
