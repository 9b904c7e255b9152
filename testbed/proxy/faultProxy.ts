import { EventEmitter, on } from 'node:events';
import {
	Agent,
	request as forward,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestServer, type TestServer } from '../testServer';

/** A request that the proxy has received. */
interface PassingRequest {
	method: string;
	/** Path and query. */
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
	/** Number of active requests of the proxy, including this one. */
	inFlight: number;
}

/** A response on its way to the client. */
export interface PassingResponse {
	method: string;
	/** Path and query as the service received them. */
	path: string;
	status: number;
	headers: IncomingHttpHeaders;
	body: string;
}

/** What the client gets instead; a body in another encoding than UTF-8 is bytes. */
type ChangedResponse = Partial<Pick<PassingResponse, 'status' | 'headers'> & { body: string | Uint8Array }>;

/** What happens to one request or its response. */
export type Fault =
	/** The request waits before it is passed on. */
	| { kind: 'latency'; milliseconds: number }
	/** The proxy responds; the service does not see the request. */
	| { kind: 'response'; status: number; headers?: Record<string, string>; body?: string }
	/** The client gets 504 at once, and the service the request later. */
	| { kind: 'late'; milliseconds: number }
	/** The connection is reset before the service sees the request. */
	| { kind: 'resetBefore' }
	/** The connection is reset after the service has carried out the request. */
	| { kind: 'resetAfter' }
	/** The connection closes in the middle of the response body. */
	| { kind: 'cutBody' }
	/** The response is complete, but its body is the first half of the JSON. */
	| { kind: 'halfBody' }
	/** The `Date` header is off by milliseconds; undefined: it is missing. */
	| { kind: 'date'; skew: number | undefined }
	/** The service gets another request, or the client another response. */
	| {
			kind: 'change';
			request?: Partial<Pick<PassingRequest, 'path' | 'headers' | 'body'>>;
			response?: (response: PassingResponse) => ChangedResponse;
	  };

/**
 * Decides what happens to a request. Faults of several rules add up; the first that responds or
 * resets the connection wins. `number` counts from 1 since the rules were set.
 */
export type Rule = (
	request: PassingRequest,
	number: number,
) => Fault | undefined | Promise<Fault | undefined>;

/** Refuses the first request of a method with 400. */
export function refuseFirst(refused: string): Rule {
	let isOver = false;
	return ({ method }) => {
		if (method !== refused || isOver) return undefined;
		isOver = true;
		return { kind: 'response', status: 400 };
	};
}

export interface FaultProxy extends TestServer {
	/** Replaces all rules, and empties the log of requests. */
	setRules(...rules: Rule[]): void;
	/** Resolves when the next request of a path arrives. */
	requested(matches?: (path: string) => boolean): Promise<void>;
	/** Resolves when the next response to a request of a path has been sent. */
	responded(matches?: (path: string) => boolean): Promise<void>;
}

type RawRequest = Pick<PassingRequest, 'method' | 'headers'> & { body: Buffer };
type RawResponse = Pick<PassingResponse, 'status' | 'headers'> & { body: Buffer };

/** Headers of one connection, or computed by Node. */
const OWN_HEADERS = new Set(['transfer-encoding', 'connection', 'content-length']);

function forwarded(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	return Object.fromEntries(
		Object.entries(headers).filter(([name, value]) => value !== undefined && !OWN_HEADERS.has(name)),
	);
}

/**
 * Starts a proxy in front of a service, on a free port of 127.0.0.1; its rules decide what goes
 * wrong.
 */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
	const agent = new Agent({ keepAlive: true });
	const events = new EventEmitter<{ request: [path: string]; response: [path: string] }>();
	let rules: readonly Rule[] = [];
	let number = 0;
	let inFlight = 0;
	const serve = async (
		{ method = 'GET', url: path = '/', headers }: IncomingMessage,
		outgoing: ServerResponse,
		content: string,
		bytes: Buffer,
	) => {
		events.emit('request', path);
		outgoing.once('finish', () => events.emit('response', path));
		const request = { method, path, headers, inFlight: ++inFlight, body: content };
		outgoing.on('close', () => inFlight--);
		const faults = await faultsOf(rules, request, ++number);
		if (refused(outgoing, faults)) return;
		const late = faults.find((fault) => fault.kind === 'late');
		if (late) {
			outgoing.writeHead(504).end();
			await delay(late.milliseconds);
		}
		const sent = faults.reduce(withRequestChange, request);
		const body = sent.body === content ? bytes : Buffer.from(sent.body);
		const response = await pass(new URL(sent.path, target), agent, { ...sent, body });
		if (!late) respond(outgoing, withResponseChanges(sent, response, faults), faults);
	};
	const server = await startTestServer((incoming, outgoing, content, bytes) => {
		serve(incoming, outgoing, content, bytes).catch(() => outgoing.destroy());
	});
	const next = async (event: 'request' | 'response', matches: (path: string) => boolean = () => true) => {
		for await (const [path] of on(events, event)) if (matches(String(path))) return;
	};
	return {
		...server,
		setRules: (...changed) => {
			rules = changed;
			number = 0;
			server.requests.length = 0;
		},
		requested: (matches) => next('request', matches),
		responded: (matches) => next('response', matches),
		stop: async () => {
			agent.destroy();
			await server.stop();
		},
	};
}

/** Faults of a request. Resolves after its latency. */
async function faultsOf(rules: readonly Rule[], request: PassingRequest, number: number): Promise<Fault[]> {
	const faults: Fault[] = [];
	for (const rule of rules) {
		const fault = await rule(request, number);
		if (fault) faults.push(fault);
	}
	for (const fault of faults) if (fault.kind === 'latency') await delay(fault.milliseconds);
	return faults;
}

/** Refuses a request with a fault that keeps it from the service. @returns whether there was one */
function refused(outgoing: ServerResponse, faults: readonly Fault[]): boolean {
	for (const fault of faults) {
		if (fault.kind === 'resetBefore') outgoing.destroy();
		else if (fault.kind === 'response') outgoing.writeHead(fault.status, fault.headers).end(fault.body ?? '');
		else continue;
		return true;
	}
	return false;
}

function withRequestChange(request: PassingRequest, fault: Fault): PassingRequest {
	return fault.kind === 'change' ? { ...request, ...fault.request } : request;
}

async function pass(url: URL, agent: Agent, { method, headers, body }: RawRequest): Promise<RawResponse> {
	const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
	const options = { method, headers: { ...forwarded(headers), ...length }, agent };
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		forward(url, options, resolve).on('error', reject).end(body);
	});
	return { status: response.statusCode ?? 502, headers: response.headers, body: await buffer(response) };
}

function withResponseChanges(
	{ method, path }: PassingRequest,
	raw: RawResponse,
	faults: readonly Fault[],
): RawResponse {
	let response = raw;
	for (const fault of faults) {
		if (fault.kind !== 'change' || !fault.response) continue;
		const text = response.body.toString();
		const { body = text, ...changed } = fault.response({ method, path, ...response, body: text });
		response = { ...response, ...changed, body: body === text ? response.body : Buffer.from(body) };
	}
	return response;
}

function respond(
	outgoing: ServerResponse,
	{ status, headers, body }: RawResponse,
	faults: readonly Fault[],
): void {
	const kinds = new Set(faults.map(({ kind }) => kind));
	if (kinds.has('resetAfter')) return void outgoing.destroy();
	const kept = forwarded(headers);
	for (const fault of faults) {
		if (fault.kind !== 'date') continue;
		outgoing.sendDate = false;
		if (fault.skew === undefined) delete kept.date;
		else kept.date = new Date(Date.now() + fault.skew).toUTCString();
	}
	const half = body.subarray(0, Math.floor(body.length / 2));
	if (kinds.has('cutBody')) {
		outgoing.writeHead(status, { ...kept, 'content-length': String(body.length) });
		outgoing.write(half, () => outgoing.destroy());
		return;
	}
	const sent = kinds.has('halfBody') ? half : body;
	outgoing.writeHead(status, { ...kept, 'content-length': String(sent.length) }).end(sent);
}
