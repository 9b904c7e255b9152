import type { Bench, Run } from './bench';
import { figureOf, Runs } from './figures';
import { byName, flow, helperLoop, ours, rows as inputRows, type Step } from './n8n/workflows';
import type { TargetService } from './target/service';

const PAGE = 1000;

/** An operation that finds rows by key, and its requests per different row. */
interface KeyOperation {
	label: string;
	operation: 'upsert' | 'create' | 'lookUp';
	/** JavaScript that changes every tenth row. */
	change: string;
	/** Requests per different row. */
	each: { lookUps: number; writes: number };
	/** Expression of the key, if n8n evaluates one per item. */
	expression?: string;
	parameters: (target: TargetService, findRows: string) => object;
}

const key = (target: TargetService) => target.fieldIds['Order'] ?? '';

const OPERATIONS: readonly KeyOperation[] = [
	{
		label: 'Create or Update',
		operation: 'upsert',
		change: 'if (n % 10 === 0) row.Amount += 1',
		each: { lookUps: 0, writes: 1 },
		parameters: (target, findRows) => ({ columns: byName([key(target)]), options: { findRows } }),
	},
	{
		// Each missing row is looked up again before it is created.
		label: 'Create, avoiding duplicates',
		operation: 'create',
		change: "if (n % 10 === 0) row.Order = 'N' + row.Order",
		each: { lookUps: 1, writes: 1 },
		parameters: (target, findRows) => ({
			columns: byName(),
			options: { findRows, avoidDuplicatesBy: [key(target)] },
		}),
	},
	{
		label: 'Look Up',
		operation: 'lookUp',
		change: "if (n % 10 === 0) row.Order = 'N' + row.Order",
		each: { lookUps: 0, writes: 0 },
		expression: '={{ $json.Order }}',
		parameters: (target, findRows) => ({
			matchBy: { key: [{ column: key(target), value: '={{ $json.Order }}' }] },
			options: { findRows },
		}),
	},
];

/** Finds the rows of many items by key in a large grid, one by one and automatically. */
export async function findByKey(bench: Bench) {
	const rows = bench.quick ? 6000 : 30_000;
	const count = rows / 6;
	const setting = { rows, proxy: { delay: 20, pageCap: PAGE } };
	const times = Math.min(3, bench.times);
	const figures = [];
	const stored: Record<string, Run[]> = {};
	for (const { label, operation, change, each, expression = '', parameters } of OPERATIONS) {
		const pages = Math.ceil(rows / PAGE);
		const [lookUps, writes] = [(count / 10) * each.lookUps, (count / 10) * each.writes];
		const once = (name: string, stepOf: (target: TargetService) => Step) => async () => {
			const flowOf = (target: TargetService) =>
				flow(`keys-${operation}-${name}`, [inputRows(count, change), stepOf(target)]);
			const run = await bench.node(setting, flowOf);
			if (run.error !== undefined) throw new Error(`${label}: ${run.error}`);
			return run;
		};
		const found = (findRows: string) =>
			once(findRows, (target) => ours(target, operation, parameters(target, findRows)));
		const work = { pages, lookUps, writes, key: expression };
		// Node and loop in succession: the speed of the processors changes within half a minute.
		const contenders = {
			automatic: found('automatic'),
			loop: once('loop', (target) => helperLoop(target, bench.url, work)),
			oneByOne: found('oneByOne'),
		};
		const runs = await Runs.alternating(times, contenders, ({ requests, took }, turn) => {
			bench.say(`  ${label} ${turn}: ${requests} requests, ${took} ms`);
		});
		for (const [name, some] of Object.entries(runs.byName)) stored[`${operation}, ${name}`] = some;
		const least = pages + lookUps + writes;
		const title = `${label} of ${count.toLocaleString('en')} items, ${rows.toLocaleString('en')} rows, 10 % differ`;
		const fifth = (what: string, of: (run: Run) => number) =>
			figureOf({
				name: `${title}: ${what} (goal: a fifth of that one by one)`,
				ours: runs.median('automatic', of),
				helper: runs.median('loop', of),
				unit: 'ms',
				goal: runs.median('oneByOne', of) / 5,
			});
		figures.push(
			figureOf({
				name: `${title}: requests`,
				ours: runs.max('automatic', ({ requests }) => requests),
				limit: least,
				unit: 'requests',
				goal: least + 2,
			}),
			fifth('time', ({ took }) => took),
			fifth('processor time of n8n', ({ cpu }) => cpu.client),
		);
	}
	return { figures, runs: stored };
}
