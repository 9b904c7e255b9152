import { requestN8n } from '../../../testbed/n8n/request';
import { startTestServer } from '../../../testbed/testServer';

/** Asks a server that responds with the given statuses and bodies in turn. */
async function request(...answers: readonly (readonly [number, string])[]) {
	const rest = [...answers];
	const server = await startTestServer((_request, response) => {
		const [status, body] = rest.shift() ?? [500, 'one request too many'];
		response.writeHead(status).end(body);
	});
	try {
		const response = await requestN8n(server.url, { method: 'POST', body: 'x' });
		return { status: response.status, text: await response.text(), requests: server.requests.length };
	} finally {
		await server.stop();
	}
}

const NOT_READY = [503, '{"code":503,"message":"Database is not ready!"}'] as const;

test('a request is sent again while the database of n8n is not ready', async () => {
	expect(await request(NOT_READY, NOT_READY, [200, 'done'])).toEqual({
		status: 200,
		text: 'done',
		requests: 3,
	});
});

test('every other answer is returned as it is, because n8n may have acted', async () => {
	expect(await request([503, 'Overloaded'])).toEqual({ status: 503, text: 'Overloaded', requests: 1 });
	expect(await request([404, 'Database is not ready!'])).toMatchObject({ status: 404, requests: 1 });
});
