import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { z } from 'zod/v4';
import type { Bench } from './bench';
import { figureOf } from './figures';
import { startMeasuredN8n, type Note } from './n8n/measuredN8n';
import { flow, MEASURED, ours, type Step } from './n8n/workflows';
import { startTargetService } from './target/service';
import { rowOf } from './target/shapes';

/** Heap limit of n8n in megabytes; a grid of a million rows does not fit. */
const HEAP = 700;
const MAX_RUN_MS = 3_600_000;

const sampleSchema = z.object({ at: z.number(), heapUsed: z.number(), rss: z.number() });
type Sample = z.infer<typeof sampleSchema>;

/** A file with the rows of the grid, 1 % of them different. */
async function writeRows(path: string, rows: number): Promise<void> {
	const file = createWriteStream(path);
	file.write(`${Object.keys(rowOf(0)).join(',')}\n`);
	for (let n = 0; n < rows; n++) {
		const row = rowOf(n);
		if (n % 100 === 0) row.Amount += 1;
		if (!file.write(`${Object.values(row).join(',')}\n`)) await once(file, 'drain');
	}
	file.end();
	await once(file, 'finish');
}

const readFileNode = (path: string): Step => ({
	name: 'Read File',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1,
	parameters: { operation: 'read', fileSelector: path, options: { dataPropertyName: 'data' } },
});

/** Maximum deviation of the heap from its median after the first tenth of a run, in percent. */
function deviation(samples: readonly Sample[]): number {
	const first = samples[0]?.at ?? 0;
	const tenth = first + ((samples.at(-1)?.at ?? 0) - first) / 10;
	const heaps = samples.filter(({ at }) => at >= tenth).map(({ heapUsed }) => heapUsed);
	const [least, most] = [Math.min(...heaps), Math.max(...heaps)];
	return Math.round(((most - least) / (most + least)) * 1000) / 10;
}

/** Export and sync of a grid that does not fit into the heap. */
export async function passFiles(bench: Bench) {
	const rows = Number(env['BENCH_ROWS'] ?? (bench.quick ? 100_000 : 1_000_000));
	const folder = await mkdtemp(join(tmpdir(), 'bench-files-'));
	const [path, heapFile] = [join(folder, 'rows.csv'), join(folder, 'heap.jsonl')];
	await Promise.all([writeRows(path, rows), writeFile(heapFile, '')]);
	const target = await startTargetService(rows);
	const measured = await startMeasuredN8n(bench.install, target.url, {
		longestRun: MAX_RUN_MS,
		env: {
			NODE_OPTIONS: `--max-old-space-size=${String(HEAP)}`,
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			N8N_RESTRICT_FILE_ACCESS_TO: folder,
			BENCH_HEAP: heapFile,
		},
	});
	const samplesOf = async () => {
		const lines = (await readFile(heapFile, 'utf8')).split('\n').slice(0, -1);
		return lines.map((line) => sampleSchema.parse(JSON.parse(line)));
	};
	const run = async (name: string, steps: readonly Step[]) => {
		await measured.add(target, flow(name, steps));
		const before = (await samplesOf()).length;
		const note = await measured.run(name);
		const samples = (await samplesOf()).slice(before);
		const heaps = samples.map(({ heapUsed }) => Math.round(heapUsed / 1024 / 1024));
		bench.say(`  ${name}: ${JSON.stringify({ ...told(note), heaps, deviation: deviation(samples) })}`);
		return { ...told(note), heaps, deviation: deviation(samples) };
	};
	try {
		const exported = await run('told-export', [ours(target, 'bulk', 'exportFile', {})]);
		const synced = await run('told-sync-file', [
			readFileNode(path),
			ours(target, 'bulk', 'syncFile', { keyColumns: [target.fieldIds['Order'] ?? ''] }),
		]);
		const again = rows.toLocaleString('en');
		return {
			figures: [
				flatness(`Export of ${again} rows to a file, heap of ${String(HEAP)} MB: deviation`, exported),
				flatness(`Sync of ${again} rows from a file, 1 % changed, the same heap: deviation`, synced),
			],
			runs: { exported, synced },
		};
	} finally {
		await measured.stop();
		await target.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

function told(note: Note) {
	const measured = note.nodes.find(({ name }) => name === MEASURED);
	const [output] = note.output;
	if (!output) throw new Error(`No output: ${measured?.error ?? note.error ?? ''}`);
	return { took: measured?.took ?? 0, output, peakKilobytes: note.peakKilobytes };
}

const flatness = (name: string, { deviation: ours }: { deviation: number }) =>
	figureOf({ name, ours, httpRequestNode: null, limit: null, unit: '%', goal: 15 });
