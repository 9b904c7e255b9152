import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { HEAP_MB } from './heap';
import { escaped, STYLE } from './plots';
import type { Results } from './results';

/** Runs whose heap is drawn: benchmark, name of the run, label. */
const RUNS = [
	['files', 'exported', 'export to a CSV file'],
	['files', 'lines', 'export to an NDJSON file'],
	['files', 'synced', 'sync from a file'],
	['kill', 'killed', 'sync from a file, killed half-way'],
	['kill', 'again', 'the same sync, run again'],
] as const;

const runSchema = z.looseObject({ heaps: z.array(z.number()) });

const [WIDTH, HEIGHT] = [860, 150];
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 16, 66, 34];

/** Draws the used heap of n8n in each run, one diagram below the other. */
export async function drawHeaps({ benchmarks, n8n }: Results, folder: string): Promise<void> {
	const drawn = RUNS.flatMap(([benchmark, name, label]) => {
		const result = benchmarks[benchmark];
		const run = runSchema.safeParse(result?.runs[name]);
		if (!result || !run.success || run.data.heaps.length < 2) return [];
		const rows = /[\d,]+ rows/.exec(result.figures[0]?.name ?? '')?.[0] ?? '';
		return [{ label: `${rows}: ${label}`, heaps: run.data.heaps }];
	});
	if (drawn.length === 0) return;
	const title = 'Heap of n8n with files: used MB after each full garbage collection';
	const diagrams = drawn.map(({ label, heaps }, index) => diagram(label, heaps, TOP + index * HEIGHT));
	const height = TOP + drawn.length * HEIGHT;
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>${STYLE} .heap { fill: none; stroke: #1a7f37; stroke-width: 2 } .axis { stroke: #8c959f }</style>
<text class="title" x="16" y="24">${escaped(title)}</text>
<text class="note" x="16" y="44">n8n ${escaped(n8n)}; from the start of a run to its end. Dashed: the limit of the heap.</text>
${diagrams.join('\n')}
</svg>
`;
	await writeFile(join(folder, 'bench-heap.svg'), drawing);
}

function diagram(label: string, heaps: readonly number[], top: number): string {
	const bottom = top + HEIGHT - BOTTOM;
	const from = top + 12;
	const y = (megabytes: number) => (bottom - (megabytes / HEAP_MB) * (bottom - from)).toFixed(1);
	const x = (index: number) => (LEFT + (index / (heaps.length - 1)) * (WIDTH - RIGHT - LEFT)).toFixed(1);
	const line = (name: string, at: string) =>
		`<line class="${name}" x1="${LEFT}" y1="${at}" x2="${WIDTH - RIGHT}" y2="${at}"/>`;
	const points = heaps.map((megabytes, index) => `${x(index)},${y(megabytes)}`).join(' ');
	return [
		`<text class="group" x="16" y="${top}">${escaped(label)}</text>`,
		line('goal', y(HEAP_MB)),
		line('axis', y(0)),
		`<text class="note" x="16" y="${y(HEAP_MB)}" dy="8">${HEAP_MB}</text>`,
		`<text class="note" x="16" y="${y(0)}">0</text>`,
		`<polyline class="heap" points="${points}"/>`,
	].join('\n');
}
