import type { Bench } from './bench';
import { figureOf, Runs } from './figures';
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
	ours(target, 'sync', {
		columns: byName([target.fieldIds['Order'] ?? '']),
		output: 'report',
		rowsNotInInput: 'delete',
		options: {},
	});

/** Syncs a grid with as many items, 1 % of them different. Restarts n8n each time, for its peak. */
export async function syncMany(bench: Bench) {
	const rows = bench.quick ? 10_000 : 100_000;
	const changes = rows / 100;
	const once = (name: string, stepOf: (target: TargetService) => Step) => async () => {
		const setting = { rows, proxy: { delay: 20, pageCap: PAGE } };
		const flowOf = (target: TargetService) =>
			flow(name, [inputRows(rows, 'if (n % 100 === 0) row.Amount += 1'), stepOf(target)]);
		const run = await bench.node(setting, flowOf, { fresh: true });
		if (run.error !== undefined) throw new Error(`${name}: ${run.error}`);
		return run;
	};
	const contenders = { ours: once('recorded-sync', sync), items: once('sync-items', passing) };
	const times = Math.min(3, bench.times);
	const runs = await Runs.alternating(times, contenders, (run, turn, name) => {
		const { output, requests, took, peak } = run;
		if (name === 'ours' && (output?.['updated'] !== changes || output['failed'] !== 0))
			throw new Error(`Sync: ${JSON.stringify(output)}`);
		bench.say(`  sync ${turn}: ${requests} requests, ${took} ms, ${peak} MB at most`);
	});
	const least = Math.ceil(rows / PAGE) + changes;
	const label = `Sync of ${rows.toLocaleString('en')} rows, 1 % changed`;
	const peak = (name: string) => runs.median(name, (run) => run.peak ?? 0);
	return {
		figures: [
			figureOf({
				name: `${label}: requests`,
				ours: runs.max('ours', ({ requests }) => requests),
				limit: least,
				unit: 'requests',
				goal: least + 2,
			}),
			figureOf({
				name: `${label}: peak memory of n8n`,
				ours: peak('ours'),
				helper: peak('items'),
				unit: 'MB',
				goal: OVER_ITEMS * peak('items'),
			}),
		],
		runs: runs.byName,
	};
}
