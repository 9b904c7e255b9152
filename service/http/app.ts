import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Connections } from './connections';
import { decodeText } from './decode';
import type { AccessLog } from './accessLog';
import { badRequest, notFound, ServiceError } from '../rules/errors';
import { handleErrors, refuseConnection } from './errorResponses';
import { refuseForeignPages } from './foreignPages';
import { networkOf } from './guesses';
import { parseJson } from '../rules/jsonObject';
import { LIMITS } from '../rules/limits';
import { LinkGuard } from './linkGuard';
import { LinkTable } from './links';
import { Logins } from './logins';
import { isMultipart, MULTIPART, Uploads } from './multipart';
import { servePage } from './page';
import { HttpResponse, type Call, type Route } from './route';
import { isBySession, sessionOf } from './sessions';
import type { Store } from '../store/store';
import { isStorable } from '../rules/text';
import type { Caller } from '../rules/turns';
import { UnreadResponses, type StreamLimits } from './unread';

export interface HttpOptions {
	readonly store: Store;
	readonly routes: readonly Route[];
	/** Signs bearer tokens. */
	readonly signingKey: string;
	/** Maximum size of a body, in bytes. */
	readonly bodyLimit: number;
	/** Maximum time for a request to arrive, in milliseconds. */
	readonly requestTimeout: number;
	readonly streams: StreamLimits;
	/**
	 * Maximum requests per second of a key or token, or of an address without credentials;
	 * unlimited if undefined.
	 */
	readonly requestsPerSecond: number | undefined;
	/** Reverse proxies whose `X-Forwarded-For` is trusted. */
	readonly trustedProxies: readonly string[];
	/** Origins of web pages that may call the API (CORS); `*` allows all. */
	readonly origins: readonly string[];
	/** Address at which people open the service; undefined if it is that of the requests. */
	readonly publicUrl: string | undefined;
	/** Log of requests, if any. */
	readonly accessLog: AccessLog | undefined;
	/** Clock that throttles guessing, in milliseconds since 1970. */
	readonly now: () => number;
	/** Called for every internal error. */
	readonly onFault: (error: unknown) => void;
}

/** The server and its unanswered requests. */
export interface HttpService {
	readonly app: FastifyInstance;
	readonly connections: Connections;
}

/** Whether an Accept header requests version 2: `application/vnd.service.hal;version=2` (§9). */
export function asksForVersion2(accept: string | undefined): boolean {
	return (accept ?? '').split(',').some((part) => {
		const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
		return type === 'application/vnd.service.hal' && parameters.some((one) => /^version="?2"?$/.test(one));
	});
}

function send(reply: FastifyReply, result: unknown, onText: (text: string) => void): FastifyReply {
	if (result instanceof HttpResponse) {
		let { body } = result;
		if (reply.request.method === 'HEAD' && body instanceof Readable) {
			// Fastify would read it to its end.
			body.destroy();
			body = Readable.from([]);
		}
		if (typeof body === 'string') onText(body);
		return reply.code(result.status).headers(result.headers).send(body);
	}
	const text = JSON.stringify(result);
	onText(text);
	return reply.header('Content-Type', 'application/json; charset=utf-8').send(text);
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
	if (!Object.values(params).every(isStorable)) throw notFound('An ID that contains NUL was');
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

/**
 * Escapes the percent signs of a path that cannot be decoded, so that it names nothing. The router
 * would respond to it itself, before any hook.
 */
function decodable(target: string): string {
	const [path = ''] = target.split('?', 1);
	try {
		decodeURIComponent(path);
		return target;
	} catch {
		return path.replaceAll('%', '%25') + target.slice(path.length);
	}
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Response headers that web pages may read. */
const EXPOSED_HEADERS = ['Location', 'Retry-After', 'Service-Authorization', 'X-Request-Id'];

/** A browser or proxy would keep rows, and show them after the right to them was revoked. */
const PRIVATE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Time after which a connection without traffic is closed, in milliseconds. */
const connectionTimeoutOf = ({ requestTimeout }: HttpOptions): number => 2 * requestTimeout;

/** Interval at which Node ends overdue requests. */
const OVERDUE_CHECK_MS = 1000;
/** Time for which Node keeps a connection after a response. */
const KEEP_ALIVE_MS = 72_000;

/** Creates a server without routes. */
function createServer(options: HttpOptions, connections: Connections): FastifyInstance {
	return fastify({
		genReqId: () => randomUUID(),
		bodyLimit: options.bodyLimit,
		serverFactory: (handle) =>
			connections
				.createServer(
					{
						keepAliveTimeout: KEEP_ALIVE_MS,
						// Given at creation, it limits the headers too; Node exchanges two limits.
						requestTimeout: options.requestTimeout,
						connectionsCheckingInterval: Math.min(options.requestTimeout, OVERDUE_CHECK_MS),
						// 1,000 values of a filter fit, percent-encoded.
						maxHeaderSize: LIMITS.headerBytes,
					},
					handle,
				)
				// Disconnects clients that send nothing or stop reading the response.
				.setTimeout(connectionTimeoutOf(options)),
		clientErrorHandler: (error, socket) => {
			refuseConnection(error, socket, connections.unansweredOn(socket) > 0);
		},
		// Requests that arrive before the service stops get their response (see Draining).
		return503OnClosing: false,
		forceCloseConnections: true,
		// Longer than any path that Node accepts, so that the routes check the length of IDs.
		routerOptions: { maxParamLength: 100_000 },
		trustProxy: [...options.trustedProxies],
		rewriteUrl: ({ url = '/' }) => decodable(originForm(url)),
		schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
	});
}

/** Parses JSON bodies of any JSON media type. Multipart bodies are left to their routes. */
function parseBodies(app: FastifyInstance): void {
	app.addContentTypeParser(MULTIPART, (_request, _content, done) => {
		done(null);
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
}

async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
	if (origins.length === 0) return;
	await app.register(cors, {
		origin: origins.includes('*') ? '*' : [...origins],
		methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
		exposedHeaders: EXPOSED_HEADERS,
		maxAge: 600,
	});
}

async function limitRate(app: FastifyInstance, logins: Logins, max: number | undefined): Promise<void> {
	if (max === undefined) return;
	await app.register(rateLimit, {
		global: false,
		max,
		timeWindow: 1000,
		keyGenerator: (request) => logins.identityOf(request)?.loginId ?? networkOf(request.ip),
		errorResponseBuilder: () => new ServiceError(429, `More than ${max} requests in a second`),
	});
	// Before every check that refuses a request, because failed logins count as well.
	app.addHook('onRequest', app.rateLimit());
}

/** Creates the HTTP server for the routes. Hooks run in the order in which they are added. */
export async function createHttp(options: HttpOptions): Promise<HttpService> {
	const { store, routes, accessLog } = options;
	const connections = new Connections();
	store.slices.isPostponed = connections.precedence.watcher();
	const app = createServer(options, connections);
	const logins = new Logins(store, options.signingKey);
	parseBodies(app);
	// Before the plugins, which copy the handlers.
	handleErrors(app, options.onFault);
	connections.watch(app);
	accessLog?.watch(app, (request) => logins.identityOf(request));
	app.addHook('onRequest', async (request, reply) => {
		void reply.headers({ 'X-Request-Id': request.id, ...PRIVATE });
		await logins.identify(request);
	});
	await allowOrigins(app, options.origins);
	await limitRate(app, logins, options.requestsPerSecond);
	const own = options.publicUrl === undefined ? [] : [new URL(options.publicUrl).origin];
	refuseForeignPages(app, [...own, ...options.origins]);
	app.addHook('onRequest', (request, _reply, next) => {
		// Before the body is read or the path is checked: without credentials, everything below
		// /api/users is 401 (§5).
		if (request.url.startsWith('/api/users')) logins.require(request);
		next();
	});
	addRoutes(app, routes, logins, options);
	await servePage(app);
	return { app, connections };
}

function addRoutes(
	app: FastifyInstance,
	routes: readonly Route[],
	logins: Logins,
	options: HttpOptions,
): void {
	const { store } = options;
	const links = new LinkTable(routes);
	const linkGuard = new LinkGuard(options.now);
	const uploads = new Uploads();
	const unread = new UnreadResponses(options.streams);
	const callerOf = (request: ApiRequest, { raw }: FastifyReply): Caller => ({
		name: logins.identityOf(request)?.userId ?? networkOf(request.ip),
		isGone: () => raw.destroyed,
	});
	const callOf = (route: Route, request: ApiRequest, reply: FastifyReply, body?: unknown): Call => ({
		store,
		links,
		params: readParams(request.params),
		query: request.query,
		body,
		url: request.url,
		version2: asksForVersion2(request.headers.accept),
		headOnly: request.method === 'HEAD',
		authorization: request.headers.authorization,
		address: networkOf(request.ip),
		caller: callerOf(request, reply),
		reserve: (bytes) => unread.reserve(reply.raw, callerOf(request, reply), bytes),
		awaitRoom: (bytes) => unread.awaitRoom(reply.raw, callerOf(request, reply), bytes),
		linkGuard,
		session: sessionOf(request, {
			store,
			signingKey: options.signingKey,
			isSecure: request.protocol === 'https' || options.publicUrl?.startsWith('https:') === true,
		}),
		isBySession: isBySession(request),
		login: () => logins.require(request),
		authorizeAgain: async () => {
			await logins.identify(request);
			await route.authorize(callOf(route, request, reply));
		},
	});
	for (const route of routes) {
		app.route<{ Params: Record<string, string> }>({
			method: route.method,
			url: route.path,
			// Check the role before reading the body.
			onRequest: async (request, reply) => {
				if (hasBody(request)) await route.authorize(callOf(route, request, reply));
			},
			handler: async (request, reply) => {
				const respond = async (body: unknown) => {
					// The key may have been deleted while the body arrived.
					if (hasBody(request)) await logins.identify(request);
					const call = callOf(route, request, reply, body);
					const isRead = route.method === 'GET';
					if (!isRead) unread.requireRoom(call.caller);
					// A client that waits for its response is not idle.
					const { socket } = request.raw;
					socket.setTimeout(0);
					const result = await Promise.resolve(route.run(call)).finally(() =>
						socket.setTimeout(connectionTimeoutOf(options)),
					);
					return send(reply, result, (text) => {
						unread.add(reply.raw, call.caller, text, isRead);
					});
				};
				if (!isMultipart(request)) return await respond(request.body ?? undefined);
				if (!route.about.upload) throw badRequest('This address accepts JSON, not multipart/form-data');
				return await uploads.use(request, callerOf(request, reply).name, respond);
			},
		});
	}
}
