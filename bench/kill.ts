import { env } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod/v4';
import { until } from '../testbed/until';
import type { Bench } from './bench';
import { figureOf } from './figures';
import { outputOf } from './files';
import { flatness, HEAP_MB, MAX_RUN_MS, withLimitedHeap } from './heap';
import { flow } from './n8n/workflows';
import { isChanged, rowOfFile } from './rowsFile';
import type { TargetService } from './target/service';
import { rowOf } from './target/shapes';

const PAGE = 1000;
/** Time in which the service completes requests sent before the kill. */
const QUIET_MS = 3000;
const FLOW = 'recorded-kill';

const reportSchema = z.object({ created: z.number(), updated: z.number(), failed: z.number() });

/** The grid compared with the file. */
interface Comparison {
	/** New rows of the file in the grid */
	created: number;
	/** Changed rows of the file in the grid */
	updated: number;
	missing: number;
	doubled: number;
	/** Rows with neither the value before the run nor that of the file */
	wrong: number;
}

/** Compares every row, without the proxy. */
async function compared({ client, grid }: TargetService, rows: number, added: number): Promise<Comparison> {
	const times = new Uint8Array(rows + added);
	const found: Comparison = { created: 0, updated: 0, missing: 0, doubled: 0, wrong: 0 };
	for (let pageIndex = 1, read = PAGE; read === PAGE; pageIndex++) {
		const page = await client.entities.page(grid, { pageIndex, pageSize: PAGE, layout: 'property' });
		read = page.items.length;
		for (const item of page.items) {
			const n = Number(String(item['Order']).slice(2));
			times[n] = (times[n] ?? 0) + 1;
			const changed = isChanged(n) && n < rows;
			const { Amount, ...others } = n < rows ? rowOfFile(n) : rowOf(n);
			const is = (values: object) =>
				Object.entries(values).every(([name, value]) => String(item[name]) === String(value));
			if (!is(others)) found.wrong += 1;
			else if (is({ Amount })) {
				if (changed) found.updated += 1;
				if (n >= rows) found.created += 1;
			} else if (!changed || !is({ Amount: Amount - 1 })) found.wrong += 1;
		}
	}
	found.missing = times.filter((count) => count === 0).length;
	found.doubled = times.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
	return found;
}

async function rowsIn({ client, grid }: TargetService): Promise<number> {
	return (await client.entities.page(grid, { pageSize: 1 })).numberOfItems;
}

/** Sync From File, killed with SIGKILL when half of its new rows are written, and run again. */
export async function killSync(bench: Bench) {
	const rows = Number(env['BENCH_ROWS'] ?? (bench.quick ? 20_000 : 200_000));
	const added = rows / 100;
	const changed = rows / 100;
	return await withLimitedHeap(bench, { rows, added }, async ({ target, measured, heap, syncFile }) => {
		await measured.add(target, flow(FLOW, syncFile));
		await heap.next();
		await measured.begin(FLOW);
		const isHalf = async () => {
			if (!measured.n8n.isRunning()) throw new Error('n8n ended before it was killed');
			return (await rowsIn(target)) >= rows + added / 2;
		};
		await until('half of the sync', isHalf, { withinMs: MAX_RUN_MS, everyMs: 200 });
		await measured.n8n.kill();
		await wait(QUIET_MS);
		const first = await heap.next();
		const cut = await compared(target, rows, added);
		bench.say(`  killed: ${JSON.stringify({ ...cut, ...first })}`);
		if (cut.created === 0 || cut.created === added) throw new Error('The kill was not half-way');

		await measured.restart();
		await heap.next();
		const again = outputOf(await measured.run(FLOW));
		const second = await heap.next();
		const report = reportSchema.parse(again.output);
		const end = await compared(target, rows, added);
		bench.say(`  again: ${JSON.stringify({ ...again, ...second, end })}`);
		const label = `Sync of ${rows.toLocaleString('en')} rows from a file, killed half-way, run again`;
		const none = (name: string, ours: number) =>
			figureOf({ name: `${label}: rows ${name}`, ours, unit: 'rows', goal: 0 });
		const unfinished = added - end.created + (changed - end.updated) + end.missing + end.wrong;
		const twice = report.created + cut.created - added + (report.updated + cut.updated - changed);
		return {
			figures: [
				none('missing or different', unfinished + report.failed),
				none('doubled', end.doubled),
				none('written by both runs', twice),
				flatness(`${label}, heap of ${String(HEAP_MB)} MB: deviation`, second),
			],
			runs: { killed: { ...cut, ...first }, again: { ...again, ...second }, end },
		};
	});
}
