import type { FastifyInstance, FastifyRequest } from 'fastify';
import { destination, pino, stdTimeFunctions } from 'pino';
import type { Identity } from '../rules/access';

export interface AccessLog {
	/** Adds one line for each request to come. */
	watch(app: FastifyInstance, identityOf: (request: FastifyRequest) => Identity | undefined): void;
	/** Writes what is not written yet. */
	close(): void;
}

/**
 * One line of JSON for each request: its id, who sent it, what was answered after how many
 * milliseconds. Public links open a grid to whoever knows their address, and filters hold what
 * users look for: so the route stands for the path, and the query is left out.
 * @param path a file, or `-` for standard error
 */
export function openAccessLog(path: string): AccessLog {
	const file = destination({ dest: path === '-' ? 2 : path, sync: false, mkdir: true, mode: 0o600 });
	const log = pino({ base: null, timestamp: stdTimeFunctions.isoTime }, file);
	return {
		watch: (app, identityOf) => {
			app.addHook('onResponse', (request, reply, done) => {
				const { id: requestId, method, ip: address, routeOptions, params } = request;
				const { url: route = 'none' } = routeOptions;
				const identity = identityOf(request);
				log.info({
					requestId,
					method,
					route,
					...(route.startsWith('/api/users') ? { params } : {}),
					userId: identity?.userId ?? null,
					address,
					status: reply.raw.headersSent ? reply.statusCode : 0,
					ms: Math.round(reply.elapsedTime * 10) / 10,
				});
				done();
			});
		},
		close: () => {
			file.flushSync();
			file.end();
		},
	};
}
