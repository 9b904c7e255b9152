import { env } from 'node:process';
import type { Bench } from './bench';
import { flatness, HEAP_MB, withLimitedHeap } from './heap';
import type { Note } from './n8n/measuredN8n';
import { flow, MEASURED, ours, type Step } from './n8n/workflows';

/** Export and sync of a grid that does not fit into the heap. */
export async function passFiles(bench: Bench) {
	const rows = Number(env['BENCH_ROWS'] ?? (bench.quick ? 100_000 : 1_000_000));
	return await withLimitedHeap(bench, { rows }, async ({ target, measured, heap, syncFile }) => {
		const run = async (name: string, steps: readonly Step[]) => {
			await measured.add(target, flow(name, steps));
			await heap.next();
			const note = await measured.run(name);
			const result = { ...outputOf(note), ...(await heap.next()) };
			bench.say(`  ${name}: ${JSON.stringify(result)}`);
			return result;
		};
		const exported = await run('recorded-export-csv', [ours(target, 'export', {})]);
		const lines = await run('recorded-export-ndjson', [ours(target, 'export', { fileFormat: 'ndjson' })]);
		const synced = await run('recorded-sync-file', syncFile);
		const all = rows.toLocaleString('en');
		const limit = `heap of ${String(HEAP_MB)} MB: deviation`;
		return {
			figures: [
				flatness(`Export of ${all} rows to a CSV file, ${limit}`, exported),
				flatness(`Export of ${all} rows to an NDJSON file, ${limit}`, lines),
				flatness(`Sync of ${all} rows from a file, 1 % changed, ${limit}`, synced),
			],
			runs: { exported, lines, synced },
		};
	});
}

/** @throws if the operation failed */
export function outputOf(note: Note) {
	const measured = note.nodes.find(({ name }) => name === MEASURED);
	const [output] = note.output;
	if (!output) throw new Error(`No output: ${measured?.error ?? note.error ?? ''}`);
	return { took: measured?.took ?? 0, output, peakKilobytes: note.peakKilobytes };
}
