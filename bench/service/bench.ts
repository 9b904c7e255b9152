import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Call } from './client';
import { startJsonServer, startNocoDb } from './competitors';
import { startService, type Target } from './targets';

/** Measurements in the order of the table. */
type Figures = Readonly<Record<string, number>>;

const TIMES = 31;

async function measure(target: Target, size: number, creates: number): Promise<Figures> {
	const { load } = target;
	const pages = Math.max(1, Math.floor(size / 300));
	const many = (count: number, call: (n: number) => Call) => Array.from({ length: count }, (_, n) => call(n));
	// Warm-up, so that index creation and JIT compilation are not measured.
	for (let n = 0; n < 10; n++) await load.send(target.page(1 + (n % pages)));
	await load.send(target.equal(1));
	await load.send(target.sorted());
	await target.settle();
	await load.rate(
		many(Math.ceil(creates / 5), (n) => target.create(n)),
		16,
	);
	await load.rate(
		many(Math.ceil(creates / 5), (n) => target.one(n)),
		16,
	);
	const figures = {
		'creates a second, 16 connections': await load.rate(
			many(creates, (n) => target.create(n)),
			16,
		),
		'reads of one a second, 16 connections': await load.rate(
			many(creates, (n) => target.one(n)),
			16,
		),
		'page of 300, first (ms)': await load.median(target.page(1), TIMES),
		'page of 300, middle (ms)': await load.median(target.page(Math.ceil(pages / 2)), TIMES),
		'page of 300, last (ms)': await load.median(target.page(pages), TIMES),
		'filter, equal, one match (ms)': await load.median(target.equal(42), TIMES),
		'sorted page of 300 (ms)': await load.median(target.sorted(), TIMES),
		'filter with a quarter matching, sorted (ms)': await load.median(target.filteredAndSorted(), TIMES),
	};
	load.close();
	await target.stop();
	return figures;
}

/**
 * Sizes and servers. `json-server` rewrites its whole file with each create and drops connections
 * at 100,000 rows.
 */
const sizes = process.argv
	.slice(2)
	.map(Number)
	.filter((size) => size > 0);
const runs = (sizes.length > 0 ? sizes : [1000, 100_000, 1_000_000]).flatMap((size) => [
	{ name: 'this service', size, creates: 5000, start: () => startService(size) },
	{ name: 'NocoDB', size, creates: 500, start: () => startNocoDb(size) },
	...(size === 1000 ? [{ name: 'json-server', size, creates: 500, start: () => startJsonServer(size) }] : []),
]);

async function main(): Promise<void> {
	const onlyFill = process.argv.includes('--fill');
	const columns: Array<{ name: string; figures: Figures }> = [];
	for (const { name, size, creates, start } of runs) {
		process.stderr.write(`${name}, ${size.toLocaleString('en')} …\n`);
		const target = await start();
		if (!target) process.stderr.write('  not installed, see README.md\n');
		else if (onlyFill) {
			target.load.close();
			await target.stop();
		} else {
			const figures = await measure(target, size, creates);
			columns.push({ name: `${name}, ${size.toLocaleString('en')}`, figures });
			process.stderr.write(`${JSON.stringify(figures)}\n`);
		}
	}
	const [first] = columns;
	if (!first) return;
	const round = (value: number) => (value >= 100 ? value.toLocaleString('en', { maximumFractionDigits: 0 }) : value.toFixed(1)); // prettier-ignore
	const rows = Object.keys(first.figures).map((what) => {
		const values = columns.map(({ figures }) => round(figures[what] ?? NaN));
		return `| ${[what, ...values].join(' | ')} |`;
	});
	const [cpu] = cpus();
	const table = [
		`| | ${columns.map(({ name }) => name).join(' | ')} |`,
		`|---|${columns.map(() => '---:').join('|')}|`,
		...rows,
		'',
		`Node ${process.version}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${new Date().toISOString().slice(0, 10)}. Milliseconds are medians of ${TIMES} (of those that fit into a quarter of a minute).`,
		'',
	].join('\n');
	process.stdout.write(table);
	writeFileSync(join(process.cwd(), 'build', 'bench-service.md'), table);
}

main().catch((error: unknown) => {
	process.stderr.write(`${String(error)}\n`);
	process.exitCode = 1;
});
