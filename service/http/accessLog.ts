import { once } from 'node:events';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { destination, pino, stdTimeFunctions } from 'pino';
import type { Identity } from '../rules/access';
import { isId } from '../store/ids';

export interface AccessLog {
	/** Logs each request from now on. */
	watch(app: FastifyInstance, identityOf: (request: FastifyRequest) => Identity | undefined): void;
	/** Writes pending lines; settles once all are in the file. */
	close(): Promise<void>;
}

/** Path parameters without texts that are no IDs: someone may enter a secret instead of one. */
const idsIn = (params: unknown): Record<string, string> =>
	Object.fromEntries(
		Object.entries(params ?? {}).map(([name, value]) => [
			name,
			isId(String(value)) ? String(value) : 'no ID',
		]),
	);

/**
 * Writes one line of JSON per request: ID, caller, status and duration in milliseconds. Logs the
 * route instead of the path and omits the query, because addresses of public links are secrets and
 * filters contain what users search for.
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
					...(route.startsWith('/api/users') ? { params: idsIn(params) } : {}),
					userId: identity?.userId ?? null,
					address,
					status: reply.raw.headersSent ? reply.statusCode : 0,
					ms: Math.round(reply.elapsedTime * 10) / 10,
				});
				done();
			});
		},
		close: async () => {
			// A flush would not wait for the line that another thread is writing.
			const closed = once(file, 'close');
			file.end();
			await closed;
		},
	};
}
