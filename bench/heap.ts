import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod/v4';
import type { Bench } from './bench';
import { figureOf } from './figures';
import { startMeasuredN8n, type MeasuredN8n } from './n8n/measuredN8n';
import { ours, type Step } from './n8n/workflows';
import { writeRows } from './rowsFile';
import { startTargetService, type TargetService } from './target/service';

/** Heap limit of n8n in megabytes; a grid of a million rows does not fit. */
export const HEAP_MB = 700;
/** Maximum deviation of a flat heap, in percent. */
const FLAT_PERCENT = 15;
/** Milliseconds. */
export const MAX_RUN_MS = 3_600_000;

const sampleSchema = z.object({ at: z.number(), heapUsed: z.number(), rss: z.number() });
type Sample = z.infer<typeof sampleSchema>;

/** Used heap of n8n in megabytes after each full garbage collection of a run. */
interface HeapRun {
	heaps: number[];
	/** Percent */
	deviation: number;
}

/** The file to which the hook in n8n appends a sample after each full garbage collection. */
class HeapFile {
	#read = 0;

	constructor(readonly path: string) {}

	/** @returns the samples since the last call */
	async next(): Promise<HeapRun> {
		const lines = (await readFile(this.path, 'utf8')).split('\n').slice(0, -1);
		const samples = lines.slice(this.#read).map((line) => sampleSchema.parse(JSON.parse(line)));
		this.#read = lines.length;
		const heaps = samples.map(({ heapUsed }) => Math.round(heapUsed / 1024 / 1024));
		return { heaps, deviation: deviation(samples) };
	}
}

/** What a benchmark of files needs. */
interface LimitedHeap {
	target: TargetService;
	/** An n8n with the heap limit, which samples its heap; it reaches the service without proxy. */
	measured: MeasuredN8n;
	heap: HeapFile;
	/** The steps of a sync from a file with the rows of the grid, 1 % of them different. */
	syncFile: readonly Step[];
}

/**
 * @param options rows of the grid, and the number of new rows in the file
 * @param use ends before the processes do
 */
export async function withLimitedHeap<Result>(
	{ install }: Bench,
	{ rows, added = 0 }: { rows: number; added?: number },
	use: (limited: LimitedHeap) => Promise<Result>,
): Promise<Result> {
	const folder = await mkdtemp(join(tmpdir(), 'bench-files-'));
	const path = join(folder, 'rows.csv');
	const heap = new HeapFile(join(folder, 'heap.jsonl'));
	await Promise.all([writeRows(path, rows, added), writeFile(heap.path, '')]);
	const target = await startTargetService(rows);
	const measured = await startMeasuredN8n(install, target.url, MAX_RUN_MS, {
		NODE_OPTIONS: `--max-old-space-size=${String(HEAP_MB)}`,
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_RESTRICT_FILE_ACCESS_TO: folder,
		BENCH_HEAP: heap.path,
	});
	const reading = {
		name: 'Read File',
		type: 'n8n-nodes-base.readWriteFile',
		typeVersion: 1,
		parameters: { operation: 'read', fileSelector: path, options: { dataPropertyName: 'data' } },
	};
	const keyColumns = [target.fieldIds['Order'] ?? ''];
	try {
		const syncFile = [reading, ours(target, 'importFile', { keyColumns })];
		return await use({ target, measured, heap, syncFile });
	} finally {
		await measured.stop();
		await target.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

/** Maximum deviation of the heap from its middle after the first tenth of a run, in percent. */
function deviation(samples: readonly Sample[]): number {
	const first = samples[0]?.at ?? 0;
	const tenth = first + ((samples.at(-1)?.at ?? 0) - first) / 10;
	const heaps = samples.filter(({ at }) => at >= tenth).map(({ heapUsed }) => heapUsed);
	const [least, most] = [Math.min(...heaps), Math.max(...heaps)];
	return Math.round(((most - least) / (most + least)) * 1000) / 10;
}

export const flatness = (name: string, { deviation: ours }: HeapRun) =>
	figureOf({ name, ours, unit: '%', goal: FLAT_PERCENT });
