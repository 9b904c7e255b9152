import assert from 'node:assert/strict';
import { z } from 'zod/v4';
import { startModel } from './model';
import { click, reviewSchema } from './review';
import { runUntilWaiting } from './running';
import { rows, withModel, type ExampleDemo } from './exampleDemo';

const TOOL = 'Change the status of an order';
const linkTo = (node: string) => ({ ai_tool: [[{ node, type: 'ai_tool', index: 0 }]] });
const connectionsSchema = z.looseObject({ connections: z.record(z.string(), z.unknown()) });
const waitingSchema = z.looseObject({
	data: z.looseObject({ ai_tool: z.tuple([z.tuple([z.looseObject({ sendMessage: reviewSchema })])]) }),
});

/** n8n's human review between the agent and its tool. */
const REVIEW = {
	id: 'a3f6a7e5-9b0e-4a4b-9f5c-0a3b0a5c8a11',
	name: 'Review',
	type: '@n8n/n8n-nodes-langchain.chatHitlTool',
	typeVersion: 1.3,
	position: [480, 120],
	webhookId: 'a3f6a7e5-9b0e-4a4b-9f5c-0a3b0a5c8a12',
	parameters: {
		operation: 'sendAndWait',
		message: '={{ $tool.name }} {{ JSON.stringify($tool.parameters) }}',
		responseType: 'approval',
		blockUserInput: true,
		approvalOptions: { values: { approvalType: 'double' } },
		options: {},
	},
};

/** Connects the writing tool of the example to the agent through a review. */
async function withReview(demo: ExampleDemo, model: { url: string }) {
	const workflow = await withModel(demo, 'ai-agent.json', { model, chatInput: 'Return A-1003' });
	const { connections } = connectionsSchema.parse(workflow);
	const nodes = workflow.nodes.map((node) => {
		if (node.name === 'Agent') return { ...node, typeVersion: 3 };
		if (node.name !== 'When somebody asks') return node;
		return { ...node, typeVersion: 1.4, parameters: { options: { responseMode: 'responseNodes' } } };
	});
	return await demo.rest.changeWorkflow(workflow.id, {
		nodes: [...nodes, REVIEW],
		connections: { ...connections, [TOOL]: linkTo(REVIEW.name), [REVIEW.name]: linkTo('Agent') },
	});
}

async function statusOf(demo: ExampleDemo, id: string): Promise<unknown> {
	return (await rows(demo, 'Orders')).find(({ _id }) => _id === id)?.['Status'];
}

export async function toolReview(demo: ExampleDemo) {
	const before = await rows(demo, 'Orders');
	const target = before.find((row) => row['Order'] === 'A-1003');
	assert.ok(target);
	const wanted = { Row: target._id, Status: target['Status'] === 'new' ? 'packed' : 'new' };
	const model = await startModel([
		() => ({
			name: 'Change_the_status_of_an_order',
			arguments: { toolParameters: wanted, hitlParameters: {} },
		}),
		() => 'Done.',
	]);
	try {
		const workflow = await withReview(demo, model);
		for (const [button, status] of [
			['Decline', target['Status']],
			['Approve', wanted.Status],
		] as const) {
			const { data, ended } = await runUntilWaiting(demo.rest, workflow, 'When somebody asks');
			const review = waitingSchema.parse(data.resultData.runData[REVIEW.name]?.at(-1));
			const message = review.data.ai_tool[0][0].sendMessage;
			assert.equal(message.text, `Change_the_status_of_an_order ${JSON.stringify(wanted)}`);
			assert.deepEqual(await rows(demo, 'Orders'), before, 'written before the answer');
			await click(message, button);
			const { resultData } = await ended();
			assert.equal(resultData.runData[TOOL]?.length ?? 0, button === 'Approve' ? 1 : 0);
			assert.equal(await statusOf(demo, target._id), status);
		}
	} finally {
		model.close();
	}
}
