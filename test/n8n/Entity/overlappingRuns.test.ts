import { EventEmitter, once } from 'node:events';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import { Random } from '../../simulation/random';
import { runAt, type Operation } from './keyedRuns';

const bed = new ProxiedWorld();

const RUNS: Array<[Operation, options: object]> = [
	['upsert', { findRows: 'oneByOne' }],
	['upsert', { findRows: 'allAtOnce' }],
	['create', {}],
	['sync', {}],
	['importFile', {}],
];

/** Different keys: an operation refuses equal ones in one input. */
const keysFrom = (random: Random) =>
	[...new Set(Array.from({ length: 1 + random.below(6) }, () => random.below(9)))].map(
		(key) => `m${key}@example.com`,
	);

async function mailsOf(grid: WorldGrid): Promise<string[]> {
	return (await grid.rows()).map(({ Mail }) => String(Mail)).sort();
}

test.each(RUNS)('10 runs at once of %s %j make one row for each key', async (operation, options) => {
	const grid = await bed.world.grid({ Mail: 'string', Visits: 'integer' });
	const random = new Random(operation.length);
	bed.proxy.setRules(() => ({ kind: 'latency', milliseconds: random.below(15) }));
	const inputs = Array.from({ length: 10 }, () => keysFrom(random));
	const runs = await Promise.all(
		inputs.map((mails, number) => runAt(grid, operation, mails, number, {}, options)),
	);
	expect(runs.map(({ error }) => error?.message)).toEqual(inputs.map(() => undefined));
	expect(await mailsOf(grid)).toEqual([...new Set(inputs.flat())].sort());
});

test('a run waits only for keys that it writes, and goes on when the other one ends with an error', async () => {
	const grid = await bed.world.grid({ Mail: 'string', Visits: 'integer' });
	const signal = new EventEmitter();
	const [release, isHeld] = [once(signal, 'release'), once(signal, 'held')];
	let creations = 0;
	bed.proxy.setRules(async ({ method }) => {
		if (method !== 'POST' || ++creations > 1) return undefined;
		signal.emit('held');
		await release;
		return { kind: 'response', status: 400 };
	});
	const upsert = (mail: string) => runAt(grid, 'upsert', [mail], 1, {}, { findRows: 'oneByOne' });
	const failing = upsert('a@example.com');
	await isHeld;
	const same = upsert('a@example.com');
	expect((await upsert('b@example.com')).error).toBeUndefined();
	expect(await mailsOf(grid)).toEqual(['b@example.com']);
	signal.emit('release');
	expect((await failing).error).toBeDefined();
	expect((await same).error).toBeUndefined();
	expect(await mailsOf(grid)).toEqual(['a@example.com', 'b@example.com']);
});
