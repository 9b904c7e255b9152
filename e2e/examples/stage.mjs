import assert from 'node:assert/strict';
import { untilWatching } from '../../scripts/demo/once.mjs';
import { publish } from './running.mjs';

/**
 * @typedef {object} Names what the checks need of the example grids
 * @property {string} folder of the demo
 * @property {(name: string) => import('../../scripts/demo/dataGrid.mjs').Grid} grid
 */

/** @typedef {import('../../scripts/demo/session.mjs').Demo & Names} Stage */

/** @param {Stage} stage @param {string} file */
export function example({ examples }, file) {
	const workflow = examples.get(file);
	assert.ok(workflow, `${file} was not brought in`);
	return workflow;
}

/**
 * Does something while an example is switched on; one that polls has then looked for the first time.
 * @param {Stage} stage
 * @param {string} file
 * @param {(workflow: import('../support/rest.mjs').Workflow) => Promise<void>} act
 */
export async function whileOn(stage, file, act) {
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

/** All rows of a grid, by the names of its columns. @param {Stage} stage @param {string} name */
export async function rows({ client, grid }, name) {
	return (await client.entities.page(grid(name), { layout: 'property', pageSize: 1000 })).items;
}

/** What the examples wrote to "Activity" as such an event. @param {Stage} stage @param {string} event */
export async function noted(stage, event) {
	return (await rows(stage, 'Activity')).filter((row) => row['Event'] === event);
}

/** The columns that the mirror has. @param {Record<string, unknown>} row */
export const cut = ({ Order, Customer, Status, Amount }) => JSON.stringify([Order, Customer, Status, Amount]);
