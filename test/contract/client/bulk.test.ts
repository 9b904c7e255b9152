import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../../client';
import { OutcomeUnknown } from '../../../client/errors';
import type { Grid } from '../../../client/resources/grids';
import type { Run } from '../../../client/http/limiter';
import { readList } from '../../../client/lists/readList';
import { startFaultProxy, type Fault, type FaultProxy, type Rule } from '../../../testbed/proxy/faultProxy';
import { Random } from '../../simulation/random';
import { makeGrid, newId } from '../../../testbed/world/makeGrid';
import { World } from '../../../testbed/world/world';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

let world: World;
let spaceId: string;
let grid: Grid;
let number: string;
let proxies: FaultProxy[];
let grids = 0;

beforeAll(async () => {
	world = await World.start();
	spaceId = world.spaceId;
});
afterAll(() => world.stop());

beforeEach(async () => {
	proxies = [];
	const made = await makeGrid(world.newClient(), spaceId, `Grid ${++grids}`, { Number: 'integer' });
	grid = made.grid;
	number = made.fields.get('Number')?.id ?? '';
});
afterEach(async () => {
	for (const proxy of proxies) await proxy.stop();
});

async function proxied(...rules: Rule[]) {
	const proxy = await startFaultProxy(world.service.url, { rules });
	proxies.push(proxy);
	return proxy;
}

const latency = (milliseconds: number) => (): Fault => ({ kind: 'latency', milliseconds });

async function createAll(client: Client, count: number): Promise<Run<string>> {
	return await client.session.limiter.run(numbers(count), async (item) => {
		return newId(await client.entities.create(grid, { [number]: item }));
	});
}

async function readAll(client: Client, limit?: number) {
	const { items, unstable } = await readList(client.entities.list(grid), { limit });
	return { numbers: items.map((entity) => entity[number]), ids: items.map((entity) => entity._id), unstable };
}

const sorted = (values: unknown[]) => values.map(Number).sort((a, b) => a - b);

describe('creating many entities (§4.5)', () => {
	it('writes each once through a proxy that responds with 503 to more than six at a time', async () => {
		let refused = 0;
		const proxy = await proxied(({ inFlight }) => {
			if (inFlight <= 6) return undefined;
			refused++;
			return { kind: 'response', status: 503 };
		}, latency(20));
		const run = await createAll(world.newClient({ baseUrl: proxy.url, ceiling: 100 }), 400);
		expect(run.outcomes.every((outcome) => outcome.state === 'done')).toBe(true);
		expect(refused).toBeGreaterThan(0);
		const { numbers: written, ids, unstable } = await readAll(world.newClient());
		expect(unstable).toBeUndefined();
		expect(sorted(written)).toEqual(numbers(400));
		expect(new Set(ids)).toEqual(
			new Set(run.outcomes.map((made) => (made.state === 'done' ? made.value : ''))),
		);
	});

	it('never sends more concurrent requests than the limit', async () => {
		const proxy = await proxied(latency(20));
		await createAll(world.newClient({ baseUrl: proxy.url, ceiling: 10 }), 300);
		// The proxy may still be finishing responses that the client already has.
		expect(proxy.highest).toBeLessThanOrEqual(12);
	});

	it('loses and duplicates no row when connections are cut, and reports each unknown outcome', async () => {
		const random = new Random(7);
		const proxy = await proxied(() => {
			if (random.chance(0.05)) return { kind: 'resetBefore' };
			return random.chance(0.05) ? { kind: 'resetAfter' } : undefined;
		});
		const run = await createAll(world.newClient({ baseUrl: proxy.url }), 600);
		const done: number[] = [];
		const unknown: number[] = [];
		run.outcomes.forEach((outcome, item) => {
			if (outcome.state === 'done') done.push(item);
			if (outcome.state === 'failed' && outcome.error instanceof OutcomeUnknown) unknown.push(item);
		});
		expect(unknown.length).toBeGreaterThan(0);
		expect([...done, ...unknown].sort((a, b) => a - b)).toEqual(numbers(600));
		const written = sorted((await readAll(world.newClient())).numbers);
		expect(new Set(written).size).toBe(written.length);
		expect(done.filter((item) => !written.includes(item))).toEqual([]);
		expect(written.filter((item) => !done.includes(item) && !unknown.includes(item))).toEqual([]);
	});

	it('reports every loss when the service closes connections as they are reused', async () => {
		const random = new Random(11);
		const proxy = await startFaultProxy(world.service.url, { idle: 5 });
		proxies.push(proxy);
		const client = world.newClient({ baseUrl: proxy.url });
		const run = await client.session.limiter.run(numbers(300), async (item) => {
			await delay(random.below(12));
			return (await client.entities.create(grid, { [number]: item })).id;
		});
		const itemsIn = (state: string) => numbers(300).filter((item) => run.outcomes[item]?.state === state);
		const unknown = itemsIn('failed').filter((item) => {
			const outcome = run.outcomes[item];
			return outcome?.state === 'failed' && outcome.error instanceof OutcomeUnknown;
		});
		expect(proxy.closedIdle).toBeGreaterThan(0);
		expect(unknown).toEqual(itemsIn('failed'));
		expect([...itemsIn('done'), ...unknown].sort((a, b) => a - b)).toEqual(numbers(300));
		const written = sorted((await readAll(world.newClient())).numbers);
		expect(new Set(written).size).toBe(written.length);
		expect(itemsIn('done').filter((item) => !written.includes(item))).toEqual([]);
		expect(written.filter((item) => itemsIn('untried').includes(item))).toEqual([]);
	});

	it('stops if the role is insufficient, and reports which were not tried', async () => {
		const proxy = await proxied((request, count) =>
			request.method === 'POST' && count > 50 ? { kind: 'response', status: 403 } : undefined,
		);
		const run = await createAll(world.newClient({ baseUrl: proxy.url }), 500);
		const count = (state: string) => run.outcomes.filter((outcome) => outcome.state === state).length;
		expect(run.stoppedBy?.error).toMatchObject({ name: 'Forbidden' });
		expect(run.outcomes).toHaveLength(500);
		expect(count('untried')).toBeGreaterThan(300);
		expect((await readAll(world.newClient())).numbers).toHaveLength(count('done'));
	});
});

describe('a creating POST', () => {
	it.each([429, 503])('is retried after %d, and carried out once', async (status) => {
		const proxy = await proxied((request, count) =>
			request.method === 'POST' && count === 1
				? { kind: 'response', status, headers: { 'retry-after': '0' } }
				: undefined,
		);
		await world.newClient({ baseUrl: proxy.url }).entities.create(grid, { [number]: 1 });
		expect(proxy.requests.length).toBe(2);
		expect((await readAll(world.newClient())).numbers).toEqual([1]);
	});

	it.each([['resetBefore', 0] as const, ['resetAfter', 1] as const])(
		'is sent once if the connection is cut (%s), and its outcome is unknown',
		async (kind, rows) => {
			const proxy = await proxied(() => ({ kind }));
			const creating = world.newClient({ baseUrl: proxy.url }).entities.create(grid, { [number]: 1 });
			await expect(creating).rejects.toMatchObject({
				name: 'OutcomeUnknown',
				outcome: 'unknown',
				facts: { method: 'POST' },
			});
			expect(proxy.requests.length).toBe(1);
			expect((await readAll(world.newClient())).numbers).toHaveLength(rows);
		},
	);

	it('is sent once if the response times out', async () => {
		const proxy = await proxied(latency(500));
		const creating = world
			.newClient({ baseUrl: proxy.url, timeout: 50 })
			.entities.create(grid, { [number]: 1 });
		await expect(creating).rejects.toMatchObject({ name: 'OutcomeUnknown' });
		expect(proxy.requests.length).toBe(1);
	});

	it('fails if it reached no server', async () => {
		const proxy = await proxied();
		await proxy.stop();
		proxies = [];
		const client = world.newClient({ baseUrl: proxy.url, retry: { retries: 2, firstWait: 1 } });
		await expect(client.entities.create(grid, { [number]: 1 })).rejects.toMatchObject({
			name: 'ConnectionFailed',
			code: 'ECONNREFUSED',
			reached: false,
		});
	});
});

describe('deleting, changing and reading', () => {
	it('are retried after cut connections; on a retry a missing row counts as deleted', async () => {
		const id = newId(await world.newClient().entities.create(grid, { [number]: 1 }));
		const proxy = await proxied((_request, count) => (count % 2 === 1 ? { kind: 'resetAfter' } : undefined));
		const client = world.newClient({ baseUrl: proxy.url, retry: { firstWait: 1 } });
		expect(await client.entities.get(grid, id)).toMatchObject({ _id: id });
		expect(await client.entities.update(grid, id, { [number]: 2 })).toMatchObject({ [number]: 2 });
		await client.entities.remove(grid, id);
		expect(proxy.requests.length).toBe(6);
		expect((await readAll(world.newClient())).numbers).toEqual([]);
	});

	it('fail if the row was missing before the first attempt', async () => {
		await expect(world.newClient().entities.remove(grid, 'nobody')).rejects.toMatchObject({
			name: 'NotFound',
		});
	});

	it('are sent once if the call disables retries', async () => {
		const proxy = await proxied(() => ({ kind: 'response', status: 503 }));
		const client = world.newClient({ baseUrl: proxy.url });
		const call = { method: 'GET', href: '/api/version', retry: false } as const;
		await expect(client.session.send(call)).rejects.toMatchObject({ name: 'ServiceUnavailable' });
		expect(proxy.requests.length).toBe(1);
	});
});

describe('reading many entities (§2.2, §4.5)', () => {
	it('returns each once and in order, with one request per page', async () => {
		await createAll(world.newClient(), 2300);
		const proxy = await proxied();
		const client = world.newClient({ baseUrl: proxy.url });
		const { ids, unstable } = await readAll(client);
		expect(proxy.requests.length).toBe(3);
		expect(unstable).toBeUndefined();
		const inOrder: string[] = [];
		for (let pageIndex = 1; pageIndex <= 8; pageIndex++)
			for (const entity of (await client.entities.page(grid, { pageIndex })).items) inOrder.push(entity._id);
		expect(ids).toEqual(inOrder);
	});

	it('requests only the pages that a limit needs', async () => {
		await createAll(world.newClient(), 120);
		const proxy = await proxied();
		const { ids } = await readAll(world.newClient({ baseUrl: proxy.url }), 50);
		expect(ids).toHaveLength(50);
		expect(proxy.requests.length).toBe(1);
	});

	it('misses no row that exists throughout while others are deleted', async () => {
		const run = await createAll(world.newClient(), 3000);
		const ids = run.outcomes.map((made) => (made.state === 'done' ? made.value : ''));
		const deletedIds = new Set(ids.filter((_id, index) => index % 100 === 3));
		const writer = world.newClient();
		const proxy = await proxied(latency(5));
		const deleting = writer.session.limiter.run(deletedIds, (id) => writer.entities.remove(grid, id), {
			atMost: 1,
		});
		const read = await readAll(world.newClient({ baseUrl: proxy.url }));
		await deleting;
		expect(new Set(read.ids).size).toBe(read.ids.length);
		const found = new Set(read.ids);
		expect(ids.filter((id) => !deletedIds.has(id) && !found.has(id))).toEqual([]);
	});
});
