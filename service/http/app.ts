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
import { badRequest, notFound, ServiceError } from '../rules/errors';
import { networkOf } from './guesses';
import { parseJson } from '../rules/jsonObject';
import { LinkGuard } from './linkGuard';
import { LinkTable } from './links';
import { multipartLimits, readParts } from './multipart';
import { servePage } from './page';
import { HttpResponse, type Call, type Route } from './route';
import type { Store } from '../store/store';
import { isStorable } from '../rules/text';

export interface HttpOptions {
	readonly store: Store;
	readonly routes: readonly Route[];
	/** Signs bearer tokens. */
	readonly signingKey: string;
	/** Largest body taken, in bytes. */
	readonly bodyLimit: number;
	/** How long a client may take to send a request, in milliseconds. */
	readonly requestTimeout: number;
	/**
	 * Requests a second of one key or token, or of one address without one, past which 429 is the
	 * answer; undefined for no limit.
	 */
	readonly requestsPerSecond: number | undefined;
	/**
	 * Reverse proxies whose `X-Forwarded-For` names the caller; from anybody else it says nothing.
	 */
	readonly trustedProxies: readonly string[];
	/** Web pages of these origins may call the API (CORS); `*` for all of them, none if empty. */
	readonly origins: readonly string[];
	/** Where each request leaves a line; undefined for nowhere. */
	readonly accessLog: AccessLog | undefined;
	/** The clock that slows down guessing, in milliseconds since 1970. */
	readonly now: () => number;
	/** Told of every failure that is the service's own fault. */
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

/** Every failure leaves the service in this one form (service/README.md: error body). */
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
 * What the HTTP layer itself refuses: bodies it cannot read are the client's fault, whatever its
 * own code says.
 */
function fromHttpLayer(error: FastifyError): ServiceError | undefined {
	const status = error.statusCode ?? 500;
	if (status === 413 || status === 408) return new ServiceError(status, error.message);
	return status >= 400 && status < 500 ? badRequest(error.message) : undefined;
}

/**
 * Stands in for the compilers of Fastify's own schemas, which take a third of the start-up time.
 * The routes read their input with zod and write their answers themselves.
 */
const noSchemas = (): never => {
	throw new Error('The routes of this service have no schemas of Fastify');
};

/**
 * Parameters of the path.
 * @throws ServiceError 404 for an id that the database would take for a shorter one
 */
function readParams(params: Record<string, string>): Record<string, string> {
	if (!Object.values(params).every(isStorable)) throw notFound('An id with the character NUL');
	return params;
}

type ApiRequest = FastifyRequest<{ Params: Record<string, string> }>;

/**
 * Path and query of a request target: its absolute form names a host of the client's choice (RFC
 * 9112, 3.2.2), a fragment nothing.
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

/** Who sent a request, or why nobody is known to have sent it. */
type Login = { readonly identity: Identity } | { readonly refusal: unknown };

/** What web pages may read of an answer beside its body. */
const EXPOSED_HEADERS = ['Location', 'Retry-After', 'X-Request-Id'];

/** Puts the routes behind HTTP. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
	const { store, routes, signingKey, onFault } = options;
	const links = new LinkTable(routes);
	const connectionTimeout = 2 * options.requestTimeout;
	const app = fastify({
		genReqId: () => randomUUID(),
		bodyLimit: options.bodyLimit,
		requestTimeout: options.requestTimeout,
		// Node looks for requests past their time this often.
		http: { connectionsCheckingInterval: Math.min(options.requestTimeout, 30_000) },
		// A client that connects and says nothing, or stops reading its answer, is dropped.
		connectionTimeout,
		// Whatever came in before the service stops is answered (see Draining).
		return503OnClosing: false,
		forceCloseConnections: true,
		// Longer than any path that Node lets in: an id of any length is judged by the routes.
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
				// Many clients name a content type also where they send no body.
				done(null, content.length === 0 ? undefined : parseJson(decodeText(content, 'body').text));
			} catch (error) {
				done(error instanceof Error ? error : new Error(String(error)));
			}
		},
	);

	// Ahead of the plugins: what is registered after them would not have it.
	app.setNotFoundHandler((request, reply) =>
		sendError(reply, notFound(`${request.method} ${request.url.split('?', 1).join('')}`)),
	);
	app.setErrorHandler((error: FastifyError, request, reply) => {
		// Refused before its body was read: the rest of the body is not waited for.
		if (!request.raw.complete) void reply.header('Connection', 'close');
		if (error instanceof ServiceError) return sendError(reply, error);
		const known = fromHttpLayer(error);
		if (known) return sendError(reply, known);
		onFault(error);
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
		// Ahead of everything that refuses a request: failed logins count as well.
		app.addHook('onRequest', app.rateLimit());
	}
	await app.register(multipart, { limits: multipartLimits });
	app.addHook('onRequest', (request, _reply, next) => {
		// Before a body is read or a path is judged: everything below /api/users answers 401 to a
		// stranger (§5).
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
			// Nobody makes the service read a body that it then refuses for want of a role.
			onRequest: async (request) => {
				if (hasBody(request)) await route.admit(callOf(request));
			},
			handler: async (request, reply) => {
				const body = await bodyOf(request, route);
				// A key may have been deleted while the body came in.
				if (hasBody(request)) await identify(request);
				const call = callOf(request, body);
				// A client that waits for its answer is not idle, however long the work takes.
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
