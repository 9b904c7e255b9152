import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { startJsonServer, startService, type Target } from './targets';

/** What was measured, in the order of the table. */
type Figures = Readonly<Record<string, number>>;

const TIMES = 31;

async function measure(target: Target, size: number, creates: number): Promise<Figures> {
	const { load } = target;
	const pages = Math.max(1, Math.floor(size / 300));
	// What is made on demand (indexes) and what the engine compiles is not part of the figures.
	for (let n = 0; n < 20; n++) await load.send(target.page(1 + (n % pages)));
	await load.send(target.equal(1));
	await load.send(target.sorted());
	await load.rate(
		Array.from({ length: Math.ceil(creates / 10) }, (_, n) => target.create(n)),
		16,
	);
	const figures = {
		'creates a second, 16 connections': await load.rate(
			Array.from({ length: creates }, (_, n) => target.create(n)),
			16,
		),
		'reads of one entity a second, 16 connections': await load.rate(
			Array.from({ length: 3000 }, (_, n) => target.one(n)),
			16,
		),
		'page of 300, first (ms)': await load.median(target.page(1), TIMES),
		'page of 300, middle (ms)': await load.median(target.page(Math.ceil(pages / 2)), TIMES),
		'page of 300, last (ms)': await load.median(target.page(pages), TIMES),
		'$eq filter (ms)': await load.median(target.equal(42), TIMES),
		'sorted page of 300 (ms)': await load.median(target.sorted(), TIMES),
	};
	load.close();
	await target.stop();
	return figures;
}

async function main(): Promise<void> {
	const columns: Array<{ name: string; figures: Figures }> = [];
	const add = async (
		name: string,
		start: () => Promise<Target | undefined>,
		size: number,
		creates: number,
	) => {
		process.stderr.write(`${name} …\n`);
		const target = await start();
		if (target) columns.push({ name, figures: await measure(target, size, creates) });
		else process.stderr.write('  not installed: npm install in bench/service/peers\n');
	};
	for (const size of [1000, 100_000, 1_000_000]) {
		await add(`this service, ${size.toLocaleString('en')}`, () => startService(size), size, 3000);
		// json-server writes its whole file with each create: at 100,000 rows it stops answering in between and drops connections.
		if (size === 1000)
			await add(`json-server, ${size.toLocaleString('en')}`, () => startJsonServer(size), size, 500);
	}
	const [first] = columns;
	if (!first) return;
	const round = (value: number) => (value >= 100 ? String(Math.round(value)) : value.toFixed(1));
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
		`Node ${process.version}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${new Date().toISOString().slice(0, 10)}. Milliseconds are medians of ${TIMES}.`,
		'',
	].join('\n');
	process.stdout.write(table);
	writeFileSync(join(process.cwd(), 'build', 'bench-service.md'), table);
}

main().catch((error: unknown) => {
	process.stderr.write(`${String(error)}\n`);
	process.exitCode = 1;
});
