import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod/v4';
import { errorOf } from '../support/execution.mjs';

/** @typedef {import('../support/rest.mjs').N8nRest} N8nRest */
/** @typedef {import('../support/execution.mjs').RunData} RunData */

const startedSchema = z.object({ executionId: z.string() });
const publishedSchema = z.looseObject({ publicationStatus: z.literal('published') });
const UNFINISHED = new Set(['new', 'running', 'waiting']);
/** Long enough for a machine that has much else to do. */
const WITHIN_MS = 240_000;

/**
 * Asks until something holds.
 * @template Found
 * @param {string} what is waited for
 * @param {() => Promise<Found | undefined>} look
 * @returns {Promise<Found>}
 */
export async function until(what, look) {
	for (const deadline = performance.now() + WITHIN_MS; performance.now() < deadline; ) {
		const found = await look();
		if (found !== undefined) return found;
		await wait(100);
	}
	throw new Error(`Waited in vain for ${what}`);
}

/**
 * Runs a workflow from one of its triggers, as the editor's button does, to its end.
 * @param {N8nRest} rest
 * @param {{ id: string }} workflow
 * @param {string} trigger a node's name
 * @returns {Promise<RunData>}
 * @throws where the execution ends badly, with n8n's reason
 */
export async function runByHand(rest, workflow, trigger) {
	const path = `/workflows/${workflow.id}/run`;
	const { executionId } = await rest.call(startedSchema, 'POST', path, {
		triggerToStartFrom: { name: trigger },
	});
	return await ended(rest, workflow, executionId);
}

/**
 * Waits until the newest execution of a workflow has ended.
 * @param {N8nRest} rest
 * @param {{ id: string }} workflow
 * @returns {Promise<RunData>}
 */
export async function newestRun(rest, workflow) {
	const newest = await until('an execution', async () => (await rest.executions(workflow.id))[0]);
	return await ended(rest, workflow, newest.id);
}

/**
 * @param {N8nRest} rest
 * @param {{ id: string }} workflow
 * @param {string} executionId
 */
async function ended(rest, workflow, executionId) {
	await until('the end of an execution', async () => {
		const executions = await rest.executions(workflow.id);
		return executions.find(({ id, status }) => id === executionId && !UNFINISHED.has(status));
	});
	const { status, data } = await rest.execution(executionId);
	if (status !== 'success') throw new Error(`The execution ended with ${status}: ${errorOf(data) ?? ''}`);
	return data;
}

/**
 * Switches a workflow on, and waits until n8n has done so: its webhooks answer a moment later.
 * @param {N8nRest} rest
 * @param {import('../support/rest.mjs').Workflow} workflow
 */
export async function publish(rest, workflow) {
	await rest.activate(workflow);
	await until('the workflow to be published', async () => {
		const found = (await rest.workflows()).find(({ id }) => id === workflow.id);
		return publishedSchema.safeParse(found).data;
	});
}
