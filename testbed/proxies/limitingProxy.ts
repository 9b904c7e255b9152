import {
	Agent,
	createServer,
	request as forward,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';

/** What to do to a request in place of passing it on, or after it. */
export type Mishap =
	| { kind: 'answer'; status: number; headers?: Record<string, string> }
	/** The connection is cut before the service has seen the request. */
	| { kind: 'cutBefore' }
	/** The service carries the request out, then the connection is cut. */
	| { kind: 'cutAfter' };

export interface LimitingProxyOptions {
	/** Where the service is, without a path. */
	target: string;
	/** Milliseconds added to each request. */
	delay?: number;
	/** How many requests at a time are taken; past that: 503. */
	takes?: number;
	/** Milliseconds after which a connection without a request is closed, just when it may be used again; never, where it is left out. */
	idle?: number;
	/** Looked up for each request, numbered from 1. */
	mishap?: (request: IncomingMessage, number: number) => Mishap | undefined;
}

export interface LimitingProxy {
	url: string;
	/** What came through it so far. */
	seen: { requests: number; refused: number; highest: number; closedIdle: number };
	stop: () => Promise<void>;
}

/** A proxy before the service: slow, of limited capacity, and with whatever mishaps a test needs. On 127.0.0.1, a free port. */
export async function startLimitingProxy(options: LimitingProxyOptions): Promise<LimitingProxy> {
	const { target, delay = 0, takes = Number.POSITIVE_INFINITY } = options;
	const agent = new Agent({ keepAlive: true });
	const seen = { requests: 0, refused: 0, highest: 0, closedIdle: 0 };
	let inFlight = 0;

	const pass = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, mishap?: Mishap) => {
		const onward = forward(
			new URL(incoming.url ?? '/', target),
			{ method: incoming.method, headers: { ...incoming.headers }, agent },
			(answer) => {
				const parts: Buffer[] = [];
				answer.on('data', (part: Buffer) => parts.push(part));
				answer.on('end', () => {
					if (mishap?.kind === 'cutAfter') outgoing.destroy();
					else outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(parts));
				});
			},
		);
		onward.on('error', () => {
			outgoing.destroy();
		});
		onward.end(body);
	};

	const closeWhenIdle = ({ socket }: IncomingMessage, milliseconds: number) => {
		const closing = setTimeout(() => {
			seen.closedIdle++;
			socket.destroy();
		}, milliseconds);
		socket.once('data', () => {
			clearTimeout(closing);
		});
	};

	const server = createServer((incoming, outgoing) => {
		seen.requests++;
		const { idle } = options;
		if (idle !== undefined)
			outgoing.once('finish', () => {
				closeWhenIdle(incoming, idle);
			});
		const mishap = options.mishap?.(incoming, seen.requests);
		inFlight++;
		seen.highest = Math.max(seen.highest, inFlight);
		outgoing.on('close', () => inFlight--);
		const isTaken = inFlight <= takes;
		const parts: Buffer[] = [];
		incoming.on('data', (part: Buffer) => parts.push(part));
		incoming.on('end', () => {
			if (!isTaken) {
				seen.refused++;
				outgoing.writeHead(503).end();
			} else if (mishap?.kind === 'cutBefore') {
				outgoing.destroy();
			} else if (mishap?.kind === 'answer') {
				outgoing.writeHead(mishap.status, mishap.headers).end();
			} else {
				setTimeout(() => {
					pass(incoming, Buffer.concat(parts), outgoing, mishap);
				}, delay);
			}
		});
	});
	// Only mishaps that were asked for: left to itself, the server closes idle connections and says so in a header.
	server.keepAliveTimeout = 0;
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The proxy has no port');

	const stop = async () => {
		agent.destroy();
		server.closeAllConnections();
		await new Promise<void>((closed) =>
			server.close(() => {
				closed();
			}),
		);
	};
	return { url: `http://127.0.0.1:${address.port}`, seen, stop };
}
