import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { badRequest, diskFull, notFound, ServiceError } from '../rules/errors';
import { LIMITS } from '../rules/limits';
import { isByScript } from './foreignPages';
import { isDiskFull } from '../store/files/diskFull';

/** The error body of service/README.md. */
const errorBody = ({ status, message, details }: ServiceError): string =>
	JSON.stringify({
		status,
		error: STATUS_CODES[status] ?? 'Error',
		message,
		...(details === undefined ? {} : { details }),
	});

/** What Node's parser of HTTP refuses before there is a request. */
function fromParser(code: string | undefined): ServiceError {
	if (code === 'HPE_HEADER_OVERFLOW')
		return new ServiceError(431, `Address and headers have more than ${LIMITS.headerBytes} bytes`);
	if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ServiceError(408, 'The request did not arrive in time');
	return badRequest('This is not a request of HTTP/1.1');
}

/**
 * Responds to what is no request, and closes the connection.
 * @param isAnswering whether an earlier request of the connection has no complete response
 */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket, isAnswering: boolean): void {
	// Within a response, its receiver would take this one for a part of it.
	if (!socket.writable || (socket.bytesWritten > 0 && isAnswering)) {
		socket.destroy();
		return;
	}
	const refusal = fromParser(error.code);
	const body = errorBody(refusal);
	const head = [
		`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? 'Error'}`,
		'Content-Type: application/json; charset=utf-8',
		`Content-Length: ${Buffer.byteLength(body)}`,
		'Cache-Control: no-store',
		'X-Content-Type-Options: nosniff',
		'Connection: close',
	];
	socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
	socket.destroySoon();
}

/** Sends the error body of service/README.md. */
function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
	const { status } = error;
	const { 'WWW-Authenticate': challenge, ...headers } = error.headers;
	return reply
		.code(status)
		.headers({
			...headers,
			...(challenge === undefined || isByScript(reply.request) ? {} : { 'WWW-Authenticate': challenge }),
		})
		.header('Content-Type', 'application/json; charset=utf-8')
		.send(errorBody(error));
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
	app.addHook('onSend', (_request, _reply, body, next) => {
		// The status is sent by then; a ServiceError ends it because the caller lost the right to it.
		if (body instanceof Readable)
			body.once('error', (error) => {
				if (!(error instanceof ServiceError)) onFault(error);
			});
		next(null, body);
	});
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
