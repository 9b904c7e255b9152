import { median, type Bench } from './bench';
import { figureOf, runOf } from './figures';
import { byName, flow, MEASURED, ours, rows as inputRows } from './n8n/workflows';

const PAGE = 1000;

/** Syncs a grid with as many items, 1 % of them different. */
export async function syncMany(bench: Bench) {
	const rows = bench.quick ? 10_000 : 100_000;
	const changes = rows / 100;
	const setting = { rows, proxy: { delay: 20, pageCap: PAGE } };
	const times = Math.min(3, bench.times);
	const runs = [];
	for (let time = 1; time <= times; time++) {
		const run = await bench.node(
			setting,
			(target) =>
				flow('recorded-sync', [
					inputRows(rows, 'if (n % 100 === 0) row.Amount += 1'),
					ours(target, 'entity', 'sync', {
						columns: byName([target.fieldIds['Order'] ?? '']),
						output: 'report',
						rowsNotInInput: 'delete',
						options: {},
					}),
				]),
			(taken) => {
				const report = taken.note?.output[0];
				const problem = taken.note?.nodes.find(({ name }) => name === MEASURED)?.error;
				if (report?.['updated'] !== changes || report['failed'] !== 0)
					throw new Error(`Sync: ${problem ?? JSON.stringify(report)}`);
				return Promise.resolve({ ...runOf(taken), report });
			},
		);
		runs.push(run);
		bench.say(
			`  sync ${String(time)}/${String(times)}: ${String(run.requests)} requests, ${String(run.took)} ms`,
		);
	}
	const pages = Math.ceil(rows / PAGE);
	const label = `Sync of ${rows.toLocaleString('en')} rows, 1 % changed: requests`;
	return {
		figures: [
			figureOf({
				name: label,
				ours: Math.max(...runs.map(({ requests }) => requests)),
				limit: pages + changes,
				unit: 'requests',
				goal: pages + changes + 2,
			}),
		],
		runs: { ours: runs, median: [median(runs.map(({ took }) => took))] },
	};
}
