import assert from 'node:assert/strict';
import { z } from 'zod/v4';
import { outputOf, type RunData } from '../../../testbed/n8n/execution';
import { requestN8n } from '../../../testbed/n8n/request';
import type { Workflow } from '../../../testbed/n8n/rest';
import { startModel } from './model';
import { runUntilWaiting } from './running';
import { rows, withModel, type ExampleDemo } from './exampleDemo';

const TRIGGER = 'When somebody asks';
/** A message of the Chat node with buttons. */
export const reviewSchema = z.object({
	text: z.string(),
	buttons: z.array(z.object({ text: z.string(), link: z.string() })),
});

/** The message that "Ask a person" sent. */
function reviewOf({ resultData }: RunData) {
	const [item] = resultData.runData['Ask a person']?.at(-1)?.data?.main?.[0] ?? [];
	return reviewSchema.parse(item?.['sendMessage']);
}

/** Clicks a button of the review. n8n ignores clicks of programs, so this is a browser's. */
export async function click({ buttons }: z.infer<typeof reviewSchema>, text: string) {
	const button = buttons.find((one) => one.text === text);
	assert.ok(button, `there is no button "${text}"`);
	const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
	const response = await requestN8n(button.link, { headers: { 'user-agent': agent } });
	assert.equal(response.status, 200, await response.text());
}

export async function approvedChanges(demo: ExampleDemo) {
	const target = (await rows(demo, 'Orders')).find((row) => row['Order'] === 'A-1002');
	assert.ok(target);
	const model = await startModel([
		() => ({ name: 'Search_orders', arguments: { Text: 'A-1002' } }),
		(results) => {
			assert.match(results[0] ?? '', new RegExp(target._id));
			return JSON.stringify({ Order: 'A-1002', Status: 'shipped' });
		},
	]);
	try {
		const chatInput = 'Ship the order of Birchwood Bikes';
		const workflow = await withModel(demo, 'approved-changes.json', { model, chatInput });
		await reviewed(demo, workflow, target._id);
	} finally {
		model.close();
	}
	assert.deepEqual([...model.offered], ['Search_orders']);
}

async function reviewed(demo: ExampleDemo, workflow: Workflow, id: string) {
	const { client, grids, rest } = demo;
	const before = await rows(demo, 'Orders');
	/** The number of events in the histories of all orders. */
	const writes = async () => {
		const histories = before.map(({ _id }) => client.history.of(grids.orders, _id));
		return (await Promise.all(histories)).flatMap(({ items }) => items).length;
	};
	const writesBefore = await writes();
	const order = before.find(({ _id }) => _id === id);
	const plan = `Change order A-1002 of ${String(order?.['Customer'])}?\nStatus: ${String(order?.['Status'])} → shipped`;

	const declined = await runUntilWaiting(rest, workflow, TRIGGER);
	assert.equal(reviewOf(declined.data).text, plan);
	await click(reviewOf(declined.data), 'Decline');
	const afterwards = await declined.ended();
	assert.equal(outputOf(afterwards, 'Change the order').length, 1, 'it ran again after the rejection');
	assert.deepEqual(await rows(demo, 'Orders'), before);
	assert.equal(await writes(), writesBefore);

	const approved = await runUntilWaiting(rest, workflow, TRIGGER);
	assert.equal(reviewOf(approved.data).text, plan);
	assert.deepEqual(await rows(demo, 'Orders'), before, 'written before the approval');
	await click(reviewOf(approved.data), 'Approve');
	await approved.ended();
	const wanted = before.map((row) => (row._id === id ? { ...row, Status: 'shipped' } : row));
	const values = (all: typeof before) =>
		all.map(({ _id, Order, Customer, Status, Amount }) => ({ _id, Order, Customer, Status, Amount }));
	assert.deepEqual(values(await rows(demo, 'Orders')), values(wanted));
	assert.equal(await writes(), writesBefore + 1);
}
