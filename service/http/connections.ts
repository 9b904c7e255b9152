import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerOptions,
	type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../rules/errors';
import { LIMITS } from '../rules/limits';
import { abandoned } from '../rules/turns';
import { Arrivals, Precedence } from './arrivals';
import { networkOf } from './guesses';

/**
 * Requests without a complete response, by connection. Those of one connection (HTTP pipelining)
 * are handled one after the other: a client that does not read costs the memory of one response,
 * and others have a turn before each.
 */
export class Connections {
	/** Number of unanswered requests of all connections. */
	unanswered = 0;
	/** Number of requests so far. */
	requests = 0;
	readonly precedence = new Precedence();
	private readonly arrivals = new Arrivals(this.precedence.watcher());
	private readonly queues = new WeakMap<Socket, Array<() => void>>();
	private readonly refused = new WeakSet<IncomingMessage>();

	/** Creates a server whose requests wait before they are handled, which costs most time. */
	createServer(options: ServerOptions, handle: RequestListener): Server {
		return createServer(options, (request, response) => {
			this.add(request, response, handle);
		}).on('connection', () => {
			this.precedence.accepted += 1;
		});
	}

	/** Call before other hooks are added. */
	watch(app: FastifyInstance): void {
		app.addHook('onRequest', ({ raw, headers, ip }, _reply, next) => {
			this.arrivals.add(headers.authorization ?? headers.cookie ?? networkOf(ip), () => {
				if (raw.socket.destroyed) next(abandoned());
				else next(this.refused.has(raw) ? tooMany() : undefined);
			});
		});
	}

	/** Number of unanswered requests of a connection. */
	unansweredOn(socket: Socket): number {
		return this.queues.get(socket)?.length ?? 0;
	}

	private add(request: IncomingMessage, response: ServerResponse, handle: RequestListener): void {
		const { socket } = request;
		const queue = this.queues.get(socket) ?? this.openQueue(socket);
		this.requests += 1;
		if (queue.length > LIMITS.pipelined) {
			// The refused one has not been reached, and each further one takes memory.
			socket.destroy();
			return;
		}
		if (queue.length === LIMITS.pipelined) this.refused.add(request);
		this.unanswered += 1;
		queue.push(() => {
			response.once('close', () => {
				this.next(socket, queue);
			});
			handle(request, response);
		});
		if (queue.length === 1) queue[0]?.();
	}

	private next(socket: Socket, queue: Array<() => void>): void {
		if (queue.shift() === undefined) return;
		this.unanswered -= 1;
		// One that arrives at an empty queue begins at once, and only then.
		if (queue.length === 0) return;
		// After `Connection: close`, nobody would learn what a request did.
		if (socket.writable) setImmediate(() => queue[0]?.());
	}

	private openQueue(socket: Socket): Array<() => void> {
		const queue: Array<() => void> = [];
		this.queues.set(socket, queue);
		socket.once('close', () => {
			// Node reports no end of responses that were not reached.
			this.unanswered -= queue.length;
			queue.length = 0;
		});
		return queue;
	}
}

const tooMany = () =>
	new ServiceError(
		503,
		`More than ${LIMITS.pipelined} requests of a connection wait for their responses`,
		undefined,
		{ 'Retry-After': '1', Connection: 'close' },
	);
