import { median, type Bench } from './bench';
import { figureOf, runOf, type Run } from './figures';
import { byName, flow, keyLoop, MEASURED, ours, rows as inputRows } from './n8n/workflows';
import type { TargetService } from './target/service';

const PAGE = 1000;

/** An operation that finds rows by key, and its requests per different row. */
interface Contender {
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

const CONTENDERS: readonly Contender[] = [
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
	const runs: Record<string, Run[]> = {};
	for (const { label, operation, change, each, expression = '', parameters } of CONTENDERS) {
		const pages = Math.ceil(rows / PAGE);
		const [lookUps, writes] = [(count / 10) * each.lookUps, (count / 10) * each.writes];
		const once = async (contender: string) =>
			await bench.node(
				setting,
				(target) =>
					flow(`keys-${operation}-${contender}`, [
						inputRows(count, change),
						contender === 'loop'
							? keyLoop(target, bench.url, { pages, lookUps, writes, key: expression })
							: ours(target, 'entity', operation, parameters(target, contender)),
					]),
				(taken) => {
					const problem = taken.note?.nodes.find(({ name }) => name === MEASURED)?.error;
					if (problem) throw new Error(`${label}: ${problem}`);
					return Promise.resolve(runOf(taken));
				},
			);
		const cheaper: Run[] = [];
		const single: Run[] = [];
		const loop: Run[] = [];
		for (let time = 1; time <= times; time++) {
			cheaper.push(await once('automatic'));
			single.push(await once('oneByOne'));
			loop.push(await once('loop'));
		}
		runs[operation] = cheaper;
		runs[`${operation}, one by one`] = single;
		runs[`${operation}, loop`] = loop;
		const took = median(cheaper.map((run) => run.took));
		const before = median(single.map((run) => run.took));
		const floor = median(loop.map((run) => run.took));
		const cpu = (some: readonly Run[]) => median(some.map((run) => run.cpu.client));
		const requests = Math.max(...cheaper.map((run) => run.requests));
		bench.say(
			`  ${label}: ${requests} requests, ${took} ms; one by one ${before} ms; their requests in a loop ${floor} ms`,
		);
		const least = pages + lookUps + writes;
		const title = `${label} of ${count.toLocaleString('en')} items, ${rows.toLocaleString('en')} rows, 10 % differ`;
		figures.push(
			figureOf({
				name: `${title}: requests`,
				ours: requests,
				limit: least,
				unit: 'requests',
				goal: least + 2,
			}),
			figureOf({
				name: `${title}: time (goal: a fifth of that one by one)`,
				ours: took,
				helper: floor,
				unit: 'ms',
				goal: before / 5,
			}),
			figureOf({
				name: `${title}: processor time of n8n (goal: a fifth of that one by one)`,
				ours: cpu(cheaper),
				helper: cpu(loop),
				unit: 'ms',
				goal: cpu(single) / 5,
			}),
		);
	}
	return { figures, runs };
}
