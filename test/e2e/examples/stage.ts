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
