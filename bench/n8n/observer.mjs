import { appendFileSync, readFileSync } from 'node:fs';
import { performance, PerformanceObserver } from 'node:perf_hooks';
import { env, pid } from 'node:process';

/**
 * A hook file of n8n. After each execution it writes a line with the duration of each node, as n8n
 * measured it, and the peak memory of the process, so that executions need not be saved.
 *
 * @typedef {object} NodeRun
 * @property {number} executionTime
 * @property {{ message: string, description?: string | null }} [error]
 * @property {{ main?: ({ json: unknown }[] | null)[] }} [data]
 *
 * @typedef {object} Run
 * @property {string} status
 * @property {{ resultData: RunResult }} data
 *
 * @typedef {{ runData: Record<string, NodeRun[]>, error?: { message: string } }} RunResult
 */

/** Prefix of the names of workflows whose output is recorded. */
const RECORDED = 'recorded-';

/** @param {Run} run @param {{ id: string, name: string }} workflow */
function note({ status, data: { resultData } }, workflow) {
	// A killed run, which n8n ends at its next start, perhaps after the next run has begun.
	if (status === 'crashed') return;
	const nodes = Object.entries(resultData.runData).map(([name, runs]) => ({
		name,
		took: runs.reduce((sum, one) => sum + one.executionTime, 0),
		items: runs.reduce((sum, one) => sum + (one.data?.main?.[0]?.length ?? 0), 0),
		error: runs.map(({ error }) => error && [error.message, error.description ?? ''].join(' ')).find(Boolean),
	}));
	const output = resultData.runData['Measured']?.at(-1)?.data?.main?.[0] ?? [];
	const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]);
	const line = {
		workflowId: workflow.id,
		error: resultData.error?.message,
		nodes,
		output: workflow.name.startsWith(RECORDED) ? output.map(({ json }) => json) : [],
		peakKilobytes: peak,
	};
	appendFileSync(env['BENCH_NOTES'] ?? '', `${JSON.stringify(line)}\n`);
}

/** `detail.kind` of a full garbage collection, after which only reachable objects remain. */
const FULL = 4;
/** @param {object} entry */
function isFullCollection(entry) {
	const detail = 'detail' in entry ? entry.detail : undefined;
	return typeof detail === 'object' && detail !== null && 'kind' in detail && detail.kind === FULL;
}
const heapFile = env['BENCH_HEAP'];
if (heapFile !== undefined) {
	new PerformanceObserver((list) => {
		const isFull = list.getEntries().some(isFullCollection);
		const { heapUsed, rss } = process.memoryUsage();
		if (isFull) appendFileSync(heapFile, `${JSON.stringify({ at: performance.now(), heapUsed, rss })}\n`);
	}).observe({ entryTypes: ['gc'] });
}

export const workflow = { postExecute: [note] };
