import { setTimeout as wait } from 'node:timers/promises';
import { env, stdout } from 'node:process';
import { startFaultProxy, type FaultProxy, type Rule } from '../../../testbed/proxy/faultProxy';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import { Random } from '../../simulation/random';
import { OPERATIONS, reportOf, runAt, type Operation } from './keyedRuns';

/**
 * Random histories of runs in several processes that write the same keys, with late answers, lost
 * ones, stopped runs and somebody else who creates rows.
 */
const HISTORIES = Number(env['HISTORIES'] ?? 8);
const FIRST_SEED = Number(env['SEED'] ?? 1);
/** Histories at a time: they mostly wait. */
const AT_ONCE = 8;
/** Below the time for which a creation with an unknown outcome is searched for. */
const LATEST_MS = 3000;

interface Told {
	/** Keys that a finished run says are in the grid. */
	written: Set<string>;
	/** Keys that a run names as doubled, in its items or its error. */
	doubled: Set<string>;
	/** Keys of runs that were stopped. */
	stopped: Set<string>;
}

const world = World.forTests();

function countsOf(texts: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}

const mailsIn = (text: string) => text.match(/m\d+@example\.com/g) ?? [];

/** Latency, answers that come from a gateway or never, and creations carried out late. */
function faults(random: Random): Rule {
	return ({ method }) => {
		const chance = random.below(100);
		if (method === 'POST' && chance < 4) return { kind: 'late', milliseconds: random.below(LATEST_MS) };
		if (method === 'POST' && chance < 8) return { kind: 'resetAfter' };
		if (method === 'POST' && chance < 11) return { kind: 'resetBefore' };
		return { kind: 'latency', milliseconds: random.below(80) };
	};
}

async function runsOf(random: Random, grid: WorldGrid, proxies: readonly FaultProxy[]): Promise<Told> {
	const told: Told = { written: new Set(), doubled: new Set(), stopped: new Set() };
	const runs = Array.from({ length: 2 + random.below(7) }, async (_, number) => {
		const operation: Operation = OPERATIONS[random.below(OPERATIONS.length)] ?? 'upsert';
		const mails = Array.from({ length: 10 }, (_unused, key) => `m${key}@example.com`).filter(
			() => random.below(2) === 0,
		);
		const { url: baseUrl } = proxies[random.below(proxies.length)] ?? { url: '' };
		const stopsAfter = random.below(10) === 0 ? random.below(3000) : undefined;
		await wait(random.below(1500));
		const { items, rows, error, hints } = await runAt(grid, operation, mails, number, {
			baseUrl,
			onError: 'continueRegularOutput',
			onStart: (cancel) => {
				if (stopsAfter !== undefined) setTimeout(cancel, stopsAfter);
			},
		});
		if (stopsAfter !== undefined) for (const mail of mails) told.stopped.add(mail);
		const report = reportOf({ items, rows });
		for (const row of report) {
			const text = JSON.stringify(row);
			if (text.includes('rows have')) for (const mail of mailsIn(text)) told.doubled.add(mail);
			else if (!('error' in row)) for (const mail of mailsIn(text)) told.written.add(mail);
		}
		for (const mail of mailsIn([error?.message, ...hints].join('\n'))) told.doubled.add(mail);
	});
	await Promise.all(runs);
	return told;
}

async function history(seed: number) {
	const random = new Random(seed);
	const grid = await world.grid({ Mail: 'string', Visits: 'integer', Note: 'string' });
	const before = await grid.fill({ Mail: 'm0@example.com', Note: 'before' }, { Mail: 'other' });
	const proxies: FaultProxy[] = [];
	for (let process = 0; process < 2 + random.below(3); process++) {
		const proxy = await startFaultProxy(world.service.url);
		proxy.setRules(faults(new Random(seed * 100 + process)));
		proxies.push(proxy);
	}
	const others = [wait(random.below(3000)), wait(random.below(6000))].map(async (moment, number) => {
		await moment;
		return await grid.fill({ Mail: `m${number + 1}@example.com`, Note: 'theirs' });
	});
	const told = await runsOf(random, grid, proxies);
	const foreign = [...before, ...(await Promise.all(others)).flat()];
	await wait(LATEST_MS);
	for (const proxy of proxies) await proxy.stop();
	const { items } = await world.client.entities.many(grid.grid);
	const ids = new Set(items.map(({ _id }) => _id));
	const mailsOf = (rows: typeof items) => rows.map((row) => String(row[grid.id('Mail')]));
	const counts = countsOf(mailsOf(items));
	const doubled = [...counts].flatMap(([mail, count]) => (count > 1 ? [mail] : []));
	const byRuns = countsOf(mailsOf(items.filter(({ _id }) => !foreign.includes(_id))));
	const isNamed = (mail: string) => told.doubled.has(mail) || told.stopped.has(mail);
	return {
		seed,
		lost: [...told.written].filter((mail) => !counts.has(mail)),
		deleted: foreign.filter((id) => !ids.has(id)),
		// Somebody else may create a row when all runs have looked.
		silent: doubled.filter((mail) => (byRuns.get(mail) ?? 0) > 1 && !isNamed(mail)),
		doubled: doubled.filter((mail) => (byRuns.get(mail) ?? 0) > 1).length,
	};
}

test(`${HISTORIES} random histories lose no key, delete no row of others, and name what stays doubled`, async () => {
	let doubled = 0;
	const broken: object[] = [];
	for (let first = 0; first < HISTORIES; first += AT_ONCE) {
		const seeds = Array.from(
			{ length: Math.min(AT_ONCE, HISTORIES - first) },
			(_, at) => FIRST_SEED + first + at,
		);
		for (const one of await Promise.all(seeds.map(history))) {
			doubled += one.doubled;
			if (one.lost.length + one.deleted.length + one.silent.length > 0) broken.push(one);
		}
	}
	stdout.write(`${doubled} keys stayed doubled, all of them named\n`);
	expect(broken).toEqual([]);
}, 3_600_000);
