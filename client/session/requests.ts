import { z } from 'zod/v4';
import { BaseUrl } from '../http/baseUrl';
import { requestOf, type Call } from './call';
import { ConnectionFailed, TooManyRedirects } from '../errors';
import { expandHref, type Link } from '../hal/links';
import { Limiter } from '../http/limiter';
import { endpoints, type ResourceType } from '../endpoints/endpoints';
import { redact, type Redact } from '../formats/redaction';
import { checkStatus, factsOf, parseResponse, ServiceResponse } from './responses';
import { repeat, retryPolicy, type RetryOptions, type RetryPolicy } from '../http/retry';
import type { Method, Transport, TransportResponse } from '../http/transport';

const MAX_REDIRECTS = 5;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface SessionOptions {
	/** Overrides `DEFAULT_RETRY`; false: each call is sent once. */
	retry?: RetryOptions;
	/** Maximum number of concurrent requests; 64 if omitted. */
	ceiling?: number;
	/** Whether all such clients of the service share one limit of concurrent requests. */
	sharesBudget?: boolean;
	/** Removes secrets from texts of the service; see `redactorOf`. */
	redact?: Redact;
	/** Maximum number of values in a response; that of `parseJson` if omitted. */
	maxValues?: number;
}

/** Sends calls to one service and keeps credentials on its origin. */
export class Requests {
	/** Limits the requests of this session; runs bulk work (`limiter.run`). */
	readonly limiter: Limiter;
	/** Types of resources that this identity may create but not read. */
	readonly unreadable = new Set<ResourceType | undefined>();
	/** Applied to all texts of the service that users see. */
	readonly redact: Redact;
	private readonly base: BaseUrl;
	/** The policy for calls that do not set one. */
	private readonly policy: RetryPolicy;
	/** The latest expanded href and its URL. */
	private latest: { text: string; url: URL } | undefined;

	/** @throws InvalidInput if `baseUrl` is not an http(s) address, or contains credentials */
	constructor(
		readonly transport: Transport,
		/** As the user entered it. */
		readonly baseUrl: string,
		private readonly options: SessionOptions = {},
	) {
		this.base = BaseUrl.of(baseUrl);
		const sharedBy = options.sharesBudget ? this.base.origin : undefined;
		this.limiter = new Limiter(transport, options.ceiling, sharedBy, () => this.probe());
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
		return this.base.resolve(expandHref(href), document);
	}

	/**
	 * The absolute URL of an address from data or from a person, which the credentials may be sent
	 * to.
	 * @returns undefined if it does not lead below the path of the base URL
	 */
	below(address: string): URL | undefined {
		return this.base.below(address);
	}

	/** Like `resolve`, but returns the error: a throw would hide that a creation succeeded. */
	tryResolve(href: string, document?: URL): URL | Error {
		try {
			return this.resolve(href, document);
		} catch (error) {
			return error instanceof Error ? error : new Error(String(error));
		}
	}

	/** The call of a link with its method (§2.1). */
	static callOf(link: Link, rest: Omit<Call, 'method' | 'href'> = {}, fallback: Method = 'GET'): Call {
		const named = link.method.toUpperCase();
		const method = METHODS.find((one) => one === named) ?? fallback;
		return { ...rest, href: link.href, method };
	}

	/**
	 * Sends one call as soon as the limiter allows, with retries according to its policy. Follows
	 * redirects on the base URL's origin only.
	 * @throws StatusError for a status of 300 and above, ConnectionFailed, OutcomeUnknown,
	 * ForeignOrigin, TooManyRedirects
	 */
	async send(call: Call): Promise<ServiceResponse> {
		const idempotent = call.repeatable ?? ['GET', 'PUT', 'DELETE'].includes(call.method);
		const url = this.addressOf(call);
		return await repeat(() => this.attempt(url, call), {
			policy: call.retry === undefined ? this.policy : retryPolicy(this.options.retry, call.retry),
			clock: this.transport,
			limiter: this.limiter,
			idempotent,
			...(call.method === 'DELETE'
				? { whenGone: () => new ServiceResponse(DELETED, { method: 'DELETE', url, redact: this.redact }) }
				: {}),
		});
	}

	/** Resolves the address of a call once for successive calls: all rows are created at the same. */
	private addressOf({ href, query }: Call): URL {
		const text = expandHref(href, query);
		if (this.latest?.text !== text) this.latest = { text, url: this.base.resolve(text) };
		return this.latest.url;
	}

	/** Finds out whether the service is back: anybody may read its version (§4.1). */
	private async probe(): Promise<void> {
		const { path: href, method } = endpoints.version;
		await this.attempt(this.base.resolve(href), { method, href });
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

	private async attempt(first: URL, call: Call): Promise<ServiceResponse> {
		let url = first;
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			const { method, written } = call;
			const { maxValues } = this.options;
			const source = { method, url, redact: this.redact, maxValues, written };
			let response: TransportResponse;
			try {
				response = await this.transport.send(requestOf(call, url.href));
			} catch (error) {
				throw error instanceof ConnectionFailed
					? new ConnectionFailed(error.code, error.reached, { ...factsOf(source), ...error.facts })
					: error;
			}
			const location = redirectOf(method, response);
			if (location === undefined) return checkStatus(response, source);
			url = this.base.resolve(location, url);
			if (call.onRedirect) {
				call.onRedirect(url);
				return new ServiceResponse(response, source);
			}
		}
		throw new TooManyRedirects(factsOf({ method: call.method, url, redact: this.redact }));
	}

	/** Sends a call and parses its JSON body. @throws UnreadableResponse, and what `send` throws */
	async read<Schema extends z.ZodType>(schema: Schema, call: Call): Promise<z.infer<Schema>> {
		return parseResponse(schema, await this.send(call));
	}
}

/** The target of a redirect. Only reads are redirected: a write is sent once. */
function redirectOf(method: Method, { status, headers }: TransportResponse): string | undefined {
	return method === 'GET' && REDIRECTS.has(status) ? headers.location || undefined : undefined;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The response to a DELETE (§4.5) whose own response was lost. */
const DELETED: TransportResponse = { status: 200, headers: {}, body: '"deleted"' };
