import type { Bench, Run } from './bench';
import { figureOf, Runs } from './figures';
import { byName, flow, helperLoop, httpCreate, ours, rows, type Step } from './n8n/workflows';
import type { TargetService } from './target/service';
import { rowOf } from './target/shapes';

const CEILING = 64;
/** Goal for creates: at most this multiple of n8n's HTTP helper in a loop. */
const OVER_HELPER = 1.3;

/**
 * Creates rows with this node, HTTP Request (default and batched) and the loop in sequence, several
 * times.
 * @param takes maximum number of concurrent requests, if the service has one
 */
async function compare(bench: Bench, label: string, takes?: number) {
	const count = bench.quick ? 1000 : 2000;
	const numbers = Array.from({ length: count }, (_, n) => n);
	const setting = {
		rows: 0,
		proxy: { delay: 20, ...(takes !== undefined && { takes }) },
		wanted: numbers.map((n) => rowOf(n).Order),
	};
	const node = (name: string, stepOf: (target: TargetService) => Step) => () =>
		bench.node(setting, (target) => flow(`${label}-${name}`, [rows(count), stepOf(target)]));
	const bodiesOf = ({ fieldIds }: TargetService) =>
		numbers.map((n) =>
			Object.fromEntries(Object.entries(rowOf(n)).map(([name, value]) => [fieldIds[name] ?? name, value])),
		);
	const batches = { batching: { batch: { batchSize: 50, batchInterval: 100 } } };
	const contenders = {
		ours: node('ours', (target) => ours(target, 'create', { columns: byName(), options: {} })),
		httpRequestNode: node('httpRequestNode', (target) => httpCreate(target, bench.url, {})),
		// Without a limit, the defaults suffice.
		...(takes !== undefined && {
			batched: node('batched', (target) => httpCreate(target, bench.url, batches)),
		}),
		helper: node('helper', (target) => helperLoop(target, bench.url, { writes: count, ceiling: CEILING })),
		limit: () =>
			bench.limit(setting, (target) => ({ work: 'create', ceiling: CEILING, rows: bodiesOf(target) })),
	};
	// Warm-up, so that JIT compilation is not measured.
	await contenders.ours();
	const runs = await Runs.alternating(bench.times, contenders, (run, turn) => {
		const { took, written, lost, doubled, refused } = run;
		bench.say(
			`  ${label} ${turn}: ${took} ms, ${written} written, ${lost} lost, ${doubled} doubled, ${refused} times 503`,
		);
	});
	const took = (name: string) => runs.median(name, (run) => run.took);
	const time = (name: string, httpRequestNode: string) =>
		figureOf({
			name: `${count.toLocaleString('en')} creates, ${name}`,
			ours: took('ours'),
			httpRequestNode: took(httpRequestNode),
			limit: took('limit'),
			helper: took('helper'),
			unit: 'ms',
			goal: OVER_HELPER * took('helper'),
		});
	const most = (name: string, unit: string, goal: number, of: (run: Run) => number) =>
		figureOf({
			name: `${count.toLocaleString('en')} creates, ${name}`,
			ours: runs.max('ours', of),
			httpRequestNode: runs.max('httpRequestNode', of),
			limit: runs.max('limit', of),
			unit,
			goal,
		});
	return { time, most, runs: runs.byName };
}

/** A service that responds with 503 to more than 64 concurrent requests. */
export async function createLimited(bench: Bench) {
	const { time, most, runs } = await compare(bench, 'create-limited', CEILING);
	const label = '64 at a time and 503 past that';
	const notOnce = ({ lost = 0, doubled = 0 }: Run) => lost + doubled;
	return {
		figures: [
			time(`${label}: time (HTTP Request: batched 50/100 ms)`, 'batched'),
			most(`${label}: rows lost or duplicated (HTTP Request: as it is)`, 'rows', 0, notOnce),
		],
		runs,
	};
}

/** A service without a limit. */
export async function createOpen(bench: Bench) {
	const { time, most, runs } = await compare(bench, 'create-open');
	const label = 'a service that takes anything';
	return {
		figures: [
			time(`${label}: time`, 'httpRequestNode'),
			most(`${label}: requests in flight`, 'requests', CEILING, ({ highest }) => highest),
		],
		runs,
	};
}
