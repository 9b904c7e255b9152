import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { root } from '../setup/paths.mjs';

/** @typedef {import('../../e2e/support/rest.mjs').Workflow} Workflow */
/** @typedef {import('../../e2e/support/rest.mjs').N8nRest} N8nRest */

const nodeSchema = z.looseObject({
	name: z.string(),
	type: z.string(),
	parameters: z.record(z.string(), z.unknown()),
});
const exampleSchema = z.looseObject({ name: z.string(), nodes: z.array(nodeSchema) });
const locatorSchema = z.looseObject({ cachedResultName: z.string() });

/** @typedef {z.infer<typeof exampleSchema>} Example */

/**
 * Poll times in the notation of n8n's poller.
 * @param {number} seconds between two polls; a divisor of 60. n8n's editor offers minutes only, and refuses steps, ranges
 *   and lists of seconds, but not one entry for each second
 */
export function pollEvery(seconds) {
	const item = Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${String(index * seconds)} * * * * *`,
	}));
	return { item };
}

/**
 * An example as a person has it after choosing credential and grids from the lists.
 * @param {string} file in `examples/`
 * @param {object} choices
 * @param {{ id: string, name: string }} choices.credential
 * @param {import('./dataGrid.mjs').Space} choices.space
 * @param {readonly import('./dataGrid.mjs').Grid[]} choices.grids taken by the name that the example shows
 * @param {number} choices.pollSeconds
 * @returns {Promise<Example>}
 */
export async function readExample(file, { credential, space, grids, pollSeconds }) {
	const example = exampleSchema.parse(JSON.parse(await readFile(join(root, 'examples', file), 'utf8')));
	const nodes = example.nodes.map((node) => {
		if (!node.type.startsWith('n8n-nodes-datagrid.')) return node;
		const wanted = locatorSchema.parse(node.parameters['grid']).cachedResultName;
		const grid = grids.find(({ name }) => name === wanted);
		if (grid === undefined) throw new Error(`${file} names the grid "${wanted}", which was not given`);
		return {
			...node,
			credentials: { dataGridApi: { id: credential.id, name: credential.name } },
			parameters: {
				...node.parameters,
				space: { __rl: true, mode: 'list', value: space.id, cachedResultName: space.name },
				grid: {
					__rl: true,
					mode: 'list',
					value: `${encodeURIComponent(space.id)}/${encodeURIComponent(grid.id)}`,
					cachedResultName: grid.name,
				},
				...(node.type.endsWith('Trigger') && { pollTimes: pollEvery(pollSeconds) }),
			},
		};
	});
	return { ...example, nodes };
}

/**
 * Brings a workflow into n8n and switches it on. One of that name that is there already is the person's own by now: it is
 * kept as it is, unless it works on other grids.
 * @param {N8nRest} rest
 * @param {Example} example
 * @returns {Promise<Workflow>}
 */
export async function putWorkflow(rest, example) {
	const summary = (await rest.workflows()).find(({ name }) => name === example.name);
	const old = summary === undefined ? undefined : await rest.workflow(summary.id);
	const workflow =
		old === undefined ? await rest.createWorkflow(example) : await refreshed(rest, old, example);
	if (!workflow.active) await rest.activate(workflow);
	return workflow;
}

/**
 * @param {N8nRest} rest
 * @param {Workflow} old
 * @param {Example} example
 */
async function refreshed(rest, old, example) {
	const grids = (/** @type {{ parameters: Record<string, unknown> }[]} */ nodes) =>
		nodes.map(
			({ parameters }) => z.looseObject({ value: z.string() }).safeParse(parameters['grid']).data?.value,
		);
	const ours = new Set(grids(example.nodes));
	if (grids(old.nodes).every((grid) => ours.has(grid))) return old;
	if (old.active) await rest.deactivate(old.id);
	const { nodes, connections } = example;
	return await rest.changeWorkflow(old.id, { nodes, connections });
}
