import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import type { Bench } from './bench';
import { flatness, HEAP_MB, HeapFile, limitedHeap } from './heap';
import { startMeasuredN8n, type Note } from './n8n/measuredN8n';
import { flow, MEASURED, ours, type Step } from './n8n/workflows';
import { readFileNode, writeRows } from './rowsFile';
import { startTargetService } from './target/service';

const MAX_RUN_MS = 3_600_000;

/** Export and sync of a grid that does not fit into the heap. */
export async function passFiles(bench: Bench) {
	const rows = Number(env['BENCH_ROWS'] ?? (bench.quick ? 100_000 : 1_000_000));
	const folder = await mkdtemp(join(tmpdir(), 'bench-files-'));
	const path = join(folder, 'rows.csv');
	const heap = new HeapFile(join(folder, 'heap.jsonl'));
	await Promise.all([writeRows(path, { rows }), heap.create()]);
	const target = await startTargetService(rows);
	const measured = await startMeasuredN8n(bench.install, target.url, {
		longestRun: MAX_RUN_MS,
		env: limitedHeap(heap, folder),
	});
	const run = async (name: string, steps: readonly Step[]) => {
		await measured.add(target, flow(name, steps));
		await heap.next();
		const note = await measured.run(name);
		const result = { ...outputOf(note), ...(await heap.next()) };
		bench.say(`  ${name}: ${JSON.stringify(result)}`);
		return result;
	};
	try {
		const exported = await run('recorded-export-csv', [ours(target, 'entity', 'export', {})]);
		const lines = await run('recorded-export-ndjson', [
			ours(target, 'entity', 'export', { fileFormat: 'ndjson' }),
		]);
		const synced = await run('recorded-sync-file', [
			readFileNode(path),
			ours(target, 'entity', 'importFile', { keyColumns: [target.fieldIds['Order'] ?? ''] }),
		]);
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
	} finally {
		await measured.stop();
		await target.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

/** @throws if the operation failed */
export function outputOf(note: Note) {
	const measured = note.nodes.find(({ name }) => name === MEASURED);
	const [output] = note.output;
	if (!output) throw new Error(`No output: ${measured?.error ?? note.error ?? ''}`);
	return { took: measured?.took ?? 0, output, peakKilobytes: note.peakKilobytes };
}
