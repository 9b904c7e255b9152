import { z } from 'zod/v4';
import { restoreLinks, withoutLinks } from '../hal/links';
import { rootLinks } from '../http/baseUrl';
import { messageIn } from '../http/errorBody';
import { OutcomeUnknown, statusError, UnreadableResponse, type Facts } from '../errors';
import { MAX_VALUES, parseJson } from '../formats/json';
import { excerptOf, redactedValue, truncated, type Redact } from '../formats/redaction';
import { ResponseTooLarge } from '../http/responseLimit';
import type { Method, TransportResponse } from '../http/transport';

const EXCERPT_LENGTH = 120;
/** Maximum length of the address in an error, in characters. */
const MAX_PATH_LENGTH = 1000;
/** Maximum length of the service's error message, in characters. */
const MAX_MESSAGE_LENGTH = 1000;
/** Maximum length of an error body whose details are kept, in characters. */
const MAX_DETAILS_LENGTH = 65_536;

export interface ResponseSource {
	method: Method;
	/** Address of the response, after redirects; its relative links are resolved from there. */
	url: URL;
	/** Removes secrets from what an error shows of the response. */
	redact: Redact;
	/** Maximum number of values in the body. */
	maxValues?: number | undefined;
	/** See `Call`. */
	written?: number | undefined;
}

/** JSON and all texts of §4 begin with no angle bracket; HTML and XML do. */
const MARKUP = /^[\s\uFEFF]*</;

/** Whether a response is an HTML page, such as a login or error page, not a file. */
export const isPage = (headers: Record<string, string>) =>
	/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '');

/** What errors tell about a request. Redacting its address is slow, and few requests fail. */
export const factsOf = ({ method, url, redact }: ResponseSource): Facts => ({
	method,
	origin: url.origin,
	path: truncated(url.pathname + url.search, MAX_PATH_LENGTH, redact),
});

/** A response with a status below 300. */
export class ServiceResponse implements ResponseSource, TransportResponse {
	readonly status: number;
	readonly headers: Record<string, string>;
	readonly body: string | Uint8Array;
	readonly method: Method;
	readonly url: URL;
	readonly redact: Redact;
	readonly maxValues: ResponseSource['maxValues'];

	constructor(response: TransportResponse, source: ResponseSource) {
		this.status = response.status;
		this.headers = response.headers;
		this.body = response.body;
		this.method = source.method;
		this.url = source.url;
		this.redact = source.redact;
		this.maxValues = source.maxValues;
	}

	get facts(): Facts & { status: number } {
		return { ...factsOf(this), status: this.status };
	}
}

/** Statuses that show that a write was carried out (§4). */
const WRITTEN: ReadonlySet<number> = new Set([200, 201, 204]);

/**
 * Checks the status of a response.
 * @throws StatusError for a status of 300 and above; OutcomeUnknown for one below 400 that does not
 * show that a write was carried out; for an HTML page, which §4 never specifies:
 * UnreadableResponse, or OutcomeUnknown for a write
 */
export function checkStatus(response: TransportResponse, source: ResponseSource): ServiceResponse {
	const { status, headers, body } = response;
	const answer = new ServiceResponse(response, source);
	if (source.method !== 'GET' && status < 400 && !WRITTEN.has(status) && status !== source.written)
		throw unknownOutcome(answer, '200, 201 or 204');
	if (status < 200 || status >= 300)
		throw statusError({ ...answer.facts, ...wordsIn(body, source.redact) }, headers);
	const isFile = typeof response.body !== 'string' && source.method === 'GET';
	const mayBePage = !isFile || isPage(response.headers);
	if (mayBePage && MARKUP.test(textOf(response.body)))
		throw failed(answer, 'The service responded with an HTML page, such as a login page');
	return answer;
}

/**
 * The outcome of a write whose status does not show it, such as 202 or 303. It is not repeated.
 * @param specified the status that it should have
 */
export function unknownOutcome({ facts, headers }: ServiceResponse, specified: string): OutcomeUnknown {
	const serviceMessage = `the response has status ${facts.status}, not ${specified} (§4)`;
	return new OutcomeUnknown(statusError({ ...facts, serviceMessage }, headers));
}

/**
 * Parses a JSON body with a schema.
 * @throws UnreadableResponse if the body is not decoded, not JSON, or does not match the schema;
 * ResponseTooLarge if it has too many values; for a write OutcomeUnknown
 */
export function parseResponse<Schema extends z.ZodType>(
	schema: Schema,
	answer: ServiceResponse,
): z.infer<Schema> {
	if (typeof answer.body !== 'string')
		throw failed(answer, 'The service responded with a text that is not encoded in UTF-8');
	const { body: text, maxValues = MAX_VALUES } = answer;
	// 204 has no content; the schema decides whether that is valid.
	const body =
		answer.status === 204 && text.trim() === '' ? { value: undefined } : parseJson(text, maxValues);
	if ('problem' in body) {
		const { facts } = answer;
		if (body.hasTooManyValues && facts.method === 'GET')
			throw new ResponseTooLarge(maxValues, facts, 'values');
		throw failed(answer, `The service responded with ${body.problem}`);
	}
	rootLinks(text, body.value, answer.url);
	const parsed = schema.safeParse(body.value);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	const where = issue?.path.join('.') || 'the body';
	throw failed(
		answer,
		`The response does not have the specified shape (${where}: ${issue?.message ?? 'invalid'})`,
	);
}

/** Parses a list of rows without their links. @throws what `parseResponse` throws */
export function parseRows(answer: ServiceResponse): unknown {
	if (typeof answer.body === 'string') {
		const { text, links } = withoutLinks(answer.body);
		const parsed = links.length === 0 ? {} : parseJson(text, answer.maxValues);
		if ('value' in parsed) rootLinks(text, parsed.value, answer.url);
		if ('value' in parsed && restoreLinks(parsed.value, links)) return parsed.value;
	}
	return parseResponse(z.unknown(), answer);
}

/** The body as text; a binary body is decoded as UTF-8. */
export function textOf(body: string | Uint8Array): string {
	return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

/** The start of the body of a response, on one line, without secrets. */
export function beginningOf({ body, redact }: Pick<ServiceResponse, 'body' | 'redact'>): string {
	return excerptOf(textOf(body), EXCERPT_LENGTH, redact);
}

function failed(answer: ServiceResponse, problem: string): UnreadableResponse | OutcomeUnknown {
	const { facts } = answer;
	const unreadable = new UnreadableResponse(problem, facts, beginningOf(answer));
	return facts.method === 'GET' ? unreadable : new OutcomeUnknown(unreadable);
}

/**
 * The message and details of an error body, whose format is not specified (§7 Gaps): JSON of any
 * shape, or plain text. HTML pages are ignored.
 */
function wordsIn(body: string | Uint8Array, redact: Redact): Pick<Facts, 'serviceMessage' | 'details'> {
	const text = textOf(body);
	const parsed = parseJson(text);
	const value = 'value' in parsed ? parsed.value : MARKUP.test(text) ? undefined : text;
	const words = messageIn(value);
	const given = z.looseObject({ details: z.unknown() }).safeParse(value).data?.details;
	const details = text.length > MAX_DETAILS_LENGTH ? undefined : given;
	return {
		...(words === undefined ? {} : { serviceMessage: truncated(words, MAX_MESSAGE_LENGTH, redact) }),
		...(details === undefined ? {} : { details: redactedValue(details, redact) }),
	};
}
