import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../scripts/setup/entry.mjs';
import { Fault } from '../scripts/setup/faults.mjs';
import { installN8n, PINNED_N8N } from '../scripts/setup/n8n.mjs';
import { root } from '../scripts/setup/paths.mjs';
import { buildProject } from '../scripts/setup/project.mjs';
import { duration, say } from '../scripts/setup/terminal.mjs';
import type { Figure } from './figures';

/** A quick run leaves out benchmarks that would not end within this time. */
const QUICK_MS = 300_000;

/**
 * `npm run bench [-- name …] [-- --quick]`: compares this package in a real n8n with n8n's HTTP
 * Request node and loops. Without names, all benchmarks run; `--quick` does less work, runs each
 * once, and leaves out what would not end within five minutes; `--times=5` sets the number of runs
 * (default three). The last line is JSON. Full runs are stored in `bench/results.json`.
 */
function readOptions() {
	const refuse = (message: string) =>
		new Fault(message, 'Use `npm run bench -- [name …] [--quick] [--times=<number>]`.');
	try {
		const { values, positionals } = parseArgs({
			options: {
				quick: { type: 'boolean', default: false },
				times: { type: 'string' },
			},
			allowPositionals: true,
		});
		const times = Number(values.times ?? (values.quick ? 1 : 3));
		if (!Number.isInteger(times) || times < 1) throw refuse('--times is not a number of runs.');
		return { quick: values.quick, times, asked: positionals };
	} catch (error) {
		throw error instanceof Fault ? error : refuse(error instanceof Error ? error.message : String(error));
	}
}

void runCommand(async () => {
	const { quick, times, asked } = readOptions();
	// Imported late, because their packages may just have been installed.
	const { BENCHMARKS } = await import('./benchmarks');
	const { withBench } = await import('./bench');
	const { mergeResults, readResults } = await import('./results');
	const { TimeBudget } = await import('./timeBudget');
	const order = Object.keys(BENCHMARKS);
	const names = asked.length === 0 ? order : asked;
	const unknown = names.find((name) => BENCHMARKS[name] === undefined);
	if (unknown !== undefined) {
		throw new Fault(
			`There is no benchmark "${unknown}".`,
			`Use any of ${order.join(', ')}, or none for all.`,
		);
	}
	const install = await installN8n(PINNED_N8N);
	await buildProject();
	const full = join(root, 'bench', 'results.json');
	const file = quick ? join(root, 'build', 'bench-n8n', 'quick.json') : full;
	await mkdir(join(root, 'build', 'bench-n8n'), { recursive: true });

	const all: Figure[] = [];
	const before = (await readResults(file))?.benchmarks ?? {};
	const stored = (await readResults(full))?.benchmarks ?? {};
	// Before the first quick run, the duration of the full run is an upper bound.
	const budget = new TimeBudget(
		quick ? QUICK_MS : Infinity,
		Object.fromEntries(order.map((name) => [name, before[name]?.took ?? stored[name]?.took])),
	);
	/** Duration of these benchmarks in the last run, if any. */
	const usually = (some: readonly string[]) => {
		const known = some.flatMap((name) => before[name]?.took ?? []);
		const sum = known.reduce((total, took) => total + took, 0);
		return known.length < some.length || sum === 0 ? '' : `, usually ${duration(sum)}`;
	};
	await withBench(install, { quick, times, say }, async (bench) => {
		for (const [index, name] of names.entries()) {
			const begun = performance.now();
			const left = names.slice(index);
			if (!budget.fits(name)) {
				say(`\nLeft out, because a quick run ends after five minutes: ${name}`);
				continue;
			}
			say(`\n${String(index + 1)} of ${String(names.length)}: ${name}${usually([name])}`);
			if (left.length > 1) say(`  then ${left.slice(1).join(', ')}${usually(left.slice(1))}`);
			await bench.renew();
			const { figures, runs } = (await BENCHMARKS[name]?.(bench)) ?? { figures: [], runs: {} };
			all.push(...figures);
			// Each result is stored at once, so that an interrupted run keeps its results.
			const took = Math.round(performance.now() - begun);
			budget.add(name, took);
			const date = new Date().toISOString().slice(0, 10);
			const fresh = { [name]: { date, took, figures, runs } };
			await mergeResults(file, { n8n: PINNED_N8N, order, fresh });
			say(`  done in ${duration(took)}`);
		}
	});
	say();
	for (const { name, ours, httpRequestNode, limit, helper, unit, goal, met } of all) {
		const beside = `HTTP Request ${httpRequestNode ?? '–'}, limit ${limit ?? '–'}, loop in n8n ${helper ?? '–'}`;
		say(`${met ? '✔' : '✖'} ${name}: ${ours} ${unit} (goal ${goal}, ${beside})`);
	}
	say(`\n${JSON.stringify(all)}`);
	// A missed goal is a result, not a failure of the run.
	return true;
});
