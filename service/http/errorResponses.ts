import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { badRequest, diskFull, notFound, ServiceError } from '../rules/errors';
import { isDiskFull } from '../store/files/diskFull';

/** Sends the error body of service/README.md. */
function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
	const { status, message, details, headers } = error;
	const body = {
		status,
		error: STATUS_CODES[status] ?? 'Error',
		message,
		...(details === undefined ? {} : { details }),
	};
	return reply
		.code(status)
		.headers(headers)
		.header('Content-Type', 'application/json; charset=utf-8')
		.send(JSON.stringify(body));
}

/**
 * Maps errors of the HTTP layer. Unreadable bodies are client errors (400), whatever code Fastify
 * sets.
 */
function fromHttpLayer(error: FastifyError): ServiceError | undefined {
	const status = error.statusCode ?? 500;
	if (status === 413 || status === 408) return new ServiceError(status, error.message);
	return status >= 400 && status < 500 ? badRequest(error.message) : undefined;
}

/**
 * Responds to unknown addresses and failed requests with the error body.
 * @param onFault called for every internal error
 */
export function handleErrors(app: FastifyInstance, onFault: (error: unknown) => void): void {
	app.setNotFoundHandler((request, reply) =>
		sendError(reply, notFound(`${request.method} ${request.url.split('?', 1).join('')}`)),
	);
	app.setErrorHandler((error: FastifyError, request, reply) => {
		// Refused before the body was read: do not wait for the rest of it.
		if (!request.raw.complete) void reply.header('Connection', 'close');
		if (error instanceof ServiceError) return sendError(reply, error);
		const known = fromHttpLayer(error);
		if (known) return sendError(reply, known);
		onFault(error);
		if (isDiskFull(error)) return sendError(reply, diskFull());
		const message = `The service failed to handle ${request.method} ${request.routeOptions.url ?? ''}`;
		return sendError(reply, new ServiceError(500, message));
	});
}
