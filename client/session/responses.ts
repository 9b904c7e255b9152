import { z } from 'zod/v4';
import { rootLinks } from '../http/baseUrl';
import { messageIn } from '../http/errorBody';
import { OutcomeUnknown, statusError, UnreadableResponse, type Facts } from '../errors';
import { parseJson } from '../formats/json';
import { excerptOf, truncated } from '../http/redaction';
import { redactedValue, type Redact } from '../http/secrets';
import type { TransportResponse } from '../http/transport';

const EXCERPT_LENGTH = 120;
/** Maximum length of the service's error message, in characters. */
const MAX_MESSAGE_LENGTH = 1000;
/** Maximum length of an error body whose details are kept, in characters. */
const MAX_DETAILS_LENGTH = 65_536;

export interface Source {
	/** Address of the response, after redirects; its relative links are resolved from there. */
	url: URL;
	/** Removes secrets from what an error shows of the response. */
	redact: Redact;
}

/** A response with a status below 300. */
export interface ServiceResponse extends Source {
	status: number;
	headers: Record<string, string>;
	body: string | Uint8Array;
	facts: Facts & { status: number };
}

/**
 * Neither JSON nor any text of §4 begins with an angle bracket; each HTML and XML document does.
 */
const MARKUP = /^[\s\uFEFF]*</;

/** Whether a response is an HTML page, such as a login or error page, not a file. */
export const isPage = (headers: Record<string, string>) =>
	/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '');

/** A response with its facts, which are computed when an error needs them. */
export function responseFrom(
	{ status, headers, body }: TransportResponse,
	{ url, redact }: Source,
	sent: Facts,
): ServiceResponse {
	return {
		...{ status, headers, body, url, redact },
		get facts() {
			return { ...sent, status };
		},
	};
}

/**
 * Checks the status of a response.
 * @throws StatusError for a status of 300 and above; for an HTML page, which §4 never specifies:
 * UnreadableResponse, or OutcomeUnknown for a write
 */
export function checkStatus(response: TransportResponse, sent: Facts, source: Source): ServiceResponse {
	if (response.status < 200 || response.status >= 300) {
		const facts = { ...sent, status: response.status };
		const error = statusError({ ...facts, ...wordsIn(response.body, source.redact) }, response.headers);
		// A redirect after a write shows neither that it was carried out (303) nor that it was not (302
		// to a login page).
		throw response.status < 400 && sent.method !== 'GET' ? new OutcomeUnknown(error) : error;
	}
	const answer = responseFrom(response, source, sent);
	const isFile = typeof response.body !== 'string' && sent.method === 'GET';
	const mayBePage = !isFile || isPage(response.headers);
	if (mayBePage && MARKUP.test(textOf(response.body)))
		throw failed(answer, 'The service responded with an HTML page, such as a login page');
	return answer;
}

/**
 * Checks the response to a write as far as the specification describes it. An empty body is
 * accepted.
 * @throws OutcomeUnknown if the body does not match
 */
export function checkResponse(answer: ServiceResponse, specified: z.ZodType): void {
	const text = textOf(answer.body).trim();
	const body = parseJson(text);
	const value = 'value' in body ? body.value : text;
	if (text !== '' && !specified.safeParse(value).success)
		throw failed(answer, 'The response does not match the specification');
}

/**
 * Parses a JSON body with a schema.
 * @throws UnreadableResponse if the body is not decoded, not JSON, or does not match the schema;
 * for a write OutcomeUnknown
 */
export function parseResponse<Schema extends z.ZodType>(
	schema: Schema,
	answer: ServiceResponse,
): z.infer<Schema> {
	if (typeof answer.body !== 'string')
		throw failed(answer, 'The service responded with a text that is not encoded in UTF-8');
	const text = answer.body;
	// 204 has no content; the schema decides whether that is valid.
	const body = answer.status === 204 && text.trim() === '' ? { value: undefined } : parseJson(text);
	if ('problem' in body) throw failed(answer, `The service responded with ${body.problem}`);
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
