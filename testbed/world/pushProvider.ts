import { startTestServer } from '../testServer';

export type PushProvider = Awaited<ReturnType<typeof startPushProvider>>;

/** Starts a push provider that accepts every notification, unless `status` is changed. */
export async function startPushProvider() {
	const provider = { status: 200, received: 0 };
	const server = await startTestServer((_request, response) => {
		provider.received++;
		response.writeHead(provider.status, { 'content-type': 'application/json' }).end('{"id":"n1"}');
	});
	return Object.assign(provider, { url: server.url, stop: () => server.stop() });
}
