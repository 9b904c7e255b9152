import { z } from 'zod/v4';
import {
	ForeignOrigin,
	InvalidInput,
	messageIn,
	redact,
	statusError,
	TooManyRedirects,
	UnreadableAnswer,
	type Facts,
} from './errors';
import { expandHref, type Link, type Query } from './hal';
import type { Method, Transport, TransportResponse } from './transport';

/** §9: the representation that carries a grid's fields. */
const ACCEPT = 'application/vnd.service.hal;version=2';
const MAX_REDIRECTS = 5;
const EXCERPT_LENGTH = 120;

/** One request in the service's own terms: an href as a link gives it, a query, a body. */
export interface Call {
	method: Method;
	/** Relative to the base URL, absolute on its origin, or a URI template. */
	href: string;
	query?: Query;
	/** Sent as JSON. */
	body?: unknown;
	/** Sent as it is, in place of `body`. */
	content?: { type: string; data: string | Uint8Array };
	accept?: string;
	expect?: 'text' | 'binary';
}

/** An answer with a status below 300. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string | Uint8Array;
	facts: Facts & { status: number };
}

/** Where a creating POST put the new resource (§4: `Location`). `id` is the last segment of its path. */
export interface Created {
	href: string;
	id: string;
}

/** Sends calls to one service: resolves hrefs, keeps credentials at their origin, turns statuses into errors, parses bodies. */
export class Session {
	private readonly base: URL;

	/** @throws InvalidInput where `baseUrl` is not an http(s) address, or holds a user name or password. */
	constructor(
		readonly transport: Transport,
		baseUrl: string,
	) {
		this.base = parseBaseUrl(baseUrl);
	}

	/**
	 * The absolute URL of an href. A path is below the base URL's own path, whether the service knows of that prefix or not.
	 * @throws ForeignOrigin where it leads to another scheme, host or port.
	 */
	resolve(href: string, query?: Query): URL {
		const expanded = expandHref(href, query);
		const prefix = this.base.pathname;
		const rooted = expanded.startsWith('/') && !expanded.startsWith('//');
		const below = rooted && !expanded.startsWith(prefix) ? `${prefix}${expanded.slice(1)}` : expanded;
		if (!URL.canParse(below, this.base.href))
			throw new InvalidInput(`"${href}" is not an address`, 'Choose the resource from the list.');
		const url = new URL(below, this.base);
		if (url.origin !== this.base.origin) throw new ForeignOrigin(url.origin, this.base.origin);
		url.username = '';
		url.password = '';
		url.hash = '';
		return url;
	}

	/** Follows a link with its own method; `get` where it names none (§2.1). */
	static callOf(link: Link, rest: Omit<Call, 'method' | 'href'> = {}, fallback: Method = 'GET'): Call {
		const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).safeParse(link.method?.toUpperCase());
		return { ...rest, href: link.href, method: method.success ? method.data : fallback };
	}

	/**
	 * Sends one call and follows redirects by hand, on the base URL's origin only.
	 * @throws StatusError for a status of 300 and above, ConnectionFailed, ForeignOrigin, TooManyRedirects
	 */
	async send(call: Call): Promise<Answer> {
		let url = this.resolve(call.href, call.query);
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			const facts = { method: call.method, path: redact(url.pathname + url.search) };
			const response = await this.transport.send({
				method: call.method,
				url: url.href,
				headers: this.headersOf(call),
				...bodyOf(call),
				expect: call.expect ?? 'text',
			});
			const location = redirectOf(call.method, response);
			if (location === undefined) return judge(response, facts);
			url = this.resolve(/^(\/|[a-z][a-z\d+.-]*:)/i.test(location) ? location : new URL(location, url).href);
		}
		throw new TooManyRedirects({ method: call.method, path: redact(url.pathname) });
	}

	/** Sends a call and parses its JSON body with a schema. @throws UnreadableAnswer, and what `send` throws */
	async read<Schema extends z.ZodType>(schema: Schema, call: Call): Promise<z.infer<Schema>> {
		return parseAnswer(schema, await this.send(call));
	}

	/** Sends a creating POST and reads its `Location` (§4). @throws UnreadableAnswer where there is none, and what `send` throws */
	async create(call: Call): Promise<Created> {
		const answer = await this.send(call);
		const href = answer.headers.location ?? /^Created\s+(\S+)/.exec(textOf(answer.body))?.[1];
		if (!href)
			throw new UnreadableAnswer(
				'The service said that it created the resource, but not where',
				answer.facts,
				excerptOf(answer.body),
			);
		const url = this.resolve(href);
		const last = url.pathname.split('/').filter(Boolean).at(-1) ?? '';
		return { href: url.pathname + url.search, id: decodeURIComponent(last) };
	}

	private headersOf(call: Call): Record<string, string> {
		const headers: Record<string, string> = { accept: call.accept ?? ACCEPT };
		if (call.content) headers['content-type'] = call.content.type;
		else if (call.body !== undefined) headers['content-type'] = 'application/json';
		return headers;
	}
}

function bodyOf(call: Call): { body?: string | Uint8Array } {
	if (call.content) return { body: call.content.data };
	return call.body === undefined ? {} : { body: JSON.stringify(call.body) };
}

/** Where to go next, if anywhere. A write is only sent again where the status says that it was not carried out (307, 308). */
function redirectOf(method: Method, response: TransportResponse): string | undefined {
	const location = response.headers.location;
	if (!location) return undefined;
	if (response.status === 307 || response.status === 308) return location;
	return method === 'GET' && [301, 302, 303].includes(response.status) ? location : undefined;
}

function judge(response: TransportResponse, sent: Facts): Answer {
	const facts = { ...sent, status: response.status };
	if (response.status >= 200 && response.status < 300) return { ...response, facts };
	const body = parseJson(textOf(response.body));
	const words = body.readable ? messageIn(body.value) : undefined;
	const details = body.readable
		? z.looseObject({ details: z.unknown() }).safeParse(body.value).data?.details
		: undefined;
	throw statusError(
		{
			...facts,
			...(words === undefined ? {} : { serviceMessage: redact(words).slice(0, 1000) }),
			...(details === undefined ? {} : { details }),
		},
		response.headers,
	);
}

/** @throws UnreadableAnswer where the body is not JSON or not of the schema's shape */
export function parseAnswer<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.infer<Schema> {
	const body = parseJson(textOf(answer.body));
	if (!body.readable)
		throw new UnreadableAnswer(
			'The service answered with something that is not JSON',
			answer.facts,
			excerptOf(answer.body),
		);
	const parsed = schema.safeParse(body.value);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	const where = issue?.path.join('.') || 'the body';
	throw new UnreadableAnswer(
		`The service's answer does not have the specified shape (${where}: ${issue?.message ?? 'invalid'})`,
		answer.facts,
		excerptOf(answer.body),
	);
}

function parseJson(text: string): { readable: true; value: unknown } | { readable: false } {
	try {
		const value: unknown = JSON.parse(text);
		return { readable: true, value };
	} catch {
		return { readable: false };
	}
}

/** The body as text; a binary body is decoded as UTF-8. */
export function textOf(body: string | Uint8Array): string {
	return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

function excerptOf(body: string | Uint8Array): string {
	return redact(textOf(body).slice(0, EXCERPT_LENGTH).replace(/\s+/g, ' ').trim());
}

function parseBaseUrl(text: string): URL {
	const fix = 'Enter the base URL in the credential, e.g. https://grids.example.com';
	const trimmed = text.trim();
	if (!URL.canParse(trimmed))
		throw new InvalidInput('The base URL of the credential is not a web address', fix);
	const url = new URL(trimmed);
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw new InvalidInput(
			`The base URL of the credential starts with ${url.protocol}, not with https:`,
			fix,
		);
	if (url.username || url.password)
		throw new InvalidInput(
			'The base URL of the credential holds a user name or password',
			'Remove them from the base URL and enter key and secret in their own inputs.',
		);
	// People copy the address with the /api that every path of the service begins with.
	url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}/`;
	url.search = '';
	url.hash = '';
	return url;
}
