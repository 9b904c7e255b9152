import assert from 'node:assert/strict';
import { z } from 'zod/v4';
import { outputOf } from '../../../testbed/n8n/execution';
import { startModel } from './model';
import { runByHand } from './running';
import { noted, rows, withModel, type ExampleDemo } from './exampleDemo';

const schemaSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

/** The schema of one argument, as the model receives it. */
const argumentOf = (schema: unknown, name: string) => schemaSchema.parse(schema).properties[name];

export async function aiAgent(demo: ExampleDemo) {
	const { rest } = demo;
	const types = (await rest.types('nodes')).map(({ name }) => name);
	assert.ok(types.includes('n8n-nodes-datagrid.entityTool'), 'the node is not offered as a tool');
	const target = (await rows(demo, 'Orders')).find((row) => row['Order'] === 'A-1003');
	assert.ok(target);
	const model = await startModel([
		() => ({ name: 'Search_orders', arguments: { Text: 'A-1003' } }),
		(results) => {
			assert.match(results[0] ?? '', new RegExp(target._id));
			return { name: 'Change_the_status_of_an_order', arguments: { Row: target._id, Status: 'cancelled' } };
		},
		() => ({ name: 'Write_to_Activity', arguments: { Order: 'A-1003', Details: 'Cancelled, as asked' } }),
		() => 'A-1003 is cancelled.',
	]);
	try {
		const workflow = await withModel(demo, 'ai-agent.json', { model, chatInput: 'Cancel A-1003' });
		const run = await runByHand(rest, workflow, 'When somebody asks');
		assert.equal(outputOf(run, 'Agent')[0]?.['output'], 'A-1003 is cancelled.');
	} finally {
		model.close();
	}
	assert.deepEqual([...model.offered].sort(), [
		'Change_the_status_of_an_order',
		'Search_orders',
		'Write_to_Activity',
	]);
	// n8n passes the description of an argument on, and has no list of allowed values.
	assert.deepEqual(argumentOf(model.schemas.get('Change_the_status_of_an_order'), 'Status'), {
		type: 'string',
		description: 'new, packed, shipped or cancelled',
	});
	const now = (await rows(demo, 'Orders')).find(({ _id }) => _id === target._id);
	assert.equal(now?.['Status'], 'cancelled');
	assert.equal((await noted(demo, 'agent')).length, 1);
}
