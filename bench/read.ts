import type { Bench, Run } from './bench';
import { figureOf, Runs } from './figures';
import { flow, httpRead, MEASURED, ours, splitOut } from './n8n/workflows';

/** Goal for reads: at most this multiple of a loop that only parses. */
const OVER_LOOP = 1.4;
/** The specification's default page size. */
const DOCUMENTED_PAGE = 300;

/** @param fresh whether to restart n8n for each run, to measure its peak */
async function compare(bench: Bench, label: string, rows: number, pageCap: number, fresh = false) {
	const setting = { rows, proxy: { delay: 20, pageCap } };
	const contenders = {
		ours: () =>
			bench.node(
				setting,
				(target) => flow(`${label}-ours`, [ours(target, 'getMany', { returnAll: true, options: {} })]),
				{ fresh },
			),
		httpRequestNode: () =>
			bench.node(
				setting,
				(target) => flow(`${label}-http-request`, [httpRead(target, bench.url, DOCUMENTED_PAGE), splitOut()]),
				{ fresh, nodes: [MEASURED, 'Split Out'] },
			),
		limit: () => bench.limit(setting, () => ({ work: 'read', ceiling: 64, pageSize: pageCap })),
	};
	// Warm-up, so that JIT compilation is not measured.
	if (!fresh) await contenders.ours();
	const times = fresh ? Math.min(3, bench.times) : bench.times;
	const runs = await Runs.alternating<Run>(times, contenders, ({ items = rows, ...run }, turn) => {
		if (items !== rows) throw new Error(`${label} ${turn}: ${items} of ${rows} rows`);
		const memory = run.peak === undefined ? '' : `, ${run.peak} MB at most`;
		bench.say(`  ${label} ${turn}: ${run.took} ms, ${run.requests} requests${memory}`);
	});
	const took = (name: string) => runs.median(name, (run) => run.took);
	const time = (name: string) =>
		figureOf({
			name: `${rows.toLocaleString('en')} rows${name}: time`,
			ours: took('ours'),
			httpRequestNode: took('httpRequestNode'),
			limit: took('limit'),
			unit: 'ms',
			goal: OVER_LOOP * took('limit'),
		});
	return { runs, time };
}

async function readPages(bench: Bench, pageCap: number) {
	const rows = bench.quick ? 6000 : 30_000;
	const { runs, time } = await compare(bench, `read-${pageCap}`, rows, pageCap);
	return { figures: [time(`, pages of at most ${pageCap.toLocaleString('en')}`)], runs: runs.byName };
}

export const readSmallPages = (bench: Bench) => readPages(bench, 300);

/** HTTP Request uses the documented page size, this node the largest one. */
export const readLargePages = (bench: Bench) => readPages(bench, 1000);

export async function readMany(bench: Bench) {
	const rows = bench.quick ? 20_000 : 100_000;
	const { runs, time } = await compare(bench, 'read-memory', rows, 1000, true);
	const peak = (name: string) => runs.median(name, (run) => run.peak ?? 0);
	const memory = figureOf({
		name: `${rows.toLocaleString('en')} rows: peak memory of n8n`,
		ours: peak('ours'),
		httpRequestNode: peak('httpRequestNode'),
		unit: 'MB',
		goal: 1.3 * peak('httpRequestNode'),
	});
	return { figures: [memory, time('')], runs: runs.byName };
}
