import { parse } from 'flatted';
import { z } from 'zod/v4';

/** Reads execution data as n8n stores and sends it. @throws SyntaxError for another form */
export const unflatten = (text: string): unknown => parse(text);

const errorSchema = z.looseObject({ message: z.string(), description: z.string().nullish() });
const itemSchema = z.looseObject({ json: z.record(z.string(), z.unknown()) });
const runSchema = z.looseObject({
	data: z.looseObject({ main: z.array(z.array(itemSchema).nullish()).optional() }).optional(),
	error: errorSchema.nullish(),
});

/** What an execution did: the runs of each node by the node's name, and the error that ended it. */
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
 * @param start the name of the node that started it
 * @returns the items that it was started with, also where it was cut before its first node was done
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

/** @returns why and where it ended badly, in n8n's words */
export function errorOf({ resultData: { error, lastNodeExecuted } }: RunData): string | undefined {
	if (!error) return undefined;
	const where = lastNodeExecuted === undefined ? '' : ` (in "${lastNodeExecuted}")`;
	return [`${error.message}${where}`, error.description]
		.filter((part) => typeof part === 'string')
		.join(' – ');
}
