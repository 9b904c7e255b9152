import { median, type Bench, type Taken } from './bench';
import { figureOf, runOf, type Run } from './figures';
import { flow, httpRead, MEASURED, ours, splitOut } from './n8n/workflows';

const DELAY = 20;
const CEILING = 64;
/** Goal for reads: at most this multiple of a loop that only parses. */
const OVER_LOOP = 1.4;
/** The specification's default page size. */
const DOCUMENTED_PAGE = 300;

type ReadRun = Run & { items: number; peak: number };

async function compare(
	bench: Bench,
	{
		label,
		rows,
		pageCap,
		times,
		fresh,
	}: { label: string; rows: number; pageCap: number; times: number; fresh: boolean },
) {
	const setting = { rows, proxy: { delay: DELAY, pageCap } };

	const use = (taken: Taken): Promise<ReadRun> =>
		Promise.resolve({
			...runOf(taken),
			items: taken.note?.nodes.at(-1)?.items ?? rows,
			peak: Math.round((taken.note?.peakKilobytes ?? 0) / 1024),
		});

	const contenders: Record<string, () => Promise<ReadRun>> = {
		ours: () =>
			bench.node(
				setting,
				(target) =>
					flow(`${label}-ours`, [ours(target, 'entity', 'getMany', { returnAll: true, options: {} })]),
				use,
				{ fresh },
			),
		httpRequestNode: () =>
			bench.node(
				setting,
				(target) => flow(`${label}-http-request`, [httpRead(target, bench.url, DOCUMENTED_PAGE), splitOut()]),
				use,
				{ fresh, nodes: [MEASURED, 'Split Out'] },
			),
		limit: () => bench.limit(setting, () => ({ work: 'read', ceiling: CEILING, pageSize: pageCap }), use),
	};

	const runs: Record<string, ReadRun[]> = {};
	if (!fresh) await contenders['ours']?.();
	for (let time = 1; time <= times; time++) {
		for (const [name, once] of Object.entries(contenders)) {
			const run = await once();
			if (run.items !== rows)
				throw new Error(`${label}, ${name}: ${String(run.items)} of ${String(rows)} rows`);
			(runs[name] ??= []).push(run);
			const memory = run.peak > 0 ? `, ${String(run.peak)} MB at most` : '';
			bench.say(
				`  ${label} ${String(time)}/${String(times)}, ${name}: ${String(run.took)} ms, ${String(run.requests)} requests${memory}`,
			);
		}
	}

	const middle = (name: string, of: (run: ReadRun) => number) => median((runs[name] ?? []).map(of));
	return { runs, middle };
}

const took = (run: ReadRun) => run.took;
const peak = (run: ReadRun) => run.peak;

async function readPages(bench: Bench, { label, pageCap }: { label: string; pageCap: number }) {
	const rows = bench.quick ? 6000 : 30_000;
	const { runs, middle } = await compare(bench, { label, rows, pageCap, times: bench.times, fresh: false });
	const figure = figureOf({
		name: `${rows.toLocaleString('en')} rows, pages of at most ${pageCap.toLocaleString('en')}: time`,
		ours: middle('ours', took),
		httpRequestNode: middle('httpRequestNode', took),
		limit: middle('limit', took),
		unit: 'ms',
		goal: OVER_LOOP * middle('limit', took),
	});
	return { figures: [figure], runs };
}

export const readSmallPages = (bench: Bench) => readPages(bench, { label: 'read-300', pageCap: 300 });

/** HTTP Request uses the documented page size, this node the largest one. */
export const readLargePages = (bench: Bench) => readPages(bench, { label: 'read-1000', pageCap: 1000 });

/** Restarts n8n for each run, to measure its peak. */
export async function readMany(bench: Bench) {
	const rows = bench.quick ? 20_000 : 100_000;
	const label = `${rows.toLocaleString('en')} rows`;
	const times = Math.min(3, bench.times);
	const { runs, middle } = await compare(bench, {
		label: 'read-memory',
		rows,
		pageCap: 1000,
		times,
		fresh: true,
	});
	return {
		figures: [
			figureOf({
				name: `${label}: peak memory of n8n`,
				ours: middle('ours', peak),
				httpRequestNode: middle('httpRequestNode', peak),
				unit: 'MB',
				goal: 1.3 * middle('httpRequestNode', peak),
			}),
			figureOf({
				name: `${label}: time`,
				ours: middle('ours', took),
				httpRequestNode: middle('httpRequestNode', took),
				limit: middle('limit', took),
				unit: 'ms',
				goal: OVER_LOOP * middle('limit', took),
			}),
		],
		runs,
	};
}
