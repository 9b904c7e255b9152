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
import {
	type Client,
	createClient,
	InvalidInput,
	MAX_INTERACTIVE_VALUES,
	MAX_RESPONSE_BYTES,
	ResponseTooLarge,
	type RetryOptions,
	type Transport,
	type TransportRequest,
} from '../../../client';
import { withBody } from './responseBody';
import { boundedTransport, LIST_LIMITS } from './boundedTransport';
import { connectionFailed, failureOf } from './failures';
import { TimeLimit } from './timeLimit';
import { warnOfPlainHttp } from './plainHttpWarning';
import { concealIn } from '../display/shownText';

/** Credential type of the service; frozen, because workflows store it. */
const CREDENTIAL = 'dataGridApi';

/** The three n8n contexts in which this package calls the service. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

const credentialSchema = z.object({
	baseUrl: z.string(),
	authentication: z.unknown(),
	accessToken: z.coerce.string().trim().default(''),
	/** In seconds. */
	waitForService: z.coerce.number().min(0).max(3600).catch(60),
	requestsAtATime: z.coerce.number().int().min(1).max(512).catch(64),
});

/** @throws InvalidInput if no header can hold the token */
function baseUrlOf(credential: ICredentialDataDecryptedObject): string {
	const { baseUrl, authentication, accessToken } = credentialSchema.parse(credential);
	if (authentication !== 'accessToken' || fitsHeader(accessToken)) return baseUrl;
	throw new InvalidInput(
		'The access token of the credential contains a line break or another character that cannot be sent',
		'Copy the token again, on one line.',
	);
}

/** Interactive: fail fast. */
const INTERACTIVE_RETRY = { retries: 2, totalTime: 3000 };

/** Time limit for each request of a credential test. */
const TEST_TIMEOUT_MS = 30_000;

/** A larger response to a credential test cannot come from the service. */
const MAX_TEST_RESPONSE_BYTES = 1024 * 1024;

/** Time limits for a whole response, because a response may never end. Files may take longer. */
const TIMEOUTS_MS = { text: 120_000, binary: 3_600_000 };

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
		...(isList ? { maxValues: MAX_INTERACTIVE_VALUES } : {}),
		retry: retry ?? (isList ? INTERACTIVE_RETRY : runRetry(context, credential)),
		redact: conceal,
		// Polls and lists in the editor send one request at a time and must not wait for executions.
		sharesBudget: 'getInputData' in context,
		ceiling: credentialSchema.parse(credential).requestsAtATime,
	});
}

/** A user waits for a manual run, but not for a production run. */
function runRetry(context: NodeContext, credential: ICredentialDataDecryptedObject): RetryOptions {
	const totalTime = credentialSchema.parse(credential).waitForService * 1000;
	const isManual = context.getMode?.() === 'manual';
	return { totalTime, unreachedTime: isManual ? INTERACTIVE_RETRY.totalTime : totalTime };
}

/** Creates the client of a credential test, whose only request helper adds no credentials. */
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

/**
 * Sends through n8n's helper, without authentication if `credential` is undefined. Callers that
 * pass another credential type must check the origin themselves.
 */
export function helperTransport(context: IAllExecuteFunctions, credential: string | undefined): Transport {
	// By default, the helper reads and decrypts the credential for each request.
	let held: Promise<ICredentialsDecrypted> | undefined;
	const sent = async (options: IHttpRequestOptions): Promise<unknown> => {
		if (credential === undefined) return await context.helpers.httpRequest(options);
		held ??= decrypted(context, credential).catch((error: unknown) => {
			// The next request reads it again.
			held = undefined;
			throw error;
		});
		const credentialsDecrypted = await held;
		return await context.helpers.httpRequestWithAuthentication.call(context, credential, options, {
			credentialsDecrypted,
		});
	};
	let warned = false;
	const signal = cancelSignalOf(context);
	const limits = {
		text: new TimeLimit(TIMEOUTS_MS.text, signal),
		binary: new TimeLimit(TIMEOUTS_MS.binary, signal),
	};
	return {
		...clockWith(signal),
		async send(request) {
			if (credential !== undefined && !warned) warnOfPlainHttp(context, request.url);
			warned = true;
			const limit = limits[request.expect];
			const running = limit.start();
			try {
				const options = requestOptionsOf(request);
				options.abortSignal = running.signal;
				const response = await sent(options);
				return await withBody(response, request, { running, maxBytes: MAX_RESPONSE_BYTES[request.expect] });
			} catch (failure) {
				if (running.isStopped)
					throw connectionFailed({ code: signal?.aborted ? 'ECANCELED' : 'ETIMEDOUT' }, request);
				throw sendingFailed(failure, request);
			} finally {
				limit.end(running);
			}
		},
	};
}

async function decrypted(context: IAllExecuteFunctions, type: string): Promise<ICredentialsDecrypted> {
	return { id: '', name: type, type, data: await context.getCredentials(type) };
}

/**
 * The context of a credential test has only this helper, which does not have the credential under
 * test, so the credential class adds the `Authorization` header here.
 */
export function testTransport(
	context: ICredentialTestFunctions,
	authenticate: (options: IHttpRequestOptions) => Promise<IHttpRequestOptions>,
): Transport {
	const { request: send } = context.helpers;
	const limit = new TimeLimit(TEST_TIMEOUT_MS, undefined);
	return {
		...clockWith(),
		async send(request) {
			const { method, headers, body } = await authenticate(requestOptionsOf(request));
			const running = limit.start();
			try {
				const response: unknown = await send({
					uri: request.url,
					method,
					headers,
					body,
					followRedirect: false,
					followAllRedirects: false,
					simple: false,
					timeout: TEST_TIMEOUT_MS,
					resolveWithFullResponse: true,
					useStream: true,
				});
				return await withBody(response, request, { running, maxBytes: MAX_TEST_RESPONSE_BYTES });
			} catch (failure) {
				throw sendingFailed(failure, request);
			} finally {
				limit.end(running);
			}
		},
	};
}

/** Maximum delay between an abort and the end of a wait. */
const WAIT_SLICE_MS = 200;

/**
 * Clock and waits from n8n. Waits in slices, because n8n 2.41 has no abortable wait
 * (`sleepWithAbort` was removed).
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

/** Aborted when a user stops the execution; lists in the editor and polls cannot be stopped. */
function cancelSignalOf(context: IAllExecuteFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** The helper must not check the status, follow redirects or parse the body (§4, §5). */
function requestOptionsOf({ method, url, headers, body }: TransportRequest): IHttpRequestOptions {
	return {
		method,
		url,
		headers,
		// As bytes, because axios parses texts to detect JSON.
		body: body && Buffer.from(body),
		json: false,
		encoding: 'stream',
		timeout: TIMEOUTS_MS.text,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

function sendingFailed(failure: unknown, request: TransportRequest): unknown {
	return failure instanceof ResponseTooLarge ? failure : failureOf(failure, request);
}
