import assert from 'node:assert/strict';
import { z } from 'zod/v4';
import { requestN8n } from '../../../testbed/n8n/request';
import { publish } from './running';
import { example, rows, type ExampleDemo } from './exampleDemo';

const TOKEN = 'stand-in-token';
const toolsSchema = z.object({
	tools: z.array(z.object({ name: z.string(), inputSchema: z.looseObject({}) })),
});
const calledSchema = z.object({
	isError: z.boolean().optional(),
	content: z.array(z.object({ text: z.string() })),
});

/** An MCP client over streamable HTTP, as far as this check needs one. */
class McpClient {
	private session: Record<string, string> = {};
	private requests = 0;

	constructor(
		private readonly url: string,
		private readonly token: string,
	) {}

	async send(message: object): Promise<Response> {
		const response = await requestN8n(this.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				authorization: `Bearer ${this.token}`,
				...this.session,
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		const id = response.headers.get('mcp-session-id');
		if (id !== null) this.session = { 'mcp-session-id': id };
		return response;
	}

	async ask<Result>(schema: z.ZodType<Result>, method: string, params: object): Promise<Result> {
		const response = await this.send({ id: ++this.requests, method, params });
		const text = await response.text();
		assert.equal(response.status, 200, text);
		// The answer comes as JSON, or as the data of one event.
		const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
		return z.object({ result: schema }).parse(JSON.parse(data)).result;
	}

	async call(name: string, given: Record<string, unknown>): Promise<string> {
		const { content, isError } = await this.ask(calledSchema, 'tools/call', { name, arguments: given });
		const text = content.map((part) => part.text).join('\n');
		assert.notEqual(isError, true, text);
		return text;
	}
}

const HELLO = {
	protocolVersion: '2025-03-26',
	capabilities: {},
	clientInfo: { name: 'check', version: '1' },
};

export async function mcpServer(demo: ExampleDemo) {
	const { rest, n8n } = demo;
	const data = { token: TOKEN };
	const credential = await rest.putCredential({ name: 'MCP', type: 'httpBearerAuth', data });
	const { id } = example(demo, 'mcp-server.json');
	const before = await rest.workflow(id);
	const nodes = before.nodes.map((node) =>
		node.name === 'Orders over MCP'
			? { ...node, credentials: { httpBearerAuth: { id: credential.id, name: credential.name } } }
			: node,
	);
	const workflow = await rest.changeWorkflow(id, { nodes });
	await publish(rest, workflow);
	try {
		await useTools(demo, `${n8n.url}/mcp/datagrid-orders`);
	} finally {
		await rest.deactivate(id);
	}
}

async function useTools(demo: ExampleDemo, url: string) {
	const stranger = await new McpClient(url, 'wrong').send({ id: 1, method: 'initialize', params: HELLO });
	assert.equal(stranger.status, 403);
	const client = new McpClient(url, TOKEN);
	await client.ask(z.looseObject({}), 'initialize', HELLO);
	await client.send({ method: 'notifications/initialized' });
	const { tools } = await client.ask(toolsSchema, 'tools/list', {});
	assert.deepEqual(tools.map(({ name }) => name).sort(), ['Count_orders', 'Get_an_order', 'Search_orders']);
	const orders = await rows(demo, 'Orders');
	const target = orders.find((row) => row['Order'] === 'A-1003');
	assert.ok(target);
	assert.match(await client.call('Search_orders', { Text: 'A-1003' }), new RegExp(target._id));
	assert.match(await client.call('Get_an_order', { Row: target._id }), /A-1003/);
	const fresh = orders.filter((row) => row['Status'] === 'new').length;
	const counted = await client.call('Count_orders', { Status: 'new' });
	assert.match(counted, new RegExp(`"count": ?${String(fresh)}\\b`));
	assert.deepEqual(await rows(demo, 'Orders'), orders);
}
