import { parse } from 'flatted';
import { z } from 'zod/v4';

/** Parses execution data as n8n stores and sends it. @throws SyntaxError for another form */
export const unflatten = (text: string): unknown => parse(text);

const errorSchema = z.looseObject({ message: z.string(), description: z.string().nullish() });
const itemSchema = z.looseObject({ json: z.record(z.string(), z.unknown()) });
const runSchema = z.looseObject({
	data: z.looseObject({ main: z.array(z.array(itemSchema).nullish()).optional() }).optional(),
	error: errorSchema.nullish(),
});

/** Result of an execution: the runs of each node by name, and the final error. */
export const runDataSchema = z.looseObject({
	resultData: z.looseObject({
		error: errorSchema.nullish(),
		lastNodeExecuted: z.string().optional(),
		runData: z.record(z.string(), z.array(runSchema)).default({}),
	}),
});

export type RunData = z.infer<typeof runDataSchema>;

const startSchema = z.looseObject({
	resultData: z.looseObject({ runData: z.record(z.string(), z.array(runSchema)).default({}) }).optional(),
	executionData: z.looseObject({ nodeExecutionStack: z.array(runSchema).default([]) }).nullish(),
});

/**
 * @param raw the data of an execution, unflattened
 * @param start name of the start node
 * @returns the items that started it, even if it was interrupted before its first node finished
 */
export function startItemsOf(raw: unknown, start: string): Record<string, unknown>[] {
	const parsed = startSchema.safeParse(raw);
	if (!parsed.success) return [];
	const { resultData, executionData } = parsed.data;
	const runs = resultData?.runData[start] ?? executionData?.nodeExecutionStack ?? [];
	return runs.flatMap((run) => run.data?.main?.[0] ?? []).map(({ json }) => json);
}

/**
 * @param node a node's name
 * @returns the items of its first output, over all its runs
 */
export function outputOf({ resultData }: RunData, node: string): Record<string, unknown>[] {
	return (resultData.runData[node] ?? []).flatMap((run) =>
		(run.data?.main?.[0] ?? []).map(({ json }) => json),
	);
}

/** @returns n8n's error message and the node where it failed */
export function errorOf({ resultData: { error, lastNodeExecuted } }: RunData): string | undefined {
	if (!error) return undefined;
	const where = lastNodeExecuted === undefined ? '' : ` (in "${lastNodeExecuted}")`;
	return [`${error.message}${where}`, error.description]
		.filter((part) => typeof part === 'string')
		.join(' – ');
}
