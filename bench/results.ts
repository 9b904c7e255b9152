import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { z } from 'zod/v4';

const figureSchema = z.object({
	name: z.string(),
	ours: z.number(),
	httpRequestNode: z.number().nullable(),
	limit: z.number().nullable(),
	unit: z.string(),
	goal: z.number(),
	met: z.boolean(),
});
const resultsSchema = z.object({
	machine: z.string(),
	n8n: z.string(),
	benchmarks: z.record(
		z.string(),
		z.object({ date: z.string(), figures: z.array(figureSchema), runs: z.record(z.string(), z.unknown()) }),
	),
});

export type Results = z.infer<typeof resultsSchema>;

/** @returns what is there */
export async function readResults(file: string): Promise<Results | undefined> {
	if (!existsSync(file)) return undefined;
	return resultsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** Puts new figures in the place of older ones of the same benchmark. */
export async function mergeResults(
	file: string,
	{ n8n, order, fresh }: { n8n: string; order: readonly string[]; fresh: Results['benchmarks'] },
): Promise<Results> {
	const old = await readResults(file);
	const all = { ...old?.benchmarks, ...fresh };
	const [cpu] = cpus();
	const memory = Math.round(totalmem() / 2 ** 30);
	const results = {
		machine: `${String(cpus().length)} × ${cpu?.model ?? 'unknown'}, ${String(memory)} GB`,
		n8n,
		benchmarks: Object.fromEntries(
			order.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
		),
	};
	await writeFile(file, `${JSON.stringify(results, null, '\t')}\n`);
	return results;
}
