import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../rules/access';
import { isId } from '../store/ids';
import { LogFile } from './logFile';

export interface AccessLog {
	/** Logs each request from now on. */
	watch(app: FastifyInstance, identityOf: (request: FastifyRequest) => Identity | undefined): void;
	/** Writes pending lines if that is possible. */
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
 * filters contain what users search for. A response that breaks off has its reason as `error`.
 * @param path a file, or `-` for standard error
 * @param onFault called when writing begins to fail
 * @throws if the file cannot be opened
 */
export function openAccessLog(path: string, onFault: (error: unknown) => void): AccessLog {
	const file = new LogFile(path, onFault);
	return {
		watch: (app, identityOf) => {
			const reasons = new WeakMap<FastifyRequest, string>();
			const write = (request: FastifyRequest, reply: FastifyReply) => {
				const { id: requestId, method, ip: address, routeOptions, params } = request;
				const { url: route = 'none' } = routeOptions;
				const identity = identityOf(request);
				file.write({
					requestId,
					method,
					route,
					...(route.startsWith('/api/users') ? { params: idsIn(params) } : {}),
					userId: identity?.userId ?? null,
					address,
					status: reply.raw.headersSent ? reply.statusCode : 0,
					ms: Math.round(reply.elapsedTime * 10) / 10,
					...(reply.raw.writableFinished ? {} : { error: reasons.get(request) ?? 'The client disconnected' }),
				});
			};
			app.addHook('onRequest', (request, reply, next) => {
				// The hook onResponse does not run for a response that breaks off.
				reply.raw.once('close', () => {
					write(request, reply);
				});
				next();
			});
			app.addHook('onSend', (request, _reply, body, next) => {
				if (body instanceof Readable) body.once('error', (error) => reasons.set(request, error.message));
				next(null, body);
			});
		},
		close: async () => {
			await file.close();
		},
	};
}
