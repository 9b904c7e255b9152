import {
	sleep,
	type IAllExecuteFunctions,
	type ICredentialTestFunctions,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IExecuteFunctions,
	type IPollFunctions,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import { fitsHeader } from '../../../credentials/authorization';
import { DataGridApi } from '../../../credentials/DataGridApi.credentials';
import { createClient, type Client } from '../../../client';
import { ResponseTooLarge, MAX_RESPONSE_BYTES } from '../../../client/http/responseLimit';
import { InvalidInput } from '../../../client/errors';
import type { RetryOptions } from '../../../client/http/retry';
import type { Transport, TransportRequest, TransportResponse } from '../../../client/http/transport';
import { headersSchema, withBody } from './responseBody';
import { boundedTransport, LIST_LIMITS } from './boundedTransport';
import { connectionFailed, failureOf } from './failures';
import { warnOfPlainHttp } from './plainHttpWarning';
import { concealIn } from '../display/shownText';

/** The one credential of the service; its name is frozen in users' workflows. */
const CREDENTIAL = 'dataGridApi';

/** What n8n hands to a node: the three contexts in which this package talks to the service. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

const credentialSchema = z.object({
	baseUrl: z.string(),
	authentication: z.unknown(),
	accessToken: z.coerce.string().trim().default(''),
});

/** @throws InvalidInput if no header can hold the token */
function baseUrlOf(credential: ICredentialDataDecryptedObject): string {
	const { baseUrl, authentication, accessToken } = credentialSchema.parse(credential);
	if (authentication !== 'accessToken' || fitsHeader(accessToken)) return baseUrl;
	throw new InvalidInput(
		'The access token of the credential holds a line break or another character that cannot be sent',
		'Copy the token again, in one line.',
	);
}

/** Interactive: fail fast. */
const SOMEBODY_WAITS = { retries: 2, totalTime: 3000 };

/** Milliseconds that the editor waits for each request of a credential test. */
const SOMEBODY_WAITS_FOR_TEST = 30_000;

/** Whoever answers a credential test with more than this is not the service. */
const MAX_TEST_ANSWER_BYTES = 1024 * 1024;

/**
 * Milliseconds until an answer must have come, and until all of it must: one that drips without end
 * is given up. Files may take longer.
 */
const TIME_LIMIT = { text: 120_000, binary: 3_600_000 };

/** What n8n's helper answers with `returnFullResponse`. */
const fullResponseSchema = z.object({
	statusCode: z.number(),
	headers: headersSchema,
	body: z.unknown(),
});

/**
 * The client of one execution, through n8n's HTTP helper: its proxy, TLS and egress rules apply.
 * @throws InvalidInput if the base URL of the credential cannot be used
 */
export async function connect(context: NodeContext, retry?: RetryOptions): Promise<Client> {
	const credential = await context.getCredentials(CREDENTIAL);
	const conceal = concealIn(context, credential);
	const isList = 'getCurrentNodeParameter' in context;
	const transport = helperTransport(context, CREDENTIAL);
	return createClient({
		transport: isList ? boundedTransport(transport, LIST_LIMITS) : transport,
		baseUrl: baseUrlOf(credential),
		retry: retry ?? (isList ? SOMEBODY_WAITS : runRetry(context)),
		redact: conceal,
	});
}

/** Of a run by hand, or of one that nobody watches. */
function runRetry(context: NodeContext): RetryOptions {
	return context.getMode?.() === 'manual' ? { unreachedTime: SOMEBODY_WAITS.totalTime } : {};
}

/** What a credential test has to work with: a request helper without credentials. */
export function connectToTest(
	context: ICredentialTestFunctions,
	credential: ICredentialDataDecryptedObject,
): Client {
	const conceal = concealIn(context, credential);
	const transport = testTransport(
		context,
		async (options) => await new DataGridApi().authenticate(credential, options),
	);
	return createClient({ transport, baseUrl: baseUrlOf(credential), retry: false, redact: conceal });
}

/** Sends through n8n's helper, without authentication if `credential` is undefined. Callers that
 * pass a credential of another type must check the origin themselves. */
export function helperTransport(context: IAllExecuteFunctions, credential: string | undefined): Transport {
	// By default, the helper reads and decrypts the credential for each request.
	let held: Promise<ICredentialsDecrypted> | undefined;
	const sent = async (options: IHttpRequestOptions): Promise<unknown> => {
		if (credential === undefined) return await context.helpers.httpRequest(options);
		held ??= decrypted(context, credential).catch((error: unknown) => {
			// Whoever sends again has it read again.
			held = undefined;
			return Promise.reject(error);
		});
		const credentialsDecrypted = await held;
		return await context.helpers.httpRequestWithAuthentication.call(context, credential, options, {
			credentialsDecrypted,
		});
	};
	let warned = false;
	const signal = cancelSignalOf(context);
	return {
		...clockWith(signal),
		async send(request) {
			if (credential !== undefined && !warned) warnOfPlainHttp(context, request.url);
			warned = true;
			const limit = limitedTime(TIME_LIMIT[request.expect], signal);
			const settled = await settle(
				sent({ ...optionsOf(request), encoding: 'stream', abortSignal: limit.signal }).then(
					withBody(request, limit.signal, MAX_RESPONSE_BYTES[request.expect]),
				),
			);
			limit.release();
			if ('failure' in settled && limit.signal.aborted)
				throw connectionFailed({ code: signal?.aborted ? 'ECANCELED' : 'ETIMEDOUT' }, request);
			return responseOf(settled, request);
		},
	};
}

async function decrypted(context: IAllExecuteFunctions, type: string): Promise<ICredentialsDecrypted> {
	return { id: '', name: type, type, data: await context.getCredentials(type) };
}

/**
 * The context of a credential test offers this one helper and no other; it knows nothing of the
 * credential under test, so the `Authorization` is made here, by the credential itself.
 */
export function testTransport(
	context: ICredentialTestFunctions,
	authenticate: (options: IHttpRequestOptions) => Promise<IHttpRequestOptions>,
): Transport {
	const { request: send } = context.helpers;
	return {
		...clockWith(),
		async send(request) {
			const { method, headers, body } = await authenticate(optionsOf(request));
			const abortSignal = AbortSignal.timeout(SOMEBODY_WAITS_FOR_TEST);
			const answered = await settle(
				send({
					uri: request.url,
					method,
					headers,
					body,
					followRedirect: false,
					followAllRedirects: false,
					simple: false,
					timeout: SOMEBODY_WAITS_FOR_TEST,
					resolveWithFullResponse: true,
					useStream: true,
				}).then(withBody(request, abortSignal, MAX_TEST_ANSWER_BYTES)),
			);
			return responseOf(answered, request);
		},
	};
}

/** After how many milliseconds a wait notices that it is to end. */
const WAIT_SLICE_MS = 200;

/**
 * n8n's clock. In slices, because n8n 2.41 has no wait that a signal ends: `sleepWithAbort` is gone.
 * @param signal ends each wait when it is aborted
 */
function clockWith(signal?: AbortSignal): Pick<Transport, 'now' | 'signal' | 'sleep'> {
	return {
		now: () => performance.now(),
		signal,
		sleep: async (milliseconds) => {
			for (let left = milliseconds; left > 0 && !signal?.aborted; left -= WAIT_SLICE_MS)
				await sleep(Math.min(left, WAIT_SLICE_MS));
		},
	};
}

/** Aborted when a person stops the execution; lists in the editor and polls cannot be stopped. */
function cancelSignalOf(context: IAllExecuteFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * A signal that is aborted after a time, or with another.
 * `release` lets go of that one: it outlives many requests.
 */
function limitedTime(milliseconds: number, other: AbortSignal | undefined) {
	const controller = new AbortController();
	const abort = () => {
		controller.abort();
	};
	AbortSignal.timeout(milliseconds).addEventListener('abort', abort, { once: true });
	other?.addEventListener('abort', abort, { once: true });
	const release = () => {
		other?.removeEventListener('abort', abort);
	};
	return { signal: controller.signal, release };
}

/**
 * The helper judges no status, follows no redirect and parses no body: each of these hides
 * something (§4, §5) when it does.
 */
function optionsOf(request: TransportRequest): IHttpRequestOptions {
	const { method, url, headers, body } = request;
	return {
		method,
		url,
		headers,
		...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
		json: false,
		timeout: TIME_LIMIT.text,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/** A rejection as a value, so that it can be told apart before anything is thrown. */
async function settle(pending: Promise<unknown>): Promise<{ answer: unknown } | { failure: unknown }> {
	return await pending.then(
		(answer) => ({ answer }),
		(failure: unknown) => ({ failure }),
	);
}

function responseOf(
	settled: { answer: unknown } | { failure: unknown },
	request: TransportRequest,
): TransportResponse {
	if ('failure' in settled)
		throw settled.failure instanceof ResponseTooLarge ? settled.failure : failureOf(settled.failure, request);
	const { statusCode, headers, body } = fullResponseSchema.parse(settled.answer);
	return { status: statusCode, headers, body: bodyOf(body) };
}

function bodyOf(raw: unknown): string | Uint8Array {
	if (typeof raw === 'string' || raw instanceof Uint8Array) return raw;
	if (raw instanceof ArrayBuffer) return new Uint8Array(raw);
	return raw === undefined || raw === null ? '' : JSON.stringify(raw);
}
