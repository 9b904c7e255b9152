import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod/v4';

const requestSchema = z.looseObject({
	stream: z.boolean().optional(),
	messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
	tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
});

/** @typedef {{ name: string, arguments: Record<string, unknown> }} ToolCall */
/** @typedef {(toolResults: string[]) => ToolCall | string} Turn what the model does after these results: a call, or its answer */

/**
 * A server that speaks as a model of OpenAI does (chat completions), and follows a script in place of thinking.
 * @param {readonly Turn[]} script
 */
export async function startModel(script) {
	/** @type {Set<string>} */
	const offered = new Set();
	const server = createServer((request, response) => {
		void answer(request).then(({ type, body }) => {
			response.writeHead(200, { 'content-type': type }).end(body);
		});
	});
	/** @param {import('node:http').IncomingMessage} request */
	const answer = async (request) => {
		const body = await text(request);
		if (request.method === 'GET') return json({ object: 'list', data: [] });
		const { messages, tools, stream } = requestSchema.parse(JSON.parse(body));
		for (const tool of tools) offered.add(tool.function.name);
		const results = messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => JSON.stringify(content));
		const turn = script[results.length]?.(results) ?? 'Done.';
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
		offered,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** @param {unknown} value */
const json = (value) => ({ type: 'application/json', body: JSON.stringify(value) });

/** @param {ToolCall | string} turn */
function streamed(turn) {
	const end = { ...completion(turn, 'delta', 'chat.completion.chunk') };
	return { type: 'text/event-stream', body: `data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n` };
}

/**
 * @param {ToolCall | string} turn
 * @param {'message' | 'delta'} member
 * @param {string} object
 */
function completion(turn, member, object) {
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

/** @param {ToolCall} call */
const callOf = ({ name, arguments: given }) => ({
	index: 0,
	id: `call-${name}`,
	type: 'function',
	function: { name, arguments: JSON.stringify(given) },
});
