import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A received request. */
interface SeenRequest {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
}

/** A server with scripted responses and a log of requests. */
export interface TestServer {
	/** `http://127.0.0.1:<port>` */
	url: string;
	port: number;
	requests: SeenRequest[];
	stop(): Promise<void>;
}

/**
 * Starts a server on 127.0.0.1.
 * @param respond sends the response to a request whose body has been read
 * @param chosenPort any free one if omitted
 */
export async function startTestServer(
	respond: (request: IncomingMessage, response: ServerResponse, body: string, bytes: Buffer) => void,
	chosenPort = 0,
): Promise<TestServer> {
	const requests: SeenRequest[] = [];
	const server = createServer((request, response) => {
		const { method = '', url: path = '', headers } = request;
		requests.push({ method, path, headers });
		void buffer(request).then(
			(bytes) => {
				respond(request, response, bytes.toString(), bytes);
			},
			() => response.destroy(),
		);
	});
	// By default, the server closes idle connections and announces it in a header.
	server.keepAliveTimeout = 0;
	await once(server.listen(chosenPort, '127.0.0.1'), 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	return {
		url: `http://127.0.0.1:${address.port}`,
		port: address.port,
		requests,
		stop: async () => {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
}
