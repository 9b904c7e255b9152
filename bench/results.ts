import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { z } from 'zod/v4';
import { figureSchema } from './figures';

const resultsSchema = z.object({
	machine: z.string(),
	n8n: z.string(),
	benchmarks: z.record(
		z.string(),
		z.object({
			date: z.string(),
			/** That of the whole file if omitted. */
			machine: z.string().optional(),
			/** Total duration in milliseconds. */
			took: z.number().optional(),
			figures: z.array(figureSchema),
			runs: z.record(z.string(), z.unknown()),
		}),
	),
});

export type Results = z.infer<typeof resultsSchema>;

/** @returns the stored results */
export async function readResults(file: string): Promise<Results | undefined> {
	if (!existsSync(file)) return undefined;
	return resultsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** Replaces older figures of the same benchmark. */
export async function mergeResults(
	file: string,
	{ n8n, order, fresh }: { n8n: string; order: readonly string[]; fresh: Results['benchmarks'] },
): Promise<void> {
	const old = await readResults(file);
	const on = (machine: string | undefined, some: Results['benchmarks'] = {}) =>
		Object.fromEntries(Object.entries(some).map(([name, one]) => [name, { machine, ...one }]));
	const all = { ...on(old?.machine, old?.benchmarks), ...on(thisMachine(), fresh) };
	const benchmarks = Object.fromEntries(
		order.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
	);
	const machines = new Set(Object.values(benchmarks).flatMap(({ machine = [] }) => machine));
	const results: Results = { machine: [...machines].join(' and '), n8n, benchmarks };
	await writeFile(file, `${JSON.stringify(results, null, '\t')}\n`);
}

function thisMachine(): string {
	const [cpu] = cpus();
	const memory = Math.round(totalmem() / 2 ** 30);
	return `${String(cpus().length)} × ${cpu?.model ?? 'unknown'}, ${String(memory)} GB`;
}
