import { z } from 'zod/v4';
import { rootLinks } from '../http/baseUrl';
import { messageIn } from '../http/errorBody';
import { OutcomeUnknown, statusError, UnreadableResponse, type Facts } from '../errors';
import { parseJson } from '../formats/json';
import { excerptOf, truncated } from '../http/redaction';
import { redactedValue, type Redact } from '../http/secrets';
import type { TransportResponse } from '../http/transport';

const EXCERPT_LENGTH = 120;
/** In characters, of the service's error message. */
const MAX_MESSAGE_LENGTH = 1000;
/** In characters, of an error body whose details are kept. */
const MAX_DETAILS_LENGTH = 65_536;

export interface Source {
	/** Where an answer came from, after redirects: relative links in it start there. */
	url: URL;
	/** Takes secrets out of whatever an error shows of it. */
	redact: Redact;
}

/** An answer with a status below 300. */
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

/** Whether an answer of this type is no file: login pages and error pages are HTML. */
export const isPage = (headers: Record<string, string>) =>
	/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '');

/** An answer with its facts, which are put together where an error tells them. */
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
 * The answer, where its status says that it is one.
 * @throws StatusError for a status of 300 and above; for a page (HTML), which nothing in §4 answers
 * with: UnreadableResponse, and OutcomeUnknown where something was to be written
 */
export function checkStatus(response: TransportResponse, sent: Facts, source: Source): ServiceResponse {
	if (response.status < 200 || response.status >= 300) {
		const facts = { ...sent, status: response.status };
		const error = statusError({ ...facts, ...wordsIn(response.body, source.redact) }, response.headers);
		// A redirect after a write says neither that it was carried out (303) nor that it was not (302
		// to a login).
		throw response.status < 400 && sent.method !== 'GET' ? new OutcomeUnknown(error) : error;
	}
	const answer = responseFrom(response, source, sent);
	const mayBePage = typeof response.body === 'string' || isPage(response.headers);
	if (mayBePage && MARKUP.test(textOf(response.body)))
		throw failed(answer, 'The service responded with an HTML page, such as a login page');
	return answer;
}

/**
 * Checks the answer to a write as far as the specification describes it. An empty body claims
 * nothing else.
 * @throws OutcomeUnknown where the body is something else
 */
export function checkResponse(answer: ServiceResponse, specified: z.ZodType): void {
	const text = textOf(answer.body).trim();
	const body = parseJson(text);
	const value = 'value' in body ? body.value : text;
	if (text !== '' && !specified.safeParse(value).success)
		throw failed(answer, 'The response does not match the specification');
}

/**
 * @throws UnreadableResponse where the body is not JSON or not of the schema's shape; for a write
 * OutcomeUnknown
 */
export function parseResponse<Schema extends z.ZodType>(
	schema: Schema,
	answer: ServiceResponse,
): z.infer<Schema> {
	const text = textOf(answer.body);
	// 204: there is no content, which is for the schema to judge.
	const body = answer.status === 204 && text.trim() === '' ? { value: undefined } : parseJson(text);
	if ('problem' in body) throw failed(answer, `The service answered with ${body.problem}`);
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

/** How the body of an answer begins, on one line, without secrets. */
export function beginningOf({ body, redact }: Pick<ServiceResponse, 'body' | 'redact'>): string {
	return excerptOf(textOf(body), EXCERPT_LENGTH, redact);
}

function failed(answer: ServiceResponse, problem: string): UnreadableResponse | OutcomeUnknown {
	const { facts } = answer;
	const unreadable = new UnreadableResponse(problem, facts, beginningOf(answer));
	return facts.method === 'GET' ? unreadable : new OutcomeUnknown(unreadable);
}

/**
 * §4 leaves the format of an error body open: JSON of any shape, or plain text; a page holds no
 * words for this.
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
