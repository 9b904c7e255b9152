import { z } from 'zod/v4';

/**
 * Reads the form in which n8n sends execution data: an array in which every text in an object or array is the index of
 * the value that stands there, so that repeated and circular values are kept (the package "flatted").
 * @param {string} text
 * @returns {unknown}
 */
export function unflatten(text) {
	const values = z.array(z.unknown()).parse(JSON.parse(text));
	/** @type {Map<number, unknown>} */
	const revived = new Map();
	const inner = (/** @type {unknown} */ value) => (typeof value === 'string' ? revive(Number(value)) : value);
	const revive = (/** @type {number} */ index) => {
		const value = values[index];
		if (typeof value !== 'object' || value === null) return value;
		if (revived.has(index)) return revived.get(index);
		if (Array.isArray(value)) {
			/** @type {unknown[]} */
			const list = [];
			revived.set(index, list);
			list.push(...value.map(inner));
			return list;
		}
		/** @type {Record<string, unknown>} */
		const object = {};
		revived.set(index, object);
		for (const [key, member] of Object.entries(value)) object[key] = inner(member);
		return object;
	};
	return revive(0);
}

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

/** @typedef {z.infer<typeof runDataSchema>} RunData */

const startSchema = z.looseObject({
	resultData: z.looseObject({ runData: z.record(z.string(), z.array(runSchema)).default({}) }).optional(),
	executionData: z.looseObject({ nodeExecutionStack: z.array(runSchema).default([]) }).nullish(),
});

/**
 * @param {unknown} raw the data of an execution, unflattened
 * @param {string} start the name of the node that started it
 * @returns {Record<string, unknown>[]} the items that it was started with, also where it was cut before its first node was done
 */
export function startItemsOf(raw, start) {
	const parsed = startSchema.safeParse(raw);
	if (!parsed.success) return [];
	const { resultData, executionData } = parsed.data;
	const runs = resultData?.runData[start] ?? executionData?.nodeExecutionStack ?? [];
	return runs.flatMap((run) => run.data?.main?.[0] ?? []).map(({ json }) => json);
}

/**
 * @param {RunData} data
 * @param {string} node a node's name
 * @returns {Record<string, unknown>[]} the items of its first output, over all its runs
 */
export function outputOf({ resultData }, node) {
	return (resultData.runData[node] ?? []).flatMap((run) =>
		(run.data?.main?.[0] ?? []).map(({ json }) => json),
	);
}

/**
 * @param {RunData} data
 * @returns {string | undefined} why and where it ended badly, in n8n's words
 */
export function errorOf({ resultData: { error, lastNodeExecuted } }) {
	if (!error) return undefined;
	const where = lastNodeExecuted === undefined ? '' : ` (in "${lastNodeExecuted}")`;
	return [`${error.message}${where}`, error.description]
		.filter((part) => typeof part === 'string')
		.join(' – ');
}
