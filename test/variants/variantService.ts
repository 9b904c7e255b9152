import {
	createServer,
	request as send,
	Agent,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod/v4';
import { delayOf, refusalOf } from './aspects/availability';
import { movedFrom, movedTo } from './aspects/links';
import { wireOf } from './aspects/media';
import {
	endpointOf,
	jsonSchema,
	without,
	type Body,
	type Exchange,
	type VariantRequest,
	type VariantResponse,
} from './exchange';
import { stepsOf, type Variant } from './variant';

/**
 * What answers instead of the service, e.g. a page of
 * somebody in between; undefined lets the request pass.
 */
export type Interception = (
	request: VariantRequest,
) => VariantResponse | undefined | Promise<VariantResponse | undefined>;

const SHOWN_HEADERS = ['content-type', 'content-disposition', 'location', 'service-authorization'];
const headersSchema = z.record(z.string(), z.string());
const bytesSchema = z.instanceof(Uint8Array);

const NOT_THERE: VariantResponse = {
	status: 404,
	headers: { 'content-type': 'text/html' },
	body: { kind: 'text', text: '<h1>Nothing here</h1>' },
};

/**
 * The embedded service as another implementation of the specification would show it, on 127.0.0.1.
 */
export class VariantService {
	private readonly agent = new Agent({ keepAlive: true });
	private requests = 0;
	intercept: Interception = () => undefined;
	/** Requests that the embedded service was sent and that may change something, in its own form. */
	readonly written: VariantRequest[] = [];

	private constructor(
		private readonly server: Server,
		private readonly port: number,
		private readonly target: string,
		public variant: Variant,
		private readonly now: () => number,
	) {}

	/** @param target the embedded service's address @param now its clock */
	static async start(target: string, variant: Variant, now: () => number): Promise<VariantService> {
		const server = createServer();
		await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
		const { port } = z.object({ port: z.number() }).parse(server.address());
		const service = new VariantService(server, port, target, variant, now);
		server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
			service.serve(incoming, outgoing).catch((error: unknown) => {
				outgoing.writeHead(500, { 'content-type': 'text/plain' }).end(`The variant broke: ${String(error)}`);
			});
		});
		return service;
	}

	/** Where the service seems to be, without a slash at its end. */
	get root(): string {
		return `http://127.0.0.1:${this.port}${this.variant.base.prefix}`;
	}

	/** What a person enters as the base URL. An `/api` at its end is cut off, so it stands twice. */
	get baseUrl(): string {
		const { prefix, slash } = this.variant.base;
		return `${this.root}${prefix.endsWith('/api') ? '/api' : ''}${slash ? '/' : ''}`;
	}

	async stop(): Promise<void> {
		this.agent.destroy();
		this.server.closeAllConnections();
		await new Promise<void>((closed) =>
			this.server.close(() => {
				closed();
			}),
		);
	}

	private async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const bytes = await bytesOf(incoming);
		const { status, headers, data } = wireOf(await this.answer(incoming, bytes), this.variant.media);
		const named = { date: new Date(this.now()).toUTCString(), ...headers };
		outgoing.writeHead(status, named).end(data);
	}

	private async answer(incoming: IncomingMessage, bytes: Buffer): Promise<VariantResponse> {
		const arrived = this.received(incoming, bytes);
		if (!arrived) return NOT_THERE;
		const moved = movedTo(this.variant.links, this.variant.base, arrived);
		if (moved) return moved;
		const received = { ...arrived, path: movedFrom(arrived.path) };
		const known = await this.intercept(received);
		if (known) return known;
		const steps = stepsOf(this.variant);
		const { root: baseUrl } = this;
		const exchange: Exchange = { endpoint: undefined, baseUrl, document: arrived.path, now: this.now() };
		const requests: VariantRequest[] = [];
		let request = received;
		for (const step of steps) {
			requests.push(request);
			// Which endpoint it is shows as soon as the address is a documented one.
			exchange.endpoint = endpointOf(request.method, request.path);
			request = step.request?.(request, exchange) ?? request;
		}
		let response =
			refusalOf(this.variant.availability, request, ++this.requests) ??
			exchange.refusal ??
			(await this.pass(request));
		for (const [index, step] of [...steps.entries()].reverse())
			response = step.response?.(response, exchange, requests[index] ?? request) ?? response;
		return response;
	}

	/** The request below the base URL; undefined where it is elsewhere. */
	private received(
		{ url = '/', method = 'GET', headers }: IncomingMessage,
		bytes: Buffer,
	): VariantRequest | undefined {
		const { prefix } = this.variant.base;
		const [path = '', search = ''] = url.split('?', 2);
		if (!path.startsWith(`${prefix}/api/`)) return undefined;
		// Of several values of a parameter the first one counts.
		const query = new URLSearchParams();
		for (const [name, value] of new URLSearchParams(search)) if (!query.has(name)) query.set(name, value);
		const body = bodyOf(headers['content-type'] ?? '', bytes);
		return { method, path: path.slice(prefix.length), query, headers, body };
	}

	private async pass(request: VariantRequest): Promise<VariantResponse> {
		const { method, path, query, headers, body } = request;
		if (method !== 'GET') {
			const wait = delayOf(this.variant.availability, this.written.push(request));
			if (wait > 0) await delay(wait);
		}
		const search = query.toString();
		const kept = without<string | string[] | undefined>(
			headers,
			'host',
			'content-length',
			'transfer-encoding',
		);
		const data =
			body.kind === 'json' ? JSON.stringify(body.value) : body.kind === 'bytes' ? body.bytes : undefined;
		const answer = await new Promise<IncomingMessage>((answered, failed) => {
			const outward = send(
				`${this.target}${path}${search === '' ? '' : `?${search}`}`,
				{
					method,
					headers: { ...kept, 'content-length': data === undefined ? 0 : Buffer.byteLength(data) },
					agent: this.agent,
				},
				answered,
			);
			outward.on('error', failed).end(data);
		});
		const bytes = await bytesOf(answer);
		const shown = headersSchema.parse(
			Object.fromEntries(
				SHOWN_HEADERS.map((name) => [name, answer.headers[name]]).filter(([, value]) => value !== undefined),
			),
		);
		return {
			status: answer.statusCode ?? 502,
			headers: shown,
			body: bodyOf(shown['content-type'] ?? '', bytes),
		};
	}
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
	const parts: Buffer[] = [];
	for await (const part of stream) parts.push(Buffer.from(bytesSchema.parse(part)));
	return Buffer.concat(parts);
}

function bodyOf(type: string, bytes: Buffer): Body {
	if (bytes.length === 0) return { kind: 'none' };
	if (type.includes('json')) {
		try {
			return { kind: 'json', value: jsonSchema.parse(JSON.parse(bytes.toString())) };
		} catch {
			return { kind: 'bytes', bytes };
		}
	}
	return type.startsWith('text/plain') ? { kind: 'text', text: bytes.toString() } : { kind: 'bytes', bytes };
}
