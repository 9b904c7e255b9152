import { median, type Bench } from './bench';
import { figureOf } from './figures';
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

/** Outputs a new item for each one: the memory of input and output. */
const copying = (): Step => ({
	name: MEASURED,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: { assignments: { assignments: [] }, includeOtherFields: true, options: {} },
});

/** Peak memory of n8n when items are compared with as many rows, of which 1 % differ. */
export async function writeInMemory(bench: Bench) {
	const rows = bench.quick ? 20_000 : 100_000;
	const setting = { rows, proxy: { delay: 20, pageCap: PAGE } };
	const steps: Record<string, (target: TargetService) => Step> = {
		passed: passing,
		copied: copying,
		sync: (target) =>
			ours(target, 'entity', 'sync', { columns: keyed(target), output: 'report', options: {} }),
		upsert: (target) => ours(target, 'entity', 'upsert', { columns: keyed(target), options: {} }),
	};
	const runs: Record<string, number[]> = {};
	const times = Math.min(2, bench.times);
	for (let time = 1; time <= times; time++) {
		for (const [name, step] of Object.entries(steps)) {
			const peak = await bench.node(
				setting,
				(target) =>
					flow(`memory-${name}`, [inputRows(rows, 'if (n % 100 === 0) row.Amount += 1'), step(target)]),
				({ note }) => {
					const problem = note?.nodes.find(({ name: node }) => node === MEASURED)?.error;
					if (problem !== undefined) throw new Error(`${name}: ${problem}`);
					return Promise.resolve(Math.round((note?.peakKilobytes ?? 0) / 1024));
				},
				{ fresh: true },
			);
			(runs[name] ??= []).push(peak);
			bench.say(`  memory ${String(time)}/${String(times)}, ${name}: ${String(peak)} MB at most`);
		}
	}
	const figure = (name: string, of: string, items: string) => {
		const alone = median(runs[items] ?? []);
		return figureOf({
			name: `${name} of ${rows.toLocaleString('en')} items, 1 % changed: peak memory of n8n`,
			ours: median(runs[of] ?? []),
			helper: alone,
			unit: 'MB',
			goal: alone * OVER_ITEMS,
		});
	};
	// Sync outputs a report, Create or Update as many items as it takes.
	return {
		figures: [figure('Sync', 'sync', 'passed'), figure('Create or Update', 'upsert', 'copied')],
		runs,
	};
}

const keyed = (target: TargetService) => byName([target.fieldIds['Order'] ?? '']);
