import { connect, Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** A connection on which nothing is under way is kept this long, for a request that may be on its way already. */
const IDLE_MS = 250;
/** Clients that connect without end are not waited for. */
const MAX_ACCEPTING_MS = 2000;
/** So often in a row no connection waits at the port: who had an answer just before may be about to connect. */
const QUIET_LOOKS = 3;
/** How often to look whether all is answered. */
const CHECK_MS = 20;

/** Ends a service without cutting off what is under way. */
export class Draining {
	private under = 0;
	/** Once the service stops: settles when its port is closed. */
	private closing: Promise<void> | undefined;

	/** Watches all requests of a service that is being made. */
	constructor(private readonly app: FastifyInstance) {
		app.addHook('onRequest', (_request, reply, done) => {
			this.under += 1;
			reply.raw.once('close', () => (this.under -= 1));
			done();
		});
		app.addHook('onSend', async (_request, reply) => {
			if (!this.closing) return;
			// Whoever has its answer connects again: before the port is closed, that would be one more connection to take.
			await this.closing;
			void reply.header('Connection', 'close');
		});
	}

	/**
	 * Takes the connections that clients have made already, and no more. Answers what is under way or was sent, and closes each
	 * connection with its answer.
	 * @param graceMs what is not answered by then is cut off
	 */
	async finish(graceMs: number): Promise<void> {
		const end = performance.now() + graceMs;
		this.closing = this.stopListening();
		await this.closing;
		let idleSince = performance.now();
		while (performance.now() < Math.min(end, idleSince + IDLE_MS)) {
			await delay(CHECK_MS);
			if (this.under > 0) idleSince = performance.now();
		}
		this.app.server.closeAllConnections();
	}

	/**
	 * Closes the port when no connection waits there: the system has accepted those, clients have sent requests on them, and closing
	 * the port would reset them.
	 */
	private async stopListening(): Promise<void> {
		const { server } = this.app;
		const end = performance.now() + MAX_ACCEPTING_MS;
		for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < end; ) {
			quiet = (await this.waiting()) === 0 ? quiet + 1 : 0;
			if (quiet < QUIET_LOOKS) await delay(CHECK_MS);
		}
		// Not the method of HTTP servers: that one closes idle connections at once, with the requests that are on their way.
		Server.prototype.close.call(server);
	}

	/** How many connections waited at the port. They are taken in order, so one made here is the last of them. */
	private waiting(): Promise<number> {
		const { server } = this.app;
		const listening = server.address();
		if (listening === null || typeof listening === 'string') return Promise.resolve(0);
		const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[listening.address] ?? listening.address;
		return new Promise((resolve) => {
			let before = 0;
			const last = connect(listening.port, host);
			const finish = () => {
				server.off('connection', count);
				last.destroy();
				resolve(before);
			};
			const count = (socket: Socket) => {
				if (socket.remotePort === last.localPort) finish();
				else before += 1;
			};
			server.on('connection', count);
			last.once('error', finish);
		});
	}
}
