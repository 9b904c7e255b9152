import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fastify from 'fastify';
import { Connections } from '../../../../service/http/connections';

test('a request that arrives as the response before it ends is handled once', async () => {
	const handled: string[] = [];
	const connections = new Connections();
	const app = fastify({ serverFactory: (handle) => connections.createServer({}, handle) });
	connections.watch(app);
	// Responses stay open until the test closes them.
	app.get('/:name', async (request) => {
		handled.push(request.url);
		return await new Promise(() => undefined);
	});
	await app.ready();
	const socket = new Socket();
	const arrive = (url: string) => {
		const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url });
		const response = new ServerResponse(request);
		app.server.emit('request', request, response);
		return response;
	};
	const first = arrive('/first');
	await turn();
	first.emit('close');
	arrive('/second');
	arrive('/third');
	for (let turns = 0; turns < 5; turns++) await turn();
	expect(handled).toEqual(['/first', '/second']);
	await app.close();
});
