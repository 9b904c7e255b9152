import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../rules/errors';
import { LIMITS } from '../rules/limits';
import { Arrivals } from './arrivals';
import { networkOf } from './guesses';

/** Begins a request, or refuses it. */
type Begin = (refusal?: Error) => void;

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
	private readonly arrivals = new Arrivals();
	private readonly queues = new WeakMap<Socket, Begin[]>();

	/** Call before other hooks are added. */
	watch(app: FastifyInstance): void {
		app.addHook('onRequest', (request, reply, next) => {
			this.add(request, reply.raw, next);
		});
	}

	/** Number of unanswered requests of a connection. */
	unansweredOn(socket: Socket): number {
		return this.queues.get(socket)?.length ?? 0;
	}

	private add(
		{ raw: { socket }, headers, ip }: FastifyRequest,
		response: ServerResponse,
		begin: Begin,
	): void {
		const queue = this.queues.get(socket) ?? this.openQueue(socket);
		this.requests += 1;
		if (queue.length > LIMITS.pipelined) {
			// The refused one has not been reached, and each further one takes memory.
			socket.destroy();
			return;
		}
		const refusal = queue.length === LIMITS.pipelined ? tooMany() : undefined;
		this.unanswered += 1;
		queue.push(() => {
			response.once('close', () => {
				this.next(socket, queue);
			});
			this.arrivals.add(headers.authorization ?? headers.cookie ?? networkOf(ip), () => {
				begin(refusal);
			});
		});
		if (queue.length === 1) queue[0]?.();
	}

	private next(socket: Socket, queue: Begin[]): void {
		if (queue.shift() === undefined) return;
		this.unanswered -= 1;
		// One that arrives at an empty queue begins at once, and only then.
		if (queue.length === 0) return;
		// After `Connection: close`, nobody would learn what a request did.
		if (socket.writable) setImmediate(() => queue[0]?.());
	}

	private openQueue(socket: Socket): Begin[] {
		const queue: Begin[] = [];
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
