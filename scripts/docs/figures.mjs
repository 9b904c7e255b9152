import { z } from 'zod/v4';
import { withGenerated } from './generated.mjs';

/** @param {number | null} value */
const shown = (value) =>
	value === null ? '–' : value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });

/** @param {import('../../bench/figures.ts').Figure} figure */
const line = ({ name, ours, httpRequestNode, limit, helper, unit, goal, met }) =>
	`| ${name} (${unit}) | ${shown(ours)} | ${shown(httpRequestNode)} | ${shown(limit)} | ${shown(helper)} | ${shown(goal)} | ${met ? 'yes' : 'no'} |`;

/** What takes processor time, and whether this package could avoid it. */
const CAUSES = Object.entries({
	n8n: ["n8n's engine, HTTP helper and axios", 'no: each node uses them'],
	node: ['sockets, streams and promises of Node.js', 'no: one connection per request'],
	json: ['parsing and writing JSON', 'no'],
	gc: ['garbage collection', 'in part: rows are checked before they become items'],
	zod: ['validation with zod', 'no: one schema per response'],
	ours: ['code of this package, or of the loop', 'in part: checks of each row, value and link'],
});

const costsSchema = z.object({
	causes: z.array(z.object({ cause: z.string(), contender: z.string(), micros: z.number() })),
});

/** What is measured per row, by benchmark. */
const PROFILED = { 'floor-create': 'Create', 'floor-read': 'Get Many' };

/** @param {import('../../bench/results.ts').Results['benchmarks']} benchmarks */
function causesTable(benchmarks) {
	const columns = Object.entries(PROFILED).flatMap(([name, label]) => {
		const runs = costsSchema.safeParse(benchmarks[name]?.runs);
		return runs.success ? [{ label, causes: runs.data.causes }] : [];
	});
	if (columns.length === 0) return [];
	const cell = (/** @type {(typeof columns)[number]} */ { causes }, /** @type {string} */ cause) =>
		['loop', 'plain', 'ours']
			.flatMap((who) => causes.find((one) => one.cause === cause && one.contender === who)?.micros ?? [])
			.map(shown)
			.join(' → ');
	return [
		'Processor time per row in µs: loop in n8n → plain node → this package.',
		'',
		`| Cause | ${columns.map(({ label }) => label).join(' | ')} | Avoidable? |`,
		`| --- | ${columns.map(() => '---:').join(' | ')} | --- |`,
		...CAUSES.map(
			([cause, [what = '', remedy = '']]) =>
				`| ${what} | ${columns.map((column) => cell(column, cause)).join(' | ')} | ${remedy} |`,
		),
		'',
	];
}

/**
 * Inserts the figures of the last benchmarks into a page.
 * @param {string} page
 * @param {import('../../bench/results.ts').Results} results
 */
export function withFigures(page, { machine, n8n, benchmarks }) {
	const runs = Object.values(benchmarks);
	const days = [...new Set(runs.map(({ date }) => date))].sort().join(', ');
	const text = [
		'|     | this package | HTTP Request | bare axios loop | loop in n8n | goal | met |',
		'| --- | -----------: | -----------: | --------------: | ----------: | ---: | --- |',
		...runs.flatMap(({ figures }) => figures).map(line),
		'',
		...causesTable(benchmarks),
		`Medians on ${machine}, n8n ${n8n}, ${days}; service, proxy and n8n share the processors.`,
	].join('\n');
	return withGenerated(page, text);
}

/** The benchmark that README quotes. */
const QUOTED = 'create-limited';

/**
 * Inserts a summary into the README.
 * @param {string} page
 * @param {import('../../bench/results.ts').Results} results
 */
export function withSummary(page, { benchmarks }) {
	const figure = benchmarks[QUOTED]?.figures.find(
		({ unit, httpRequestNode }) => unit === 'ms' && httpRequestNode !== null,
	);
	if (!figure?.httpRequestNode) throw new Error(`bench/results.json has no time for ${QUOTED}`);
	const ratio = (figure.httpRequestNode / figure.ours).toFixed(1);
	return withGenerated(
		page,
		`${figure.name.split(':')[0] ?? ''}: ${ratio} times as fast as n8n's HTTP Request node with batching.`,
	);
}
