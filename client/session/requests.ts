import { z } from 'zod/v4';
import { BaseUrl } from '../http/baseUrl';
import { bodyOf, expectedOf, type Call } from './call';
import { created, type Created } from './created';
import { ConnectionFailed, TooManyRedirects, type Facts } from '../errors';
import { mayBeFromOtherServer } from '../errors/failures';
import { expandHref, type Link } from '../hal/links';
import { Limiter, outcomeOf } from '../http/limiter';
import type { ResourceType } from '../endpoints/endpoints';
import { redact, truncated } from '../http/redaction';
import {
	checkResponse,
	checkStatus,
	responseFrom,
	parseResponse,
	type ServiceResponse,
	type Source,
} from './responses';
import { repeat, retryPolicy, type RetryOptions, type RetryPolicy } from '../http/retry';
import type { Redact } from '../http/secrets';
import { ACCEPTED, namesResult, resultOf } from './writeResult';
import type { Method, Transport, TransportRequest, TransportResponse } from '../http/transport';

/** §9: the representation that contains the fields of a grid. */
const ACCEPT = 'application/vnd.service.hal;version=2';
/** §4: the response to a creation is text/plain. All writes accept it; no version depends on it. */
const ACCEPT_ANY = `${ACCEPT}, application/json;q=0.9, text/plain;q=0.8, */*;q=0.1`;
const MAX_REDIRECTS = 5;
const methodSchema = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Maximum length of the address in an error, in characters. */
const MAX_PATH_LENGTH = 1000;

export interface SessionOptions {
	/** Overrides `DEFAULT_RETRY`; false: each call is sent once. */
	retry?: RetryOptions;
	/** Maximum number of concurrent requests; 64 if omitted. */
	ceiling?: number;
	/** Whether all such clients of the service share one limit of concurrent requests. */
	sharesBudget?: boolean;
	/** Removes secrets from texts of the service; see `redactorOf`. */
	redact?: Redact;
	/** Whether the base URL is certain, even if it ends with `/api`. */
	isExactBase?: boolean;
	/** Called after a write that is only accepted (202), unless the call checks that itself. */
	onAccepted?: () => void;
}

/**
 * Sends calls to one service: resolves hrefs, keeps credentials on their origin, converts statuses
 * to errors, parses bodies.
 */
export class Requests {
	/** Limits the requests of this session; runs bulk work (`limiter.run`). */
	readonly limiter: Limiter;
	/** Types of resources that this identity may create but not read. */
	readonly unreadable = new Set<ResourceType | undefined>();
	/** Applied to all texts of the service that users see. */
	readonly redact: Redact;
	/** Two candidates until a response shows which one is right. */
	private bases: [BaseUrl, ...BaseUrl[]];
	private acceptsForReading = ACCEPT;
	/** The policy for calls that do not set one. */
	private readonly policy: RetryPolicy;

	/**
	 * @throws InvalidInput if `baseUrl` is not an http(s) address, or contains a user name or
	 * password
	 */
	constructor(
		readonly transport: Transport,
		/** As the user entered it. */
		readonly baseUrl: string,
		private readonly options: SessionOptions = {},
	) {
		const [likeliest, ...others] = BaseUrl.candidates(baseUrl);
		const exact = options.isExactBase ? others.at(-1) : undefined;
		this.bases = exact ? [exact] : [likeliest, ...others];
		const { origin } = this.bases[0];
		this.limiter = new Limiter(transport, options.ceiling, options.sharesBudget ? origin : undefined);
		this.redact = options.redact ?? redact;
		this.policy = retryPolicy(options.retry);
	}

	/**
	 * The absolute URL of an href. A path is resolved below the base URL's path, whether or not the
	 * service includes that prefix.
	 * @param document URL of the representation that contains the href, for a relative one
	 * @throws ForeignOrigin if it leads to another scheme, host or port
	 */
	resolve(href: string, document?: URL): URL {
		return this.bases[0].resolve(expandHref(href), document);
	}

	/**
	 * Like `resolve`, but returns the error: after a creation, a throw would hide that it
	 * succeeded.
	 */
	tryResolve(href: string, document?: URL): URL | Error {
		try {
			return this.resolve(href, document);
		} catch (error) {
			return error instanceof Error ? error : new Error(String(error));
		}
	}

	/** The call of a link with its method; `get` if omitted (§2.1). */
	static callOf(link: Link, rest: Omit<Call, 'method' | 'href'> = {}, fallback: Method = 'GET'): Call {
		const method = methodSchema.safeParse(link.method?.toUpperCase());
		return { ...rest, href: link.href, method: method.success ? method.data : fallback };
	}

	/**
	 * Sends one call as soon as the limiter allows, with retries according to its policy. Follows
	 * redirects on the base URL's origin only.
	 * @returns after 303 to a write: the result that it names
	 * @throws StatusError for a status of 300 and above, ConnectionFailed, OutcomeUnknown,
	 * ForeignOrigin, TooManyRedirects
	 */
	async send(call: Call): Promise<ServiceResponse> {
		const [base, candidate] = this.bases;
		if (!candidate) return await this.sendTo(base, call);
		// An address that is the same with both shows nothing about either.
		const other = isSameFrom(base, candidate, call) ? undefined : candidate;
		const outcome = await outcomeOf(this.sendTo(base, call));
		if (outcome.state === 'done') {
			if (other) this.bases = [base];
			return outcome.value;
		}
		if (!other || call.method !== 'GET' || !mayBeFromOtherServer(outcome.error)) throw outcome.error;
		const second = await outcomeOf(this.sendTo(other, call));
		// Any other error response comes from the service.
		if (second.state === 'failed') throw mayBeFromOtherServer(second.error) ? outcome.error : second.error;
		this.bases = [other];
		return second.value;
	}

	private async sendTo(base: BaseUrl, call: Call): Promise<ServiceResponse> {
		const idempotent = call.repeatable ?? ['GET', 'PUT', 'DELETE'].includes(call.method);
		const url = base.resolve(expandHref(call.href, call.query));
		const sent = await repeat(() => this.attempt(base, url, call), {
			policy: call.retry === undefined ? this.policy : retryPolicy(this.options.retry, call.retry),
			clock: this.transport,
			limiter: this.limiter,
			idempotent,
			...(call.method === 'DELETE'
				? { whenGone: (facts) => deleted(facts, { url, redact: this.redact }) }
				: {}),
		});
		const answer = namesResult(call.method, sent) ? await resultOf(this, sent) : sent;
		if (call.method !== 'GET' && answer.status === ACCEPTED && !call.checksAccepted)
			this.options.onAccepted?.();
		if (call.answers) checkResponse(answer, call.answers);
		return answer;
	}

	/**
	 * Sends a GET and returns the target of its redirect, which is on the base URL's origin.
	 * Without a redirect there is no `href`.
	 * @throws what `send` throws
	 */
	async locate(call: Call & { method: 'GET' }): Promise<{ href?: URL; answer: ServiceResponse }> {
		let href: URL | undefined;
		const answer = await this.send({
			...call,
			onRedirect: (to) => {
				href = to;
			},
		});
		return { ...(href ? { href } : {}), answer };
	}

	private async attempt(base: BaseUrl, first: URL, call: Call): Promise<ServiceResponse> {
		let url = first;
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			const facts = this.factsOf(call, url);
			const request = { method: call.method, url: url.href, headers: this.headersOf(call), ...bodyOf(call) };
			const response = await this.transfer({ ...request, ...expectedOf(call) }, facts);
			// The service has what was asked for in another type than that of representations (§9).
			if (response.status === 406 && call.method === 'GET' && request.headers['accept'] === ACCEPT) {
				this.acceptsForReading = ACCEPT_ANY;
				continue;
			}
			const location = redirectOf(call.method, response);
			const source = { url, redact: this.redact };
			if (location === undefined)
				return namesResult(call.method, response)
					? responseFrom(response, source, facts)
					: checkStatus(response, facts, source);
			url = base.resolve(location, url);
			if (call.onRedirect) {
				call.onRedirect(url);
				return responseFrom(response, { url, redact: this.redact }, facts);
			}
		}
		throw new TooManyRedirects({
			method: call.method,
			path: truncated(url.pathname, MAX_PATH_LENGTH, this.redact),
		});
	}

	/**
	 * Facts for errors. The address is redacted on demand, which is slow, because few requests
	 * fail.
	 */
	private factsOf({ method }: Call, { pathname, search }: URL): Facts {
		const path = () => truncated(pathname + search, MAX_PATH_LENGTH, this.redact);
		return {
			method,
			get path() {
				return path();
			},
		};
	}

	/** Adds the request to a connection error of the transport. */
	private async transfer(request: TransportRequest, facts: Facts): Promise<TransportResponse> {
		return await this.transport.send(request).catch((error: unknown) => {
			const { origin } = new URL(request.url);
			const named =
				error instanceof ConnectionFailed
					? new ConnectionFailed(error.code, error.reached, { origin, ...facts, ...error.facts })
					: error;
			return Promise.reject(named);
		});
	}

	/**
	 * Sends a call and parses its JSON body with a schema.
	 * @throws UnreadableResponse, and what `send` throws
	 */
	async read<Schema extends z.ZodType>(schema: Schema, call: Call): Promise<z.infer<Schema>> {
		return parseResponse(schema, await this.send(call));
	}

	/**
	 * Sends a creating POST and reads address and id of the new resource (§4).
	 * @param type type of the new resource; any documented one if omitted
	 * @throws CreatedUnlocated if the response has no usable address, and what `send` throws
	 */
	async create(call: Call, type?: ResourceType): Promise<Created> {
		return await created(this, await this.send(call), type);
	}

	private headersOf(call: Call): Record<string, string> {
		const accept = call.accept ?? (call.method === 'GET' ? this.acceptsForReading : ACCEPT_ANY);
		const headers: Record<string, string> = { accept };
		if (call.content) headers['content-type'] = call.content.type;
		else if (call.body !== undefined) headers['content-type'] = 'application/json';
		return headers;
	}
}

/**
 * The target of a redirect. A write is only repeated there if its status shows that it was not
 * carried out (307, 308).
 */
function redirectOf(method: Method, response: TransportResponse): string | undefined {
	const location = response.headers.location;
	if (!location) return undefined;
	if (response.status === 307 || response.status === 308) return location;
	return method === 'GET' && [301, 302, 303].includes(response.status) ? location : undefined;
}

function isSameFrom(one: BaseUrl, other: BaseUrl, { href }: Call): boolean {
	const path = expandHref(href);
	return one.resolve(path).href === other.resolve(path).href;
}

/** The response to a DELETE (§4.5) whose own response was lost. */
function deleted(facts: Facts, source: Source): ServiceResponse {
	return { status: 200, headers: {}, body: '"deleted"', ...source, facts: { ...facts, status: 200 } };
}
