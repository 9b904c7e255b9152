import { Server } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** The port is closed when no connection has come in for this long … */
const QUIET_MS = 60;
/** … or after this time: clients that connect without end are not waited for. */
const MAX_ACCEPTING_MS = 2000;
/** An idle connection is kept this long, for a request that may be on its way already. */
const IDLE_MS = 250;
const CHECK_MS = 20;

/** Stops a service without cutting off the requests under way. */
export class Draining {
	/** Requests that are not answered yet. */
	private unanswered = 0;
	/** Connections and requests that have come in so far. */
	private arrivals = 0;
	/** Once the service stops: settles when its port is closed. */
	private portClosed: Promise<void> | undefined;

	/** Watches all requests of a service that does not listen yet. */
	constructor(private readonly app: FastifyInstance) {
		// The server's own events: hooks of Fastify run later, after those that check credentials.
		app.server.on('connection', () => {
			this.arrivals += 1;
		});
		app.server.on('request', (_request, response) => {
			this.arrivals += 1;
			this.unanswered += 1;
			response.once('close', () => {
				this.unanswered -= 1;
			});
		});
		app.addHook('onSend', async (_request, reply) => {
			if (!this.portClosed) return;
			// A client that gets its answer with `Connection: close`
			// connects again: not before the port is closed.
			await this.portClosed;
			void reply.header('Connection', 'close');
		});
	}

	/**
	 * Accepts the connections that clients have made, and no more. Answers every request that comes
	 * in on them, and closes each connection with its answer.
	 * @param graceMs time after which unanswered requests are cut off
	 */
	async finish(graceMs: number): Promise<void> {
		const end = performance.now() + graceMs;
		this.portClosed = this.closePort(Math.min(end, performance.now() + MAX_ACCEPTING_MS));
		await this.portClosed;
		await this.silence(IDLE_MS, end, () => this.unanswered === 0);
		this.app.server.closeAllConnections();
	}

	/**
	 * Connections that wait at a port are reset when it is closed, so it is closed when none waits.
	 */
	private async closePort(end: number): Promise<void> {
		await this.silence(QUIET_MS, end);
		// The method of HTTP servers would also close idle connections, with requests on their way.
		Server.prototype.close.call(this.app.server);
	}

	/**
	 * Waits until nothing has come in for a while. Returns in the turn of the event loop that
	 * looked last, so nothing can have come in since.
	 */
	private async silence(ms: number, end: number, isIdle = () => true): Promise<void> {
		// Counts looks, not time: a process that gets no processor time does not see what comes in.
		for (let looks = 0; looks < ms / CHECK_MS && performance.now() < end; ) {
			const before = this.arrivals;
			await delay(CHECK_MS);
			// Between a timer and an immediate the event loop takes what has come in.
			await turn();
			looks = this.arrivals === before && isIdle() ? looks + 1 : 0;
		}
	}
}
