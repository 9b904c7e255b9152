import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod/v4';
import { figureOf } from './figures';

/** Heap limit of n8n in megabytes; a grid of a million rows does not fit. */
export const HEAP_MB = 700;
/** Maximum deviation of a flat heap, in percent. */
const FLAT_PERCENT = 15;

const sampleSchema = z.object({ at: z.number(), heapUsed: z.number(), rss: z.number() });
type Sample = z.infer<typeof sampleSchema>;

/** Used heap of n8n in megabytes after each full garbage collection of a run. */
export interface HeapRun {
	heaps: number[];
	/** Percent */
	deviation: number;
}

/** The file to which the hook in n8n appends a sample after each full garbage collection. */
export class HeapFile {
	#read = 0;

	constructor(readonly path: string) {}

	async create() {
		await writeFile(this.path, '');
	}

	/** @returns the samples since the last call */
	async next(): Promise<HeapRun> {
		const lines = (await readFile(this.path, 'utf8')).split('\n').slice(0, -1);
		const samples = lines.slice(this.#read).map((line) => sampleSchema.parse(JSON.parse(line)));
		this.#read = lines.length;
		const heaps = samples.map(({ heapUsed }) => Math.round(heapUsed / 1024 / 1024));
		return { heaps, deviation: deviation(samples) };
	}
}

/** Settings of an n8n with that heap limit, which samples its heap and stores files in a folder. */
export const limitedHeap = ({ path }: HeapFile, folder: string) => ({
	NODE_OPTIONS: `--max-old-space-size=${String(HEAP_MB)}`,
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_RESTRICT_FILE_ACCESS_TO: folder,
	BENCH_HEAP: path,
});

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
