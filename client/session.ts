import { z } from 'zod/v4';
import {
	ConnectionFailed,
	CreatedUnlocated,
	ForeignOrigin,
	InvalidInput,
	messageIn,
	statusError,
	TooManyRedirects,
	UnreadableAnswer,
	type Facts,
} from './errors';
import { excerptOf, redact } from './redact';
import { expandHref, type Link, type Query } from './hal';
import { parseJson } from './json';
import { Limiter } from './limiter';
import { lastSegmentOf } from './paths';
import { repeat, retryPolicy, type RetryOptions } from './retry';
import type { Deliver, Method, Transport, TransportRequest, TransportResponse } from './transport';

/** §9: the representation that carries a grid's fields. */
const ACCEPT = 'application/vnd.service.hal;version=2';
const MAX_REDIRECTS = 5;
const EXCERPT_LENGTH = 120;
const methodSchema = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Of what the service says to an error, so many characters are kept; the same for the address that an error names. */
const LONGEST_WORDS = 1000;

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
	/** Takes the content as it arrives, where the transport can stream. */
	deliver?: Deliver;
	/** How this call is repeated, where it is to differ from the session's way; false: sent once. */
	retry?: RetryOptions;
	/** Given where a redirect leads to, in place of following it. */
	onRedirect?: (to: URL) => void;
	/** A POST or PATCH that may be carried out twice without harm. */
	repeatable?: boolean;
}

export interface SessionOptions {
	/** How calls are repeated, where it is to differ from `DEFAULT_RETRY`; false: each is sent once. */
	retry?: RetryOptions;
	/** How many requests may be on their way at a time at most; 64 where it is left out. */
	ceiling?: number;
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
	/** What all requests of this session go through; bulk work is run by it (`limiter.run`). */
	readonly limiter: Limiter;
	private readonly base: URL;

	/** @throws InvalidInput where `baseUrl` is not an http(s) address, or holds a user name or password. */
	constructor(
		readonly transport: Transport,
		baseUrl: string,
		private readonly options: SessionOptions = {},
	) {
		this.base = parseBaseUrl(baseUrl);
		this.limiter = new Limiter(transport, options.ceiling);
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
		const method = methodSchema.safeParse(link.method?.toUpperCase());
		return { ...rest, href: link.href, method: method.success ? method.data : fallback };
	}

	/**
	 * Sends one call, as soon as the limiter lets it and as often as its retry policy allows, and follows redirects by hand,
	 * on the base URL's origin only.
	 * @throws StatusError for a status of 300 and above, ConnectionFailed, OutcomeUnknown, ForeignOrigin, TooManyRedirects
	 */
	async send(call: Call): Promise<Answer> {
		const idempotent = call.repeatable ?? ['GET', 'PUT', 'DELETE'].includes(call.method);
		return await repeat(() => this.attempt(call), {
			policy: retryPolicy(this.options.retry, call.retry),
			clock: this.transport,
			limiter: this.limiter,
			idempotent,
			...(call.method === 'DELETE' ? { whenGone: deleted } : {}),
		});
	}

	/**
	 * Sends a reading call and stops where it redirects to, which is on the base URL's origin. Without a redirect there is no `href`.
	 * @throws what `send` throws
	 */
	async locate(call: Call & { method: 'GET' }): Promise<{ href?: URL; answer: Answer }> {
		let href: URL | undefined;
		const answer = await this.send({
			...call,
			onRedirect: (to) => {
				href = to;
			},
		});
		return { ...(href ? { href } : {}), answer };
	}

	private async attempt(call: Call): Promise<Answer> {
		let url = this.resolve(call.href, call.query);
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			const facts = { method: call.method, path: redact(url.pathname + url.search).slice(0, LONGEST_WORDS) };
			const request = { method: call.method, url: url.href, headers: this.headersOf(call), ...bodyOf(call) };
			const expected = { expect: call.expect ?? 'text', ...(call.deliver ? { deliver: call.deliver } : {}) };
			const response = await this.transfer({ ...request, ...expected }, facts);
			const location = redirectOf(call.method, response);
			if (location === undefined) return judge(response, facts);
			url = this.resolve(/^(\/|[a-z][a-z\d+.-]*:)/i.test(location) ? location : new URL(location, url).href);
			if (call.onRedirect) {
				call.onRedirect(url);
				return { ...response, facts: { ...facts, status: response.status } };
			}
		}
		throw new TooManyRedirects({ method: call.method, path: redact(url.pathname).slice(0, LONGEST_WORDS) });
	}

	/** A transport knows how a connection ended; which request it was for is known here. */
	private async transfer(request: TransportRequest, facts: Facts): Promise<TransportResponse> {
		return await this.transport.send(request).catch((error: unknown) => {
			const named =
				error instanceof ConnectionFailed
					? new ConnectionFailed(error.code, error.reached, { ...facts, ...error.facts })
					: error;
			return Promise.reject(named);
		});
	}

	/** Sends a call and parses its JSON body with a schema. @throws UnreadableAnswer, and what `send` throws */
	async read<Schema extends z.ZodType>(schema: Schema, call: Call): Promise<z.infer<Schema>> {
		return parseAnswer(schema, await this.send(call));
	}

	/** Sends a creating POST and reads its `Location` (§4). @throws CreatedUnlocated where that leads nowhere, and what `send` throws */
	async create(call: Call): Promise<Created> {
		const { headers, body, facts } = await this.send(call);
		const href = headers.location ?? /^Created\s+(\S+)/.exec(textOf(body))?.[1];
		if (!href)
			throw new CreatedUnlocated(
				`there is no Location header, and the body is ${beginningOf(body) || 'empty'}`,
				facts,
			);
		const located = this.located(href);
		if (located instanceof Error) throw new CreatedUnlocated(located.message, facts);
		return located;
	}

	/** Where an href leads to, or why it cannot be told: of what is created already, a throw would hide that it is. */
	located(href: string): Created | Error {
		try {
			const url = this.resolve(href);
			return { href: url.pathname + url.search, id: lastSegmentOf(url.pathname) };
		} catch (error) {
			return error instanceof Error ? error : new Error(String(error));
		}
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

/** What §4.5 answers to a DELETE, for one whose own answer was lost. */
function deleted(facts: Facts): Answer {
	return { status: 200, headers: {}, body: '"deleted"', facts: { ...facts, status: 200 } };
}

function judge(response: TransportResponse, sent: Facts): Answer {
	const facts = { ...sent, status: response.status };
	if (response.status >= 200 && response.status < 300) return { ...response, facts };
	const body = parseJson(textOf(response.body));
	const value = 'value' in body ? body.value : undefined;
	const words = messageIn(value);
	const details = z.looseObject({ details: z.unknown() }).safeParse(value).data?.details;
	throw statusError(
		{
			...facts,
			...(words === undefined
				? {}
				: { serviceMessage: redact(words.slice(0, 2 * LONGEST_WORDS)).slice(0, LONGEST_WORDS) }),
			...(details === undefined ? {} : { details }),
		},
		response.headers,
	);
}

/** @throws UnreadableAnswer where the body is not JSON or not of the schema's shape */
export function parseAnswer<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.infer<Schema> {
	const body = parseJson(textOf(answer.body));
	if ('problem' in body)
		throw new UnreadableAnswer(
			`The service answered with ${body.problem}`,
			answer.facts,
			beginningOf(answer.body),
		);
	const parsed = schema.safeParse(body.value);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	const where = issue?.path.join('.') || 'the body';
	throw new UnreadableAnswer(
		`The service's answer does not have the specified shape (${where}: ${issue?.message ?? 'invalid'})`,
		answer.facts,
		beginningOf(answer.body),
	);
}

/** The body as text; a binary body is decoded as UTF-8. */
export function textOf(body: string | Uint8Array): string {
	return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

function beginningOf(body: string | Uint8Array): string {
	return excerptOf(textOf(body), EXCERPT_LENGTH);
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
