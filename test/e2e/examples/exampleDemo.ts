import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { z } from 'zod/v4';
import { root } from '../../../scripts/setup/paths.mjs';
import { untilFirstPoll } from '../../../testbed/demo/once';
import { publish } from './running';
import type { Grid } from '../../../client/resources/grids';
import type { Connection } from '../../../testbed/demo/dataGrid';
import type { Demo } from '../../../testbed/demo/session';
import type { Credential, Workflow } from '../../../testbed/n8n/rest';

/** The example grids for the checks. */
interface Names {
	/** The folder of the demo. */
	folder: string;
	/** A key with the role reader. */
	reader: Connection;
	grid: (name: string) => Grid;
}

export type ExampleDemo = Demo & Names;

export function example({ examples }: ExampleDemo, file: string) {
	const workflow = examples.get(file);
	assert.ok(workflow, `${file} was not imported`);
	return workflow;
}

/** Runs `act` while an example is active; if it polls, after its first poll. */
export async function whileOn(demo: ExampleDemo, file: string, act: (workflow: Workflow) => Promise<void>) {
	const workflow = example(demo, file);
	await publish(demo.rest, workflow);
	try {
		if (workflow.nodes.some(({ type }) => type === 'n8n-nodes-datagrid.entityTrigger'))
			await untilFirstPoll(demo.rest, workflow.id);
		await act(workflow);
	} finally {
		await demo.rest.deactivate(workflow.id);
	}
}

/**
 * Connects the node "Model" of an example to a scripted model.
 * @param chatInput the message in its chat trigger, "When somebody asks"
 */
export async function withModel(
	demo: ExampleDemo,
	file: string,
	{ model, chatInput }: { model: { url: string }; chatInput?: string },
): Promise<Workflow> {
	const { rest } = demo;
	const data = { apiKey: 'stand-in', url: model.url };
	const { id, name } = await rest.putCredential({ name: 'Stand-in', type: 'openAiApi', data });
	const workflow = await rest.workflow(example(demo, file).id);
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Model' ? { ...node, credentials: { openAiApi: { id, name } } } : node,
	);
	const message = { sessionId: 's', action: 'sendMessage', chatInput };
	const pinData = chatInput === undefined ? {} : { 'When somebody asks': [{ json: message }] };
	return await rest.changeWorkflow(workflow.id, { nodes, pinData });
}

/** All rows of a grid, by the names of its columns. */
export async function rows({ client, grid }: ExampleDemo, name: string) {
	return (await client.entities.page(grid(name), { layout: 'property', pageSize: 1000 })).items;
}

/** What the examples wrote to "Activity" as such an event. */
export async function noted(demo: ExampleDemo, event: string) {
	return (await rows(demo, 'Activity')).filter((row) => row['Event'] === event);
}

/** The columns that the mirror has. */
export const cut = ({ Order, Customer, Status, Amount }: Record<string, unknown>) =>
	JSON.stringify([Order, Customer, Status, Amount]);

/** The workflow in another account: nothing but its credential is chosen. */
export async function withCredential(
	{ rest }: ExampleDemo,
	workflow: Workflow,
	{ type, id, name }: Credential,
) {
	const { nodes } = await rest.workflow(workflow.id);
	const ofType = (node: { type: string }) => node.type.startsWith('n8n-nodes-datagrid.');
	return await rest.changeWorkflow(workflow.id, {
		nodes: nodes.map((node) => (ofType(node) ? { ...node, credentials: { [type]: { id, name } } } : node)),
	});
}

const keySchema = z.object({ key: z.string(), secret: z.string() });

/** Adds an account to the embedded service of a demo. */
export async function addUser(folder: string, name: string, email: string) {
	const args = ['user', 'add', name, '--email', email, '--data', join(folder, 'datagrid.db')];
	const { stdout } = await promisify(execFile)(execPath, [join(root, 'dist-service', 'main.js'), ...args]);
	return keySchema.parse(JSON.parse(stdout));
}
