import { Session } from 'node:inspector/promises';
import type { Profiler } from 'node:inspector';
import { join } from 'node:path';
import { root } from '../../scripts/setup/paths.mjs';

/** What takes the processor time of a run. */
export const CAUSES = ['ours', 'json', 'zod', 'n8n', 'node', 'gc'] as const;
type Cause = (typeof CAUSES)[number];

/** Share of each cause, from 0 to 1. */
export type Shares = Record<Cause, number>;

/** Microseconds. */
const SAMPLING_INTERVAL = 200;

/** Functions that do little else than parse or write JSON, as a bundler may rename them. */
const JSON_FUNCTION = /^(parseJson|withoutLinks|requestOf|parsedPage|writtenRow)(\$\d+)?$/;

/** Runs something with V8's profiler. */
export async function profiled<Result>(
	work: () => Promise<Result>,
): Promise<{ result: Result; shares: Shares }> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL });
	await session.post('Profiler.start');
	const result = await work();
	const { profile } = await session.post('Profiler.stop');
	session.disconnect();
	return { result, shares: sharesIn(profile) };
}

function sharesIn({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares {
	const causes = new Map(nodes.map(({ id, callFrame }) => [id, causeOf(callFrame)]));
	const times: Shares = { ours: 0, json: 0, zod: 0, n8n: 0, node: 0, gc: 0 };
	for (const [index, id] of samples.entries()) {
		const cause = causes.get(id);
		if (cause) times[cause] += timeDeltas[index] ?? 0;
	}
	const sum = CAUSES.reduce((total, cause) => total + times[cause], 0);
	for (const cause of CAUSES) times[cause] /= sum;
	return times;
}

/** Undefined if the processor is idle or busy with the profiler. */
function causeOf({ functionName, url }: Profiler.ProfileNode['callFrame']): Cause | undefined {
	if (functionName === '(idle)' || url === 'node:inspector') return undefined;
	if (url === '' && functionName === 'dispatch') return undefined;
	if (functionName === '(garbage collector)') return 'gc';
	if (url === '' || url.startsWith('node:')) return 'node';
	if (url.includes('/node_modules/zod/')) return 'zod';
	if (url.includes('/node_modules/') || url.includes(join(root, 'testbed'))) return 'n8n';
	return JSON_FUNCTION.test(functionName) ? 'json' : 'ours';
}
