import { Server } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections';

/** The port is closed after this time without a new connection … */
const QUIET_MS = 60;
/** … and at the latest after this time. */
const MAX_ACCEPTING_MS = 2000;
/** Time for which an idle connection is kept for a request in transit. */
const IDLE_MS = 250;
const CHECK_MS = 20;

/** Stops a service without aborting active requests. */
export class Draining {
	/** While the service stops: settles when its port is closed. */
	private portClosed: Promise<void> | undefined;

	/** @param app a service that does not listen yet */
	constructor(
		private readonly app: FastifyInstance,
		private readonly connections: Connections,
	) {
		app.addHook('onSend', async (_request, reply) => {
			if (!this.portClosed) return;
			// `Connection: close` makes clients reconnect, so the port must be closed first.
			await this.portClosed;
			void reply.header('Connection', 'close');
		});
	}

	/**
	 * Accepts pending connections and no more, completes their requests and closes each connection
	 * with its response.
	 * @param graceMs time after which active requests are aborted
	 */
	async finish(graceMs: number): Promise<void> {
		const end = performance.now() + graceMs;
		this.portClosed = this.closePort(Math.min(end, performance.now() + MAX_ACCEPTING_MS));
		await this.portClosed;
		await this.waitUntilQuiet(IDLE_MS, end, () => this.connections.unanswered === 0);
		this.app.server.closeAllConnections();
	}

	/** Closing a port resets pending connections, so it is closed when there are none. */
	private async closePort(end: number): Promise<void> {
		await this.waitUntilQuiet(QUIET_MS, end);
		// `close` of an HTTP server would also close idle connections, with requests in transit.
		Server.prototype.close.call(this.app.server);
	}

	/** Number of connections and requests so far. */
	private readonly arrivals = () => this.connections.precedence.accepted + this.connections.requests;

	/**
	 * Waits until nothing has arrived for a while. Returns in the turn of the event loop of the
	 * last check, so nothing can have arrived since.
	 */
	private async waitUntilQuiet(ms: number, end: number, isIdle = () => true): Promise<void> {
		// Counts checks, not time: a process without processor time does not see what arrives.
		for (let checks = 0; checks < ms / CHECK_MS && performance.now() < end; ) {
			const before = this.arrivals();
			await delay(CHECK_MS);
			// Between a timer and an immediate, the event loop accepts what has arrived.
			await turn();
			checks = this.arrivals() === before && isIdle() ? checks + 1 : 0;
		}
	}
}
