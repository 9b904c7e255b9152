import { EventEmitter, once } from 'node:events';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import { Random } from '../../simulation/random';
import { runAt } from './keyedRuns';
import { importFile } from './sync/stockGrid';

const bed = new ProxiedWorld();

interface Visit {
	[column: string]: string | number;
	Mail: string;
	Visits: number;
}

type Write = (grid: WorldGrid, items: Visit[]) => Promise<{ error?: Error | undefined }>;

const byFindRows =
	(findRows: string): Write =>
	async (grid, items) =>
		await grid.run('upsert', { ...grid.auto(['Mail']), options: { findRows } }, items);

const WRITES: Record<string, Write> = {
	'Create or Update, one by one': byFindRows('oneByOne'),
	'Create or Update, all at once': byFindRows('allAtOnce'),
	'Create, Avoid Duplicates By': async (grid, items) =>
		await grid.run('create', { ...grid.auto(), options: { avoidDuplicatesBy: ['Mail'] } }, items),
	Sync: async (grid, items) => await grid.run('sync', grid.auto(['Mail']), items),
	'Sync From File': async (grid, items) =>
		await importFile(
			grid,
			`Mail,Visits\n${items.map(({ Mail, Visits }) => `${Mail},${Visits}\n`).join('')}`,
			{ keyColumns: ['Mail'] },
		),
};

/** Items with different keys: an operation refuses equal ones in one input. */
function itemsOf(random: Random, keys: number): Visit[] {
	const mails = Array.from({ length: 1 + random.below(6) }, () => `m${random.below(keys)}@example.com`);
	return [...new Set(mails)].map((Mail) => ({ Mail, Visits: random.below(5) }));
}

async function mailsOf(grid: WorldGrid): Promise<string[]> {
	return (await grid.rows()).map(({ Mail }) => String(Mail)).sort();
}

test.each(Object.keys(WRITES))('10 runs at once of %s make one row for each key', async (name) => {
	const grid = await bed.grid({ Mail: 'string', Visits: 'integer' });
	const random = new Random(name.length);
	bed.proxy.setRules(() => ({ kind: 'latency', milliseconds: random.below(15) }));
	const inputs = Array.from({ length: 10 }, () => itemsOf(random, 9));
	const runs = await Promise.all(inputs.map((items) => WRITES[name]?.(grid, items)));
	expect(runs.map((run) => run?.error?.message)).toEqual(inputs.map(() => undefined));
	const keys = new Set(inputs.flat().map(({ Mail }) => Mail));
	expect(await mailsOf(grid)).toEqual([...keys].sort());
});

test('a run waits only for keys that it writes, and goes on when the other one ends with an error', async () => {
	const grid = await bed.grid({ Mail: 'string', Visits: 'integer' });
	const signal = new EventEmitter();
	const [release, isHeld] = [once(signal, 'release'), once(signal, 'held')];
	let creations = 0;
	bed.proxy.setRules(async ({ method }) => {
		if (method !== 'POST' || ++creations > 1) return undefined;
		signal.emit('held');
		await release;
		return { kind: 'response', status: 400 };
	});
	const upsert = WRITES['Create or Update, one by one'];
	const failing = upsert?.(grid, [{ Mail: 'a@example.com', Visits: 1 }]);
	await isHeld;
	const same = upsert?.(grid, [{ Mail: 'a@example.com', Visits: 2 }]);
	expect((await upsert?.(grid, [{ Mail: 'b@example.com', Visits: 3 }]))?.error).toBeUndefined();
	expect(await mailsOf(grid)).toEqual(['b@example.com']);
	signal.emit('release');
	expect((await failing)?.error).toBeDefined();
	expect((await same)?.error).toBeUndefined();
	expect(await mailsOf(grid)).toEqual(['a@example.com', 'b@example.com']);
});

test.each(['sync', 'importFile'] as const)(
	'Only New of %s updates no row that another run creates first',
	async (operation) => {
		const grid = await bed.grid({ Mail: 'string', Visits: 'integer' });
		const signal = new EventEmitter();
		const [release, isHeld] = [once(signal, 'release'), once(signal, 'held')];
		let readings = 0;
		bed.proxy.setRules(async ({ method, path }) => {
			if (method === 'GET' && path.includes('/entities') && ++readings === 2) signal.emit('release');
			if (method !== 'POST') return undefined;
			signal.emit('held');
			await release;
			return undefined;
		});
		const first = runAt(grid, operation, ['a@example.com'], 1);
		await isHeld;
		const second = await runAt(grid, operation, ['a@example.com'], 2, {}, { rowsToWrite: 'onlyNew' });
		expect([(await first).error, second.error]).toEqual([undefined, undefined]);
		expect(await grid.rows()).toEqual([{ Mail: 'a@example.com', Visits: 1 }]);
	},
);
