import assert from 'node:assert/strict';
import { outputOf } from '../../../testbed/n8n/execution';
import { startModel } from './model';
import { runByHand } from './running';
import { example, noted, rows, type Stage } from './stage';

export async function aiAgent(stage: Stage) {
	const { rest } = stage;
	const types = (await rest.types('nodes')).map(({ name }) => name);
	assert.ok(types.includes('n8n-nodes-datagrid.entityTool'), 'the node is not offered as a tool');
	const target = (await rows(stage, 'Orders')).find((row) => row['Order'] === 'A-1003');
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
		const data = { apiKey: 'stand-in', url: model.url };
		const credential = await rest.putCredential({ name: 'Stand-in', type: 'openAiApi', data });
		const workflow = await rest.workflow(example(stage, 'ai-agent.json').id);
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Model'
				? { ...node, credentials: { openAiApi: { id: credential.id, name: credential.name } } }
				: node,
		);
		const asked = { sessionId: 's', action: 'sendMessage', chatInput: 'Cancel A-1003' };
		await rest.changeWorkflow(workflow.id, { nodes, pinData: { 'When somebody asks': [{ json: asked }] } });
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
	const now = (await rows(stage, 'Orders')).find(({ _id }) => _id === target._id);
	assert.equal(now?.['Status'], 'cancelled');
	assert.equal((await noted(stage, 'agent')).length, 1);
}
