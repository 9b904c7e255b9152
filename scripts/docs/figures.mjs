import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v4';

const figureSchema = z.object({
	name: z.string(),
	ours: z.number(),
	peer: z.number().nullable(),
	limit: z.number().nullable(),
	unit: z.string(),
	goal: z.number(),
	met: z.boolean(),
});
const resultsSchema = z.object({
	machine: z.string(),
	n8n: z.string(),
	benchmarks: z.record(z.string(), z.object({ date: z.string(), figures: z.array(figureSchema) })),
});

const PLACE = /(<!-- bench:begin -->\n)[^]*?(<!-- bench:end -->)/;

/** @param {number | null} value */
const told = (value) =>
	value === null ? '–' : value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });

/** @param {z.infer<typeof figureSchema>} figure */
const line = ({ name, ours, peer, limit, unit, goal, met }) =>
	`| ${name} (${unit}) | ${told(ours)} | ${told(peer)} | ${told(limit)} | ${told(goal)} | ${met ? 'yes' : 'no'} |`;

/**
 * Puts the figures of the last benchmarks into the place that a page has for them.
 * @param {string} page
 * @param {string} root
 * @param {string} images the folder of pictures, as the page names it
 */
export function withFigures(page, root, images) {
	const file = join(root, 'bench', 'results.json');
	if (!existsSync(file)) return page;
	const { machine, n8n, benchmarks } = resultsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
	const runs = Object.values(benchmarks);
	const days = [...new Set(runs.map(({ date }) => date))].sort().join(', ');
	const text = [
		`![Time to create rows](${images}/bench-create.svg)`,
		'',
		`![Time to read rows](${images}/bench-read.svg)`,
		'',
		'|     | this package | HTTP Request | bare axios loop | goal | met |',
		'| --- | -----------: | -----------: | --------------: | ---: | --- |',
		...runs.flatMap(({ figures }) => figures).map(line),
		'',
		`Medians on ${machine}, n8n ${n8n}, ${days}; service, proxy and n8n share the processors.`,
	].join('\n');
	return page.replace(PLACE, (_, begin, end) => `${String(begin)}\n${text}\n\n${String(end)}`);
}
