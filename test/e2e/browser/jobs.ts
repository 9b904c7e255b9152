import assert from 'node:assert/strict';
import { z } from 'zod/v4';
import type { Demo } from '../../../testbed/demo/session';
import { outputOf } from '../../../testbed/n8n/execution';
import { requestN8n } from '../../../testbed/n8n/request';
import { until } from '../../../testbed/until';
import { startModel } from '../examples/model';
import { runByHand } from '../examples/running';
import type { Person } from './person';
import { readList } from '../../../client';

/** A workflow that a person builds from an empty canvas, and what it has done then. */
export interface Job {
	name: string;
	/** Maximum number of clicks; an input that is typed into counts as one. */
	clicks: number;
	build: (person: Person, demo: Demo) => Promise<void>;
}

async function gridNamed({ client, grids: { space } }: Demo, name: string) {
	const found = (await readList(client.grids.list(space))).items.find((grid) => grid.name === name);
	assert.ok(found, `there is no grid "${name}"`);
	return await client.grids.open({ spaceId: space.id, gridId: found.id });
}

export async function rowsOf(demo: Demo, name: string) {
	const grid = await gridNamed(demo, name);
	return (await demo.client.entities.page(grid, { layout: 'property', pageSize: 1000 })).items;
}

async function newRowIsNoted(person: Person, demo: Demo) {
	const { client, grids, rest } = demo;
	await person.newWorkflow();
	await person.begin({ search: 'datagrid', node: 'DataGrid', action: 'On row created' });
	await person.pick('grid', 'Orders (');
	await person.execute('changedAt');
	await person.close();
	await person.add({ search: 'datagrid', node: 'DataGrid', action: 'Create row' });
	await person.pick('grid', 'Activity');
	await person.byId('mapping-fields-container').waitFor();
	await person.fill({ event: 'seen by a click', order: '={{ $json.row.Order }}' });
	await person.close();
	const id = await person.publish();
	const isWatching = async () => Object.keys((await rest.workflow(id)).staticData ?? {}).length > 0;
	await until('the first look of the trigger', isWatching);
	await client.entities.create(grids.orders, { Order: 'J-1', Status: 'new' }, 'property');
	await until('the row in Activity', async () =>
		(await rowsOf(demo, 'Activity')).some(
			({ Event, Order }) => Event === 'seen by a click' && Order === 'J-1',
		),
	);
	await rest.deactivate(id);
}

/** The values of "Order", sorted; rows without one are not mirrored. */
async function ordersIn(demo: Demo, name: string) {
	const keys = (await rowsOf(demo, name)).map(({ Order }) => Order ?? '').filter((key) => key !== '');
	return keys.sort();
}

async function nightlyMirror(person: Person, demo: Demo) {
	const mirror = await gridNamed(demo, 'Orders Mirror');
	await person.newWorkflow();
	await person.begin({ search: 'schedule', node: 'Schedule Trigger' });
	await person.close();
	await person.add({ search: 'datagrid', node: 'DataGrid', action: 'Get many rows' });
	await person.pick('grid', 'Orders (');
	await person.switchOn('returnAll');
	await person.execute('A-1001');
	await person.close();
	await person.add({ search: 'datagrid', node: 'DataGrid', action: 'Sync' });
	await person.pick('grid', 'Orders Mirror');
	await person.choose(person.byId('matching-column-select'), 'Order');
	await person.browsing.page.keyboard.press('Escape');
	await person.choose(person.byId('parameter-input-rowsNotInInput'), 'Delete');
	await person.execute('created');
	const orders = await ordersIn(demo, 'Orders');
	assert.deepEqual(await ordersIn(demo, 'Orders Mirror'), orders);
	await demo.client.entities.create(mirror, { Order: 'gone' }, 'property');
	await person.execute('1 deleted');
	assert.deepEqual(await ordersIn(demo, 'Orders Mirror'), orders);
	await person.browsing.picture('nightly-mirror');
	await person.close();
	await demo.rest.deactivate(await person.publish());
}

async function webhookToForm(person: Person, demo: Demo) {
	await person.newWorkflow();
	await person.begin({ search: 'webhook', node: 'Starts the workflow when a webhook' });
	await person.choose(person.byId('parameter-input-httpMethod'), 'POST');
	const input = person.byId('parameter-input-path').locator('input').first();
	let path = '';
	await until('the path of the webhook', async () => (path = await input.inputValue()) !== '');
	await person.close();
	await person.add({ search: 'datagrid', node: 'DataGrid Form', action: 'Submit form' });
	await person.pick('grid', 'Requests');
	await person.pick('form', 'Requests');
	await person.byId('mapping-fields-container').waitFor();
	const fields = await demo.client.fields.of(await gridNamed(demo, 'Requests'));
	for (const name of ['Name', 'Message']) {
		const id = fields.find((field) => field.name === name)?.id ?? name;
		await person.fill({ [id]: `={{ $json.body.${name.toLowerCase()} }}` });
	}
	await person.close();
	const id = await person.publish();
	const request = {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ name: 'Ada', message: 'By a click' }),
	};
	// n8n opens the address a moment after it has published the workflow.
	await until('the webhook', async () => (await requestN8n(`${demo.n8n.url}/webhook/${path}`, request)).ok);
	await until('the row of the form', async () =>
		(await rowsOf(demo, 'Requests')).some(({ Name, Message }) => Name === 'Ada' && Message === 'By a click'),
	);
	await demo.rest.deactivate(id);
}

type Rows = ReadonlyArray<Record<string, string | number>>;

/** One of n8n's own nodes. */
const node = (name: string, type: string, typeVersion: number, parameters: object, x: number) => ({
	...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion, parameters, position: [x, 0] },
});
const main = (to: string) => ({ main: [[{ node: to, type: 'main', index: 0 }]] });

/** Nodes that give rows; a person has them from an earlier workflow. */
export function nodesWith(rows: Rows) {
	const jsCode = `return ${JSON.stringify(rows.map((json) => ({ json })))};`;
	return {
		nodes: [node('Start', 'manualTrigger', 1, {}, 0), node('Rows', 'code', 2, { jsCode }, 200)],
		connections: { Start: main('Rows') },
	};
}

/** Nodes that give a CSV file. */
function fileOf(rows: Rows) {
	const { nodes, connections } = nodesWith(rows);
	return {
		nodes: [...nodes, node('File', 'convertToFile', 1.1, { options: {} }, 400)],
		connections: { ...connections, Rows: main('File') },
	};
}

/** A file becomes a grid; a later file is compared with it before anything is written. */
async function csvThenDifferences(person: Person, demo: Demo) {
	const { keyboard } = person.browsing.page;
	const rows = [
		{ Parcel: 'P-1', Weight: '2' },
		{ Parcel: 'P-2', Weight: '3' },
	];
	await person.newWorkflow();
	await person.paste(fileOf(rows));
	await keyboard.press('1');
	await person.add({ search: 'datagrid', node: 'DataGrid Grid', action: 'Create grid from CSV' });
	await person.pick('space', demo.grids.space.name);
	await person.fill({ name: 'Parcels' });
	await person.execute('Parcels');
	await person.browsing.picture('create-from-csv');
	await person.close();

	await person.newWorkflow();
	await person.paste(
		fileOf([
			{ Parcel: 'P-1', Weight: '2' },
			{ Parcel: 'P-2', Weight: '4' },
			{ Parcel: 'P-3', Weight: '1' },
		]),
	);
	await keyboard.press('1');
	await person.add({ search: 'datagrid', node: 'DataGrid', action: 'Import rows from a file' });
	await person.pick('grid', 'Parcels');
	await person.choose(person.byId('parameter-input-keyColumns'), 'Parcel');
	await keyboard.press('Escape');
	await person.switchOn('dryRun');
	await person.execute('would create 1, update 1, leave 1 unchanged');
	await person.browsing.picture('differences-of-a-file');
	await person.close();
}

/** n8n's own nodes of an agent; a person has them from an earlier workflow. */
function agentWith(credential: { id: string; name: string }) {
	const langchain = '@n8n/n8n-nodes-langchain';
	const node = (name: string, type: string, typeVersion: number, parameters: object, position: number[]) => ({
		...{ id: name, name, type: `${langchain}.${type}`, typeVersion, parameters, position },
		...(name === 'Model' ? { credentials: { openAiApi: credential } } : {}),
	});
	const model = { __rl: true, mode: 'id', value: 'stand-in' };
	return {
		nodes: [
			node('Chat', 'chatTrigger', 1.1, { options: {} }, [0, 0]),
			node('Agent', 'agent', 2, { options: {} }, [220, 0]),
			node('Model', 'lmChatOpenAi', 1.2, { model, options: {} }, [160, 220]),
		],
		connections: {
			Chat: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
		},
	};
}

/** What the model is told of a tool. */
const argumentsSchema = z.object({ properties: z.record(z.string(), z.looseObject({ type: z.string() })) });

/** An agent with a tool that creates rows; the model gives the values of two columns. */
async function toolOfAgent(person: Person, demo: Demo) {
	const { rest } = demo;
	const values = { Event: 'by the model', Order: 'A-1001' };
	let tool = '';
	const model = await startModel([() => ({ name: tool, arguments: values }), () => 'Noted.']);
	try {
		const data = { apiKey: 'stand-in', url: model.url };
		const { id, name } = await rest.putCredential({ name: 'Stand-in', type: 'openAiApi', data });
		await person.newWorkflow();
		await person.paste(agentWith({ id, name }));
		await person.browsing.page.keyboard.press('1');
		await person.addTool({ search: 'datagrid', node: 'DataGrid Tool' });
		await person.choose(person.byId('parameter-input-operation'), 'Create');
		await person.pick('grid', 'Activity');
		const columns = person.byId('mapping-fields-container');
		await columns.waitFor();
		const leftToModel = columns.locator('[data-test-id="from-ai-override-button"]');
		await person.click(leftToModel.first());
		// The first one is gone then.
		await person.click(leftToModel.first());
		await person.browsing.picture('tool-of-an-agent');
		await person.close();
		const workflow = await rest.workflow(await person.publish());
		const added = workflow.nodes.find(({ type }) => type === 'n8n-nodes-datagrid.entityTool');
		// As n8n names it to the model.
		tool = (added?.name ?? '').replaceAll(' ', '_');
		const asked = { sessionId: 's', action: 'sendMessage', chatInput: 'Note A-1001' };
		await rest.changeWorkflow(workflow.id, { pinData: { Chat: [{ json: asked }] } });
		const run = await runByHand(rest, workflow, 'Chat');
		assert.equal(outputOf(run, 'Agent')[0]?.['output'], 'Noted.');
		await rest.deactivate(workflow.id);
	} finally {
		model.close();
	}
	const { properties } = argumentsSchema.parse(model.schemas.get(tool));
	assert.deepEqual(
		Object.entries(properties).map(([column, { type }]) => [column, type]),
		Object.keys(values).map((column) => [column, 'string']),
	);
	const noted = (await rowsOf(demo, 'Activity')).filter(({ Event }) => Event === values.Event);
	assert.deepEqual(
		noted.map(({ Order }) => Order),
		[values.Order],
	);
}

export const jobs: readonly Job[] = [
	{ name: 'CSV file into a grid, then differences', clicks: 18, build: csvThenDifferences },
	{ name: 'new row noted in another grid', clicks: 17, build: newRowIsNoted },
	{ name: 'nightly mirror with deletions', clicks: 25, build: nightlyMirror },
	{ name: 'webhook into a form', clicks: 17, build: webhookToForm },
	{ name: 'tool of an AI agent', clicks: 11, build: toolOfAgent },
];
