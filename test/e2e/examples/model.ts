import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod/v4';

const requestSchema = z.looseObject({
	stream: z.boolean().optional(),
	messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
	tools: z
		.array(
			z.looseObject({
				function: z.looseObject({ name: z.string(), parameters: z.looseObject({}).optional() }),
			}),
		)
		.default([]),
});

export type ToolCall = { name: string; arguments: Record<string, unknown> };
/** What the model does after these results, to such a question: a call, or its answer */
export type Turn = (toolResults: string[], question: string) => ToolCall | string;

/**
 * A server that speaks as a model of OpenAI does (chat
 * completions), and follows a script.
 */
export async function startModel(script: readonly Turn[]) {
	const offered: Set<string> = new Set();
	const schemas = new Map<string, object>();
	const server = createServer((request, response) => {
		void answer(request).then(({ type, body }) => {
			response.writeHead(200, { 'content-type': type }).end(body);
		});
	});

	const answer = async (request: IncomingMessage) => {
		const body = await text(request);
		if (request.method === 'GET') return json({ object: 'list', data: [] });
		const { messages, tools, stream } = requestSchema.parse(JSON.parse(body));
		for (const { function: tool } of tools) {
			offered.add(tool.name);
			schemas.set(tool.name, tool.parameters ?? {});
		}
		const results = messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => JSON.stringify(content));
		const question = messages.findLast(({ role }) => role === 'user')?.content;
		const turn = script[results.length]?.(results, JSON.stringify(question)) ?? 'Done.';
		return stream === true ? streamed(turn) : json(completion(turn, 'message', 'chat.completion'));
	};
	await new Promise((resolve) => {
		server.listen(0, '127.0.0.1', () => {
			resolve(undefined);
		});
	});
	const address = z.object({ port: z.number() }).parse(server.address());
	return {
		url: `http://127.0.0.1:${String(address.port)}/v1`,
		/** Names of the tools that it was offered */
		offered,
		/** JSON schemas of their arguments, by name */
		schemas,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

const json = (value: unknown) => ({ type: 'application/json', body: JSON.stringify(value) });

function streamed(turn: ToolCall | string) {
	const end = { ...completion(turn, 'delta', 'chat.completion.chunk') };
	return { type: 'text/event-stream', body: `data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n` };
}

function completion(turn: ToolCall | string, member: 'message' | 'delta', object: string) {
	const calls = typeof turn === 'string' ? undefined : [callOf(turn)];
	const content = typeof turn === 'string' ? turn : null;
	return {
		id: 'stand-in',
		object,
		created: 0,
		model: 'stand-in',
		choices: [
			{
				index: 0,
				finish_reason: calls ? 'tool_calls' : 'stop',
				[member]: { role: 'assistant', content, ...(calls && { tool_calls: calls }) },
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

const callOf = ({ name, arguments: given }: ToolCall) => ({
	index: 0,
	id: `call-${name}`,
	type: 'function',
	function: { name, arguments: JSON.stringify(given) },
});
