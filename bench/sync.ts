import { median, type Bench } from './bench';
import { figureOf, runOf } from './figures';
import { byName, flow, MEASURED, ours, rows as inputRows, type Step } from './n8n/workflows';
import type { TargetService } from './target/service';

const PAGE = 1000;

/** Maximum ratio to the memory of n8n with the items alone. */
const OVER_ITEMS = 1.3;

/** Passes its items on: the memory of the input. */
const passing = (): Step => ({
	name: MEASURED,
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
});

const sync = (target: TargetService): Step =>
	ours(target, 'entity', 'sync', {
		columns: byName([target.fieldIds['Order'] ?? '']),
		output: 'report',
		rowsNotInInput: 'delete',
		options: {},
	});

/** Syncs a grid with as many items, 1 % of them different. Restarts n8n each time, for its peak. */
export async function syncMany(bench: Bench) {
	const rows = bench.quick ? 10_000 : 100_000;
	const changes = rows / 100;
	const times = Math.min(3, bench.times);
	const once = async (name: string, stepOf: (target: TargetService) => Step) =>
		await bench.node(
			{ rows, proxy: { delay: 20, pageCap: PAGE } },
			(target) => flow(name, [inputRows(rows, 'if (n % 100 === 0) row.Amount += 1'), stepOf(target)]),
			(taken) => {
				const problem = taken.note?.nodes.find(({ name: node }) => node === MEASURED)?.error;
				if (problem !== undefined) throw new Error(`${name}: ${problem}`);
				const peak = Math.round((taken.note?.peakKilobytes ?? 0) / 1024);
				return Promise.resolve({ ...runOf(taken), peak, report: taken.note?.output[0] });
			},
			{ fresh: true },
		);
	const runs: Record<'ours' | 'items', Array<Awaited<ReturnType<typeof once>>>> = { ours: [], items: [] };
	for (let time = 1; time <= times; time++) {
		const run = await once('recorded-sync', sync);
		const { report, requests, took, peak } = run;
		if (report?.['updated'] !== changes || report['failed'] !== 0)
			throw new Error(`Sync: ${JSON.stringify(report)}`);
		const items = await once('sync-items', passing);
		runs.ours.push(run);
		runs.items.push(items);
		bench.say(
			`  sync ${time}/${times}: ${requests} requests, ${took} ms, ${peak} MB at most; the items alone ${items.peak} MB`,
		);
	}
	const pages = Math.ceil(rows / PAGE);
	const label = `Sync of ${rows.toLocaleString('en')} rows, 1 % changed`;
	const peak = (name: 'ours' | 'items') => median(runs[name].map((run) => run.peak));
	return {
		figures: [
			figureOf({
				name: `${label}: requests`,
				ours: Math.max(...runs.ours.map(({ requests }) => requests)),
				limit: pages + changes,
				unit: 'requests',
				goal: pages + changes + 2,
			}),
			figureOf({
				name: `${label}: peak memory of n8n`,
				ours: peak('ours'),
				helper: peak('items'),
				unit: 'MB',
				goal: OVER_ITEMS * peak('items'),
			}),
		],
		runs,
	};
}
