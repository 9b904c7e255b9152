import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { exampleFiles, readExample } from '../../testbed/demo/workflow';
import { runNode } from '../../testbed/engine/engine';
import { World } from '../../testbed/world/world';
import { readList } from '../../client';

/** An account that has nothing. */
const world = World.forTests();
const parametersSchema = z.custom<INodeParameters>();
const choices = {
	credentials: [
		{ id: '1', name: 'Any' },
		{ id: '2', name: 'DataGrid reader' },
	],
	pollSeconds: 3,
	n8nUrl: 'http://127.0.0.1:5678',
	crmUrl: 'http://127.0.0.1:5690',
};

/** The nodes of an example that make grids. */
async function makersIn(file: string) {
	const { nodes } = await readExample(file, choices);
	return nodes
		.filter(({ type }) => type === 'n8n-nodes-datagrid.grid')
		.filter(({ parameters }) => parameters['resource'] === 'grid');
}

/** Runs them as their example does. @returns what became of each grid, with its columns */
async function make(file: string): Promise<Array<[outcome: unknown, columns: unknown]>> {
	const made: Array<[unknown, unknown]> = [];
	for (const { type, parameters } of await makersIn(file)) {
		const settings = { type, parameters: parametersSchema.parse(parameters) };
		const { error, rows } = await runNode({ ...settings, credentials: world.credentials() });
		expect(error).toBeUndefined();
		made.push([rows[0]?.['_outcome'], rows[0]?.['fields']]);
	}
	return made;
}

test('each example makes its space and grids with one node for each grid, and finds them again', async () => {
	const files = await exampleFiles();
	for (const file of files) expect((await make(file)).length).toBeGreaterThan(0);
	const again = new Map<string, Awaited<ReturnType<typeof make>>>();
	for (const file of files) again.set(file, await make(file));
	for (const file of files) expect(await make(file)).toEqual(again.get(file));
	const outcomes = [...again.values()].flat().map(([outcome]) => outcome);
	expect(new Set(outcomes)).toEqual(new Set(['existing']));
	const { items } = await readList(world.client.spaces.list());
	expect(items.flatMap(({ key }) => key ?? [])).toEqual(
		expect.arrayContaining(['crm', 'operations', 'shop']),
	);
	expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
});
