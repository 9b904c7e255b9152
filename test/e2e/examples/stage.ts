import assert from 'node:assert/strict';
import { untilWatching } from '../../../testbed/demo/once';
import { publish } from './running';
import type { Grid } from '../../../client/resources/grids';
import type { Demo } from '../../../testbed/demo/session';
import type { Workflow } from '../../../testbed/n8n/rest';

/** What the checks need of the example grids */
interface Names {
	/** Of the demo */
	folder: string;
	grid: (name: string) => Grid;
}

export type Stage = Demo & Names;

export function example({ examples }: Stage, file: string) {
	const workflow = examples.get(file);
	assert.ok(workflow, `${file} was not brought in`);
	return workflow;
}

/**
 * Does something while an example is switched on; one that
 * polls has then looked for the first time.
 */
export async function whileOn(stage: Stage, file: string, act: (workflow: Workflow) => Promise<void>) {
	const workflow = example(stage, file);
	await publish(stage.rest, workflow);
	try {
		if (workflow.nodes.some(({ type }) => type === 'n8n-nodes-datagrid.gridTrigger'))
			await untilWatching(stage.rest, workflow.id);
		await act(workflow);
	} finally {
		await stage.rest.deactivate(workflow.id);
	}
}

/**
 * Connects the node "Model" of an example to a scripted model.
 * @param chatInput the message in its chat trigger, "When somebody asks"
 */
export async function withModel(
	stage: Stage,
	file: string,
	{ model, chatInput }: { model: { url: string }; chatInput?: string },
): Promise<Workflow> {
	const { rest } = stage;
	const data = { apiKey: 'stand-in', url: model.url };
	const { id, name } = await rest.putCredential({ name: 'Stand-in', type: 'openAiApi', data });
	const workflow = await rest.workflow(example(stage, file).id);
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Model' ? { ...node, credentials: { openAiApi: { id, name } } } : node,
	);
	const message = { sessionId: 's', action: 'sendMessage', chatInput };
	const pinData = chatInput === undefined ? {} : { 'When somebody asks': [{ json: message }] };
	return await rest.changeWorkflow(workflow.id, { nodes, pinData });
}

/** All rows of a grid, by the names of its columns. */
export async function rows({ client, grid }: Stage, name: string) {
	return (await client.entities.page(grid(name), { layout: 'property', pageSize: 1000 })).items;
}

/** What the examples wrote to "Activity" as such an event. */
export async function noted(stage: Stage, event: string) {
	return (await rows(stage, 'Activity')).filter((row) => row['Event'] === event);
}

/** The columns that the mirror has. */
export const cut = ({ Order, Customer, Status, Amount }: Record<string, unknown>) =>
	JSON.stringify([Order, Customer, Status, Amount]);
