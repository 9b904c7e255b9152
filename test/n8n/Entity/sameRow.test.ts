import '../../fixtures/skippedWaits';
import { byId } from '../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const bed = new ProxiedWorld();
let grid: WorldGrid;

beforeEach(async () => {
	grid = await bed.grid({ Name: 'string', Count: 'integer', Price: 'decimal' });
});

/** Delays earlier writes longer, so that concurrent writes end in reverse order. */
function slowAtFirst(method: string) {
	let left = 300;
	bed.proxy.setRules((request) => {
		if (request.method !== method) return undefined;
		left = Math.max(0, left - 40);
		return { kind: 'latency', milliseconds: left };
	});
}

const counts = Array.from({ length: 8 }, (_, Count) => ({ Count }));

describe('writes to the same row run in the order of the items', () => {
	test('Update: the last item wins', async () => {
		const [id = ''] = await grid.fill({ Name: 'x' });
		slowAtFirst('PUT');
		const given = { ...grid.auto(), entity: { __rl: true, mode: 'id', value: id } };
		const { rows, error } = await grid.run('update', given, counts);
		expect(error).toBeUndefined();
		expect(rows.map(({ Count }) => Count)).toEqual(counts.map(({ Count }) => Count));
		expect(await grid.rows()).toEqual([{ Name: 'x', Count: 7, Price: null }]);
	});

	test('Create or Update: items with one key run in turn, in whichever spelling, and the last one wins', async () => {
		const spellings = ['1', '1.0', 1, '1e0', '01', ' 1 ', '1.00', '0.1e1'];
		slowAtFirst('PUT');
		const input = spellings.map((Price, Count) => ({ Price, Count }));
		const { rows, error } = await grid.run('upsert', grid.auto(['Price']), input);
		expect(error).toBeUndefined();
		expect(rows.map(({ _outcome }) => _outcome)).toEqual([
			'created',
			...Array.from({ length: 7 }, () => 'updated'),
		]);
		expect(await grid.rows()).toEqual([{ Name: null, Count: 7, Price: 1 }]);
	});

	test('Delete: of two items for one row, the first deletes it, and the second reports it as missing', async () => {
		const [id = ''] = await grid.fill({ Name: 'x' });
		slowAtFirst('DELETE');
		const given = { entity: { __rl: true, mode: 'id', value: id } };
		const extra = { onError: 'continueRegularOutput' } as const;
		const { rows } = await grid.run('delete', given, [{}, {}], extra);
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
		await grid.fill({ Name: 'a', Count: 1 });
		const input = spaces().map((space, at) => ({ space, value: 2 - at }));
		const columns = grid.mapped({ Count: '={{ $json.value }}' });
		await grid.run('updateMany', { ...inSpace(), ...columns }, input);
		expect(await grid.rows()).toEqual([{ Name: 'a', Count: 1, Price: null }]);
	});
});

describe('the order of new rows, even if some writes are repeated', () => {
	/** Like `slowAtFirst`, but every fourth write is also refused once. */
	function slowAndBusy() {
		let left = 300;
		let writes = 0;
		bed.proxy.setRules(({ method }) => {
			if (method !== 'POST') return undefined;
			if (++writes % 4 === 1) return { kind: 'response', status: 503 };
			left = Math.max(0, left - 40);
			return { kind: 'latency', milliseconds: left };
		});
	}

	const IN_ORDER = { options: { keepOrder: true } };
	test.each([
		['Create with Keep Order', 'create', IN_ORDER, undefined],
		['Create or Update with Keep Order', 'upsert', IN_ORDER, undefined],
		['Sync with Keep Order', 'sync', IN_ORDER, undefined],
		['Create with one request at a time', 'create', {}, 1],
		['Create or Update with one request at a time', 'upsert', {}, 1],
		['Sync with one request at a time', 'sync', {}, 1],
	])('%s: new rows keep the order of the input', async (_, operation, given, requestsAtATime) => {
		slowAndBusy();
		const extra = { ...(requestsAtATime ? { requestsAtATime } : {}) };
		const { error } = await grid.run(operation, { ...grid.auto(['Count']), ...given }, counts, extra);
		expect(error).toBeUndefined();
		expect((await grid.rows()).map(({ Count }) => Count)).toEqual(counts.map(({ Count }) => Count));
	});
});
