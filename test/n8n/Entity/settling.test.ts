import { startFaultProxy, type FaultProxy } from '../../../testbed/proxy/faultProxy';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import { repetitions } from '../../fixtures/repetitions';
import { Random } from '../../simulation/random';
import { OPERATIONS, reportOf, runAt, type Operation } from './keyedRuns';

/**
 * Two processes of n8n, as far as this package sees them: runs at different addresses of a service
 * share nothing.
 */
const world = World.forTests();
let pair: Pair;

/** A grid, and the addresses at which two processes use it. */
interface Pair {
	grid: WorldGrid;
	proxies: [FaultProxy, FaultProxy];
}

const started: FaultProxy[] = [];

async function newPair(): Promise<Pair> {
	const grid = await world.grid({ Mail: 'string', Visits: 'integer', Note: 'string' });
	const proxies: Pair['proxies'] = [
		await startFaultProxy(world.service.url),
		await startFaultProxy(world.service.url),
	];
	started.push(...proxies);
	return { grid, proxies };
}

afterAll(async () => {
	for (const proxy of started) await proxy.stop();
});
beforeEach(async () => {
	pair = await newPair();
});

const ANN = ['a@example.com'];
const MAILS = [...ANN, 'b@example.com', 'c@example.com', 'd@example.com'];

const run = (
	process: 0 | 1,
	name: Operation,
	mails: readonly string[],
	options: object = {},
	{ grid, proxies } = pair,
) => runAt(grid, name, mails, process, { baseUrl: proxies[process].url }, options);

/** Runs both processes; the first creation of each waits until both have looked for the keys. */
async function overlapping(name: Operation, mails: readonly string[], options: object = {}, of = pair) {
	const random = new Random(name.length);
	let arrived = 0;
	let open = () => {};
	const both = new Promise<void>((resolve) => (open = resolve));
	for (const proxy of of.proxies) {
		let isHeld = false;
		proxy.setRules(async ({ method }) => {
			if (method === 'POST' && !isHeld) {
				isHeld = true;
				if (++arrived === 2) open();
				await both;
			}
			return { kind: 'latency', milliseconds: random.below(10) };
		});
	}
	return await Promise.all([run(0, name, mails, options, of), run(1, name, mails, options, of)]);
}

const mailsOf = async ({ grid } = pair) => (await grid.rows()).map(({ Mail }) => String(Mail)).sort();

test('two processes that write the same rows at once leave one row for each key, by each operation', async () => {
	// At once, because they mostly wait.
	const checks = OPERATIONS.map(async (name) => {
		const own = await newPair();
		const runs = await overlapping(name, MAILS, {}, own);
		expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect([name, await mailsOf(own)]).toEqual([name, MAILS]);
		const rows = runs.flatMap(reportOf);
		const settled = rows.filter(({ _outcome }) => _outcome === 'settled');
		expect(settled.length).toBeGreaterThan(0);
		const ids = (await world.client.entities.many(own.grid.grid)).items.map(({ _id }) => _id);
		for (const { _id, _reasons } of settled) {
			expect(ids).toContain(_id);
			const [, stays = '', deleted = ''] =
				/row (\w+) stays, row (\w+) was deleted"/.exec(JSON.stringify(_reasons)) ?? [];
			expect(stays).toBe(_id);
			expect(stays < deleted).toBe(true);
		}
		expect(rows.filter(({ _outcome }) => _outcome === 'duplicate')).toEqual([]);
	});
	await Promise.all(checks);
});

test('the row that stays gets the values of the deleted one, except by Avoid Duplicates By', async () => {
	const runs = await overlapping('upsert', ANN);
	const [row] = await pair.grid.rows();
	const loser = runs.findIndex((one) => one.rows[0]?.['_outcome'] === 'settled');
	expect(row?.['Visits']).toBe(loser);
	expect(runs[loser]?.hints).toContain(
		'Another run created a row with the same key at the same time; settled.',
	);
});

test('with Report, both rows stay and are named in the items and in a hint', async () => {
	const runs = await overlapping('upsert', ANN, { duplicatesMadeMeanwhile: 'report' });
	expect(await mailsOf()).toEqual([...ANN, ...ANN]);
	for (const { rows, hints } of runs) {
		expect(rows).toMatchObject([
			{ _outcome: 'duplicate', _reasons: [expect.stringMatching(/^2 rows have Mail "a@example.com": /)] },
		]);
		expect(hints.join()).toContain('A key exists twice: 2 rows have Mail "a@example.com"');
	}
});

/** Lets process 0 create a row, while somebody else has created one with a smaller id. */
async function withEarlierRow(meddle: (own: string) => Promise<void>) {
	let own = '';
	pair.proxies[0].setRules(async ({ method, path }, number) => {
		if (method === 'POST' && number > 0 && own === '') {
			await pair.grid.fill({ Mail: 'a@example.com' });
			own = 'created';
		}
		const [, id] = /\/entities\/(\w+)\?/.exec(path) ?? [];
		if (method === 'GET' && id !== undefined && own === 'created') {
			own = id;
			await meddle(id);
		}
		return undefined;
	});
	return await run(0, 'upsert', ANN);
}

test('a row that somebody has changed is not deleted, but named', async () => {
	const { rows } = await withEarlierRow(async (own) => {
		await world.client.entities.update(pair.grid.grid, own, { [pair.grid.id('Note')]: 'mine' });
	});
	expect(rows).toMatchObject([{ _outcome: 'duplicate' }]);
	expect((await pair.grid.rows()).map(({ Note }) => Note)).toEqual([null, 'mine']);
});

test('a row whose empty text the service stores as no value counts as unchanged', async () => {
	const [proxy] = pair.proxies;
	let isEarlier = false;
	proxy.setRules(async ({ method, body }) => {
		if (method === 'POST' && !isEarlier) {
			isEarlier = true;
			await pair.grid.fill({ Mail: 'a@example.com' });
		}
		return { kind: 'change', request: { body: body.replaceAll(':""', ':null') } };
	});
	const items = [{ Mail: 'a@example.com', Note: '' }];
	const { rows } = await pair.grid.run('upsert', pair.grid.auto(['Mail']), items, { baseUrl: proxy.url });
	expect(rows).toMatchObject([{ _outcome: 'settled' }]);
	expect(await mailsOf()).toEqual(ANN);
});

test('if the row that should stay is gone, the own one stays', async () => {
	const { rows } = await withEarlierRow(async () => {
		const [earlier] = (await world.client.entities.many(pair.grid.grid)).items;
		await world.client.entities.remove(pair.grid.grid, earlier?._id ?? '');
	});
	expect(rows).toMatchObject([{ _outcome: 'created' }]);
	expect(await mailsOf()).toEqual(ANN);
});

test('a run alone looks once, with as few requests as possible', async () => {
	pair.proxies[0].setRules();
	await run(0, 'upsert', ANN);
	const before = pair.proxies[0].requests.length;
	pair.proxies[0].setRules();
	await run(0, 'upsert', ANN);
	expect(before - pair.proxies[0].requests.length).toBe(2);
});

test.each((['upsert', 'importFile'] as const).slice(0, repetitions({ inCi: 2, local: 1 })))(
	'%s finds a row that the service adds after a gateway has answered 504',
	async (name) => {
		let isLate = false;
		pair.proxies[0].setRules(({ method, path }) => {
			if (method !== 'POST' || isLate || !path.includes('/entities')) return undefined;
			isLate = true;
			return { kind: 'late', milliseconds: 3500 };
		});
		const { error } = await run(0, name, ANN);
		expect(error).toBeUndefined();
		expect(await mailsOf()).toEqual(ANN);
	},
);

test.each(['upsert', 'importFile'] as const)(
	'%s says that the service stores keys otherwise, so that another run would create the row again',
	async (name) => {
		pair.proxies[0].setRules(({ method, body }) =>
			method === 'POST' ? { kind: 'change', request: { body: body.toLowerCase() } } : undefined,
		);
		const { hints, error } = await run(0, name, ['Ann@example.com']);
		expect(error).toBeUndefined();
		expect(hints.join()).toContain('stored Mail "Ann@example.com" as Mail "ann@example.com"');
	},
);
