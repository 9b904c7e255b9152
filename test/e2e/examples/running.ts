import { z } from 'zod/v4';
import { errorOf, type RunData } from '../../../testbed/n8n/execution';
import type { N8nRest, Workflow } from '../../../testbed/n8n/rest';
import { until } from '../../../testbed/until';

const startedSchema = z.object({ executionId: z.string() });
const publishedSchema = z.looseObject({ publicationStatus: z.literal('published') });
const STARTING = new Set(['new', 'running']);
const UNFINISHED = new Set([...STARTING, 'waiting']);
/**
 * Runs a workflow from one of its triggers, as the editor's button does, to its end.
 * @param trigger a node's name
 * @throws where the execution ends badly, with n8n's reason
 */
export async function runByHand(rest: N8nRest, workflow: { id: string }, trigger: string): Promise<RunData> {
	return await ended(rest, workflow, await start(rest, workflow, trigger));
}

/**
 * Runs a workflow from one of its triggers until it waits.
 * @returns the execution, with a function that waits for its end
 */
export async function runUntilWaiting(rest: N8nRest, workflow: { id: string }, trigger: string) {
	const executionId = await start(rest, workflow, trigger);
	const status = await until('the execution to wait', async () => {
		const executions = await rest.executions(workflow.id);
		const found = executions.find(({ id }) => id === executionId);
		return found && !STARTING.has(found.status) ? found.status : undefined;
	});
	const { data } = await rest.execution(executionId);
	if (status !== 'waiting') throw new Error(`The execution ended with ${status}: ${errorOf(data) ?? ''}`);
	return { data, ended: () => ended(rest, workflow, executionId) };
}

/** @returns the execution's id */
async function start(rest: N8nRest, workflow: { id: string }, trigger: string) {
	const triggerToStartFrom = { name: trigger };
	const path = `/workflows/${workflow.id}/run`;
	return (await rest.call(startedSchema, 'POST', path, { triggerToStartFrom })).executionId;
}

/** Waits until the newest execution of a workflow has ended. */
export async function newestRun(rest: N8nRest, workflow: { id: string }): Promise<RunData> {
	const newest = await until('an execution', async () => (await rest.executions(workflow.id))[0]);
	return await ended(rest, workflow, newest.id);
}

async function ended(rest: N8nRest, workflow: { id: string }, executionId: string) {
	await until('the end of an execution', async () => {
		const executions = await rest.executions(workflow.id);
		return executions.find(({ id, status }) => id === executionId && !UNFINISHED.has(status));
	});
	const { status, data } = await rest.execution(executionId);
	if (status !== 'success') throw new Error(`The execution ended with ${status}: ${errorOf(data) ?? ''}`);
	return data;
}

/** Switches a workflow on, and waits until n8n has done so: its webhooks answer a moment later. */
export async function publish(rest: N8nRest, workflow: Workflow) {
	await rest.activate(workflow);
	await until('the workflow to be published', async () => {
		const found = (await rest.workflows()).find(({ id }) => id === workflow.id);
		return publishedSchema.safeParse(found).data;
	});
}
