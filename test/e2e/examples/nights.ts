import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';
import type { Grid } from '../../../client/resources/grids';
import { connectDataGrid } from '../../../testbed/demo/dataGrid';
import { outputOf } from '../../../testbed/n8n/execution';
import { until } from '../../../testbed/until';
import { addUser, example, noted, whileOn, type ExampleDemo } from './exampleDemo';
import { runByHand } from './running';
import { readList } from '../../../client';

/** A grid that an example has made. */
async function gridWithKey({ client, grids }: ExampleDemo, key: string): Promise<Grid> {
	const { items } = await readList(client.grids.list(grids.space));
	const found = items.find((grid) => grid.key === key);
	assert.ok(found, `there is no grid with the key "${key}"`);
	return await client.grids.open(found.address);
}

const rowsOf = async ({ client }: ExampleDemo, grid: Grid) =>
	(await client.entities.page(grid, { layout: 'property', pageSize: 1000 })).items;

/** Two jobs log into one grid, and one fails; the team is told once, and old entries go. */
export async function whatRanTonight(demo: ExampleDemo) {
	const { client, rest } = demo;
	const file = 'what-ran-tonight.json';
	const workflow = example(demo, file);
	await runByHand(rest, workflow, 'Every night at 2');
	const log = await gridWithKey(demo, 'run-log');
	await whileOn(demo, file, async () => {
		await runByHand(rest, workflow, 'Every night at 3');
		await until('the message', async () => (await noted(demo, 'run failed'))[0]);
		await runByHand(rest, workflow, 'Every night at 2');
	});
	const entries = await rowsOf(demo, log);
	assert.deepEqual(
		entries.map(({ Node, Status, Created, Unchanged, Failed }) => [Node, Status, Created, Unchanged, Failed]),
		[
			['Sync the stock', 'done', 3, 0, 0],
			['Create or update the prices', 'failed', 2, 0, 1],
			['Create or update the prices', 'row failed', null, null, null],
			['Sync the stock', 'done', 0, 3, 0],
		],
	);
	const told = await noted(demo, 'run failed');
	assert.equal(told.length, 1);
	assert.match(String(told[0]?.['Details']), /^What ran tonight, Create or update the prices: .*"Price"/);
	const Started = new Date(Date.now() - 31 * 86_400_000).toISOString();
	await client.entities.create(log, { Status: 'done', Started }, 'property');
	await runByHand(rest, workflow, 'Every Sunday at 4');
	const ids = async () => (await rowsOf(demo, log)).map(({ _id }) => _id);
	assert.deepEqual(
		await ids(),
		entries.map(({ _id }) => _id),
	);
}

const reasonsSchema = z.array(z.object({ Item: z.string(), _reasons: z.array(z.string()) }));

/** Another person edits ten of twelve rows meanwhile: these ten values stay, and are named. */
export async function takeBackASync(demo: ExampleDemo) {
	const { client, rest, grids } = demo;
	const workflow = example(demo, 'take-back-a-sync.json');
	await runByHand(rest, workflow, 'Every night at 2');
	const stock = await gridWithKey(demo, 'stock');
	for (const row of await rowsOf(demo, stock))
		await client.entities.update(stock, row._id, { Count: 1, Place: 'Yard' }, 'property');
	const before = await rowsOf(demo, stock);
	const since = await moment();
	await runByHand(rest, workflow, 'Every night at 2');
	const person = randomUUID();
	const email = `${person}@example.com`;
	const ada = connectDataGrid({ ...demo.service, ...(await addUser(demo.folder, person, email)) });
	await client.shares.create(grids.space, { email, role: 'writer' });
	const shared = await ada.grids.open({ spaceId: grids.space.id, gridId: stock.id });
	const edited = before.slice(0, 10).map(({ _id }) => _id);
	for (const id of edited) await ada.entities.update(shared, id, { Count: 7 }, 'property');
	const written = await rowsOf(demo, stock);
	await setSince(demo, workflow.id, since, false);
	const plan = await runByHand(rest, workflow, 'When you run it');
	assert.deepEqual(
		outputOf(plan, 'Take it back').map(({ _outcome }) => _outcome),
		before.map(() => 'revert'),
	);
	assert.deepEqual(await rowsOf(demo, stock), written, 'a dry run has written');
	await setSince(demo, workflow.id, since, true);
	const stays = reasonsSchema.parse(
		outputOf(await runByHand(rest, workflow, 'When you run it'), 'Only what stays'),
	);
	assert.equal(stays.length, edited.length);
	for (const { _reasons } of stays) assert.match(_reasons.join(), /^"Count" is 7, and was \d+ after/);
	const values = (rows: ReadonlyArray<Record<string, unknown>>) =>
		rows.map(({ Item, Count, Place }) => [Item, Count, Place]);
	assert.deepEqual(
		values(await rowsOf(demo, stock)),
		values(before.map((row) => (edited.includes(row._id) ? { ...row, Count: 7 } : row))),
	);
}

/** A moment after what was written so far. */
async function moment(): Promise<string> {
	const now = Date.now();
	await until('the next millisecond', () => Promise.resolve(Date.now() > now + 1 || undefined));
	return new Date(now + 1).toISOString();
}

/** Writes the moment into the example, and whether it may write. */
async function setSince({ rest }: ExampleDemo, id: string, since: string, writes: boolean): Promise<void> {
	const { nodes: asTheyAre } = await rest.workflow(id);
	const named = { Since: since, 'Write it back': writes };
	const nodes = asTheyAre.map((node) => {
		if (node.name !== 'Since when, and for real?') return node;
		const { assignments } = z
			.object({ assignments: z.array(z.looseObject({ name: z.string() })) })
			.parse(node.parameters['assignments']);
		const values = new Map<string, unknown>(Object.entries(named));
		const set = assignments.map((one) => ({ ...one, value: values.get(one.name) }));
		return { ...node, parameters: { ...node.parameters, assignments: { assignments: set } } };
	});
	await rest.changeWorkflow(id, { nodes });
}
