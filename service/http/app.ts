import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import cors from '@fastify/cors';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';
import { decodeText } from './decode';
import type { Identity } from '../rules/access';
import type { AccessLog } from './accessLog';
import { authenticate } from './authenticate';
import { badRequest, diskFull, notFound, ServiceError } from '../rules/errors';
import { networkOf } from './guesses';
import { parseJson } from '../rules/jsonObject';
import { LinkGuard } from './linkGuard';
import { LinkTable } from './links';
import { multipartLimits, readParts } from './multipart';
import { servePage } from './page';
import { HttpResponse, type Call, type Route } from './route';
import { isDiskFull } from '../store/files/diskFull';
import type { Store } from '../store/store';
import { isStorable } from '../rules/text';

export interface HttpOptions {
	readonly store: Store;
	readonly routes: readonly Route[];
	/** Signs bearer tokens. */
	readonly signingKey: string;
	/** Maximum size of a body, in bytes. */
	readonly bodyLimit: number;
	/** Maximum time for a request to arrive, in milliseconds. */
	readonly requestTimeout: number;
	/**
	 * Maximum requests per second of a key or token, or of an address without credentials;
	 * unlimited if undefined.
	 */
	readonly requestsPerSecond: number | undefined;
	/** Reverse proxies whose `X-Forwarded-For` is trusted. */
	readonly trustedProxies: readonly string[];
	/** Origins of web pages that may call the API (CORS); `*` allows all. */
	readonly origins: readonly string[];
	/** Log of requests, if any. */
	readonly accessLog: AccessLog | undefined;
	/** Clock that throttles guessing, in milliseconds since 1970. */
	readonly now: () => number;
	/** Called for every internal error. */
	readonly onFault: (error: unknown) => void;
}

/** Whether an Accept header asks for version 2: `application/vnd.service.hal;version=2` (§9). */
export function asksForVersion2(accept: string | undefined): boolean {
	return (accept ?? '').split(',').some((part) => {
		const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
		return type === 'application/vnd.service.hal' && parameters.some((one) => /^version="?2"?$/.test(one));
	});
}

function send(reply: FastifyReply, result: unknown): FastifyReply {
	if (result instanceof HttpResponse)
		return reply.code(result.status).headers(result.headers).send(result.body);
	return reply.header('Content-Type', 'application/json; charset=utf-8').send(JSON.stringify(result));
}

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
 * Maps errors of the HTTP layer. Unreadable bodies are the client's fault, whatever Fastify's own
 * code is.
 */
function fromHttpLayer(error: FastifyError): ServiceError | undefined {
	const status = error.statusCode ?? 500;
	if (status === 413 || status === 408) return new ServiceError(status, error.message);
	return status >= 400 && status < 500 ? badRequest(error.message) : undefined;
}

/**
 * Replaces Fastify's schema compilers, which take a third of the start-up time. The routes parse
 * input with zod and serialize responses themselves.
 */
const noSchemas = (): never => {
	throw new Error('The routes of this service have no Fastify schemas');
};

/**
 * Parameters of the path.
 * @throws ServiceError 404 for an ID with NUL, which the database would truncate
 */
function readParams(params: Record<string, string>): Record<string, string> {
	if (!Object.values(params).every(isStorable)) throw notFound('An id with the character NUL');
	return params;
}

type ApiRequest = FastifyRequest<{ Params: Record<string, string> }>;

/**
 * Path and query of a request target, without the host of its absolute form (RFC 9112, 3.2.2) and
 * without a fragment.
 */
const originForm = (target: string): string =>
	target
		.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
		.replace(/#.*$/s, '')
		.replace(/^(?!\/)/, '/');

const hasBody = ({ headers }: FastifyRequest): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

async function bodyOf(request: FastifyRequest, route: Route): Promise<unknown> {
	if (!request.isMultipart()) return request.body ?? undefined;
	if (!route.about.upload) throw badRequest('This address takes JSON, not multipart/form-data');
	return await readParts(request);
}

/** Identity of the caller, or the reason why there is none. */
type Login = { readonly identity: Identity } | { readonly refusal: unknown };

/** Response headers that web pages may read. */
const EXPOSED_HEADERS = ['Location', 'Retry-After', 'X-Request-Id'];

/** Creates the HTTP server for the routes. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
	const { store, routes, signingKey, onFault } = options;
	const links = new LinkTable(routes);
	const connectionTimeout = 2 * options.requestTimeout;
	const app = fastify({
		genReqId: () => randomUUID(),
		bodyLimit: options.bodyLimit,
		requestTimeout: options.requestTimeout,
		// Interval at which Node checks for overdue requests.
		http: { connectionsCheckingInterval: Math.min(options.requestTimeout, 30_000) },
		// Disconnects clients that send nothing or stop reading the response.
		connectionTimeout,
		// Requests that arrive before the service stops are answered (see Draining).
		return503OnClosing: false,
		forceCloseConnections: true,
		// Longer than any path that Node accepts, so that the routes check the length of IDs.
		routerOptions: { maxParamLength: 100_000 },
		trustProxy: [...options.trustedProxies],
		rewriteUrl: ({ url = '/' }) => originForm(url),
		schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
	});
	app.removeContentTypeParser('application/json');
	app.addContentTypeParser<Buffer>(
		/^application\/([\w.-]+\+)?(json|vnd\.service\.hal)(?![\w.+-])/,
		{ parseAs: 'buffer' },
		(_request, content, done) => {
			try {
				// Many clients send a content type without a body.
				done(null, content.length === 0 ? undefined : parseJson(decodeText(content, 'body').text));
			} catch (error) {
				done(error instanceof Error ? error : new Error(String(error)));
			}
		},
	);

	// Before the plugins, which copy it.
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
		return sendError(
			reply,
			new ServiceError(
				500,
				`The service failed to handle ${request.method} ${request.routeOptions.url ?? ''}`,
			),
		);
	});

	const logins = new WeakMap<FastifyRequest, Login>();
	const login = (request: FastifyRequest): Identity => {
		const known = logins.get(request);
		if (known && 'identity' in known) return known.identity;
		throw known?.refusal;
	};
	const identityOf = (request: FastifyRequest): Identity | undefined => {
		const known = logins.get(request);
		return known && 'identity' in known ? known.identity : undefined;
	};
	options.accessLog?.watch(app, identityOf);
	const identify = async (request: FastifyRequest): Promise<void> => {
		const known = await authenticate(store, signingKey, request.headers.authorization).then(
			(identity) => ({ identity }),
			(refusal: unknown) => ({ refusal }),
		);
		logins.set(request, known);
	};
	app.addHook('onRequest', async (request, reply) => {
		void reply.header('X-Request-Id', request.id);
		await identify(request);
	});
	if (options.origins.length > 0) {
		await app.register(cors, {
			origin: options.origins.includes('*') ? '*' : [...options.origins],
			methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
			exposedHeaders: EXPOSED_HEADERS,
			maxAge: 600,
		});
	}
	if (options.requestsPerSecond !== undefined) {
		await app.register(rateLimit, {
			global: false,
			max: options.requestsPerSecond,
			timeWindow: 1000,
			keyGenerator: (request) => identityOf(request)?.loginId ?? networkOf(request.ip),
			errorResponseBuilder: (_request, { max }) =>
				new ServiceError(429, `More than ${max} requests in a second`),
		});
		// Before every check that refuses a request, because failed logins count as well.
		app.addHook('onRequest', app.rateLimit());
	}
	await app.register(multipart, { limits: multipartLimits });
	app.addHook('onRequest', (request, _reply, next) => {
		// Before the body is read or the path is checked: without credentials, everything below
		// /api/users is 401 (§5).
		if (request.url.startsWith('/api/users')) login(request);
		next();
	});

	const linkGuard = new LinkGuard(options.now);
	const callOf = (request: ApiRequest, body?: unknown): Call => ({
		store,
		links,
		params: readParams(request.params),
		query: request.query,
		body,
		url: request.url,
		version2: asksForVersion2(request.headers.accept),
		authorization: request.headers.authorization,
		address: networkOf(request.ip),
		linkGuard,
		login: () => login(request),
	});

	for (const route of routes) {
		app.route<{ Params: Record<string, string> }>({
			method: route.method,
			url: route.path,
			// Check the role before reading the body.
			onRequest: async (request) => {
				if (hasBody(request)) await route.admit(callOf(request));
			},
			handler: async (request, reply) => {
				const body = await bodyOf(request, route);
				// The key may have been deleted while the body arrived.
				if (hasBody(request)) await identify(request);
				const call = callOf(request, body);
				// A client that waits for its response is not idle.
				const { socket } = request.raw;
				socket.setTimeout(0);
				const result = await store
					.serve(() => route.run(call))
					.finally(() => socket.setTimeout(connectionTimeout));
				return send(reply, result);
			},
		});
	}
	await servePage(app);
	return app;
}
