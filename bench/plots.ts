import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from './figures';
import type { Results } from './results';

/** Content of each plot: benchmarks and unit. */
const PICTURES: readonly { file: string; title: string; unit: string; benchmarks: readonly string[] }[] = [
	{
		file: 'bench-create.svg',
		title: 'Creating rows: milliseconds (less is better)',
		unit: 'ms',
		benchmarks: ['create-limited', 'create-open', 'create-stand-in'],
	},
	{
		file: 'bench-read.svg',
		title: 'Reading rows: milliseconds (less is better)',
		unit: 'ms',
		benchmarks: ['read-300', 'read-1000', 'read-memory'],
	},
	{
		file: 'bench-memory.svg',
		title: 'Reading rows: peak memory of the n8n process in MB (less is better)',
		unit: 'MB',
		benchmarks: ['read-memory'],
	},
];

const WIDTH = 860;
const LEFT = 16;
const BARS_FROM = 190;
const BARS_TO = WIDTH - 110;
const BAR = 18;
const GAP = 6;
export const STYLE = `text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 15px } .group { font-weight: 600 } .goal { stroke: #cf222e; stroke-width: 2; stroke-dasharray: 4 3 }
.ours { fill: #1a7f37 } .httpRequestNode { fill: #8c959f } .limit { fill: #54aeff } .helper { fill: #bf8700 } .note { fill: #57606a }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .note { fill: #9198a1 } }`;

/** Draws the results. */
export async function drawPlots({ benchmarks, machine, n8n }: Results, folder: string) {
	await mkdir(folder, { recursive: true });
	for (const { file, title, unit, benchmarks: names } of PICTURES) {
		const figures = names
			.flatMap((name) => benchmarks[name]?.figures ?? [])
			.filter((figure) => figure.unit === unit && figure.httpRequestNode !== null);
		if (figures.length === 0) continue;
		const note = `Medians; n8n ${n8n} on ${machine}; the service adds 20 ms. Dashed: the goal.`;
		await writeFile(join(folder, file), drawing(title, note, figures));
	}
}

function drawing(title: string, note: string, figures: readonly Figure[]) {
	let top = 64;

	const parts: string[] = [];
	for (const figure of figures) {
		const { svg, height } = group(figure, top);
		parts.push(svg);
		top += height;
	}
	const height = top + 12;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(height)}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}</style>
${text(LEFT, 24, title, 'title')}
${text(LEFT, 44, note, 'note')}
${parts.join('\n')}
</svg>
`;
}

/** One figure: bars for this node, HTTP Request and the loop. */
function group({ name, ours, httpRequestNode, limit, helper, goal }: Figure, top: number) {
	const bars: readonly { label: string; kind: string; value: number | null }[] = [
		{ label: 'this node', kind: 'ours', value: ours },
		{ label: 'HTTP Request', kind: 'httpRequestNode', value: httpRequestNode },
		{ label: "n8n's helper in a loop", kind: 'helper', value: helper },
		{ label: 'bare axios (limit)', kind: 'limit', value: limit },
	];
	const largest = Math.max(goal, ...bars.map(({ value }) => value ?? 0));
	const scale = (value: number) => (value / largest) * (BARS_TO - BARS_FROM);
	let y = top + 26;
	const from = y;
	const drawn = bars.flatMap(({ label, kind, value }) => {
		if (value === null) return [];
		const width = Math.max(1, scale(value));
		const bar = [
			text(LEFT, y + 14, label),
			`<rect class="${kind}" x="${String(BARS_FROM)}" y="${String(y)}" width="${width.toFixed(1)}" height="${String(BAR)}" rx="2"/>`,
			text(BARS_FROM + width + 8, y + 14, Math.round(value).toLocaleString('en')),
		];
		y += BAR + GAP;
		return bar;
	});
	const x = (BARS_FROM + scale(goal)).toFixed(1);
	const mark = `<line class="goal" x1="${x}" y1="${String(from - 4)}" x2="${x}" y2="${String(y - 2)}"/>`;
	return { svg: [text(LEFT, top + 14, name, 'group'), ...drawn, mark].join('\n'), height: y - top + 12 };
}

function text(x: number, y: number, words: string, kind?: string) {
	const style = kind === undefined ? '' : ` class="${kind}"`;
	return `<text${style} x="${x.toFixed(1)}" y="${String(y)}">${escaped(words)}</text>`;
}

export function escaped(words: string) {
	return words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
