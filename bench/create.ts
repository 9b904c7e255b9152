import { median, type Bench, type Taken } from './bench';
import { figureOf, runOf, type Run } from './figures';
import { byName, flow, helperLoop, httpCreate, ours, rows, type Step } from './n8n/workflows';
import { accountOf, ordersIn } from './target/account';
import type { TargetService } from './target/service';
import { rowOf } from './target/shapes';

const DELAY = 20;
const CEILING = 64;
/** Goal for creates: at most this multiple of n8n's HTTP helper in a loop. */
const OVER_HELPER = 1.3;

const wantedOf = (count: number) => Array.from({ length: count }, (_, n) => rowOf(n).Order);

const ourCreate = (target: TargetService) =>
	ours(target, 'entity', 'create', { columns: byName(), options: {} });

const bodiesOf = ({ fieldIds }: TargetService, count: number) => {
	const byId: (entry: [string, unknown]) => [string, unknown] = ([name, value]): [string, unknown] => [
		fieldIds[name] ?? name,
		value,
	];
	return Array.from({ length: count }, (_, n) => Object.fromEntries(Object.entries(rowOf(n)).map(byId)));
};

/**
 * Creates rows with this node, HTTP Request (default and batched) and the loop in sequence, several
 * times.
 */
async function compare(
	bench: Bench,
	{
		label,
		count,
		proxy,
		contenders,
	}: {
		label: string;
		count: number;
		proxy: { delay: number; takes?: number };
		contenders: readonly string[];
	},
) {
	const setting = { rows: 0, proxy };
	const wanted = wantedOf(count);
	const batches = { batching: { batch: { batchSize: 50, batchInterval: 100 } } };

	const steps: Record<string, (target: TargetService) => Step> = {
		ours: ourCreate,
		httpRequestNode: (target) => httpCreate(target, bench.url, {}),
		batched: (target) => httpCreate(target, bench.url, batches),
		helper: (target) => helperLoop(target, bench.url, CEILING),
	};

	const runs: Record<string, (Run & { written: number; lost: number; doubled: number })[]> = {};

	const once = async (name: string) => {
		const use = async (taken: Taken) => ({
			...runOf(taken),
			...accountOf(await ordersIn(taken.target), wanted),
		});
		const step = steps[name];
		if (step === undefined)
			return await bench.limit(
				setting,
				(target) => ({ work: 'create', ceiling: CEILING, rows: bodiesOf(target, count) }),
				use,
			);
		return await bench.node(setting, (target) => flow(`${label}-${name}`, [rows(count), step(target)]), use);
	};
	// Warm-up, so that JIT compilation is not measured.
	await once('ours');
	for (let time = 1; time <= bench.times; time++) {
		for (const name of contenders) {
			const run = await once(name);
			(runs[name] ??= []).push(run);
			const { took, written, lost, doubled, refused } = run;
			bench.say(
				`  ${label} ${String(time)}/${String(bench.times)}, ${name}: ${String(took)} ms, ${String(written)} written, ${String(lost)} lost, ${String(doubled)} doubled, ${String(refused)} times 503`,
			);
		}
	}

	const took = (name: string) => median((runs[name] ?? []).map((run) => run.took));

	const worst = (name: string, of: (run: { lost: number; doubled: number; highest: number }) => number) =>
		Math.max(...(runs[name] ?? []).map(of));
	return { runs, took, worst };
}

/** A service that responds with 503 to more than 64 concurrent requests. */
export async function createLimited(bench: Bench) {
	const count = bench.quick ? 1000 : 2000;
	const label = `${count.toLocaleString('en')} creates, 64 at a time and 503 past that`;
	const proxy = { delay: DELAY, takes: CEILING };
	const contenders = ['ours', 'httpRequestNode', 'batched', 'helper', 'limit'];
	const { runs, took, worst } = await compare(bench, { label: 'create-limited', count, proxy, contenders });
	const notOnce = ({ lost, doubled }: { lost: number; doubled: number }) => lost + doubled;
	return {
		figures: [
			figureOf({
				name: `${label}: time (HTTP Request: batched 50/100 ms)`,
				ours: took('ours'),
				httpRequestNode: took('batched'),
				limit: took('limit'),
				helper: took('helper'),
				unit: 'ms',
				goal: OVER_HELPER * took('helper'),
			}),
			figureOf({
				name: `${label}: rows lost or duplicated (HTTP Request: as it is)`,
				ours: worst('ours', notOnce),
				httpRequestNode: worst('httpRequestNode', notOnce),
				limit: worst('limit', notOnce),
				unit: 'rows',
				goal: 0,
			}),
		],
		runs,
	};
}

/** A service without a limit. */
export async function createOpen(bench: Bench) {
	const count = bench.quick ? 1000 : 2000;
	const label = `${count.toLocaleString('en')} creates, a service that takes anything`;
	const proxy = { delay: DELAY };
	const contenders = ['ours', 'httpRequestNode', 'helper', 'limit'];
	const { runs, took, worst } = await compare(bench, { label: 'create-open', count, proxy, contenders });
	return {
		figures: [
			figureOf({
				name: `${label}: time`,
				ours: took('ours'),
				httpRequestNode: took('httpRequestNode'),
				limit: took('limit'),
				helper: took('helper'),
				unit: 'ms',
				goal: OVER_HELPER * took('helper'),
			}),
			figureOf({
				name: `${label}: requests in flight`,
				ours: worst('ours', ({ highest }) => highest),
				httpRequestNode: worst('httpRequestNode', ({ highest }) => highest),
				limit: worst('limit', ({ highest }) => highest),
				unit: 'requests',
				goal: CEILING,
			}),
		],
		runs,
	};
}
