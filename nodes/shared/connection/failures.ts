import { z } from 'zod/v4';
import {
	ConnectionFailed,
	EgressForbidden,
	isCertificateRejected,
	type TransportRequest,
} from '../../../client';

/** Error codes of requests that cannot have reached the service. */
const NEVER_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ERR_INVALID_URL',
	// A header or path that Node refuses to send.
	'ERR_INVALID_CHAR',
	'ERR_UNESCAPED_CHARACTERS',
	'ERR_SSL_WRONG_VERSION_NUMBER',
]);

const failureSchema = z.looseObject({
	code: z.unknown(),
	httpCode: z.unknown(),
	cause: z.looseObject({ code: z.unknown() }).optional().catch(undefined),
	message: z.string().optional().catch(undefined),
});

/** Converts a rejection of n8n's helper into an error of this package. */
export function failureOf(failure: unknown, request: TransportRequest): ConnectionFailed | EgressForbidden {
	return egressForbidden(failure, request) ?? connectionFailed(failure, request);
}

const blockedSchema = z.looseObject({ name: z.string().regex(/^SsrfBlocked/), message: z.string() });
const wrappedSchema = z.looseObject({ cause: blockedSchema }).transform(({ cause }) => cause);

/** An administrator's egress policy (newer n8n) stopped the request before it was sent. */
function egressForbidden(failure: unknown, { method, url }: TransportRequest): EgressForbidden | undefined {
	const blocked = z.union([blockedSchema, wrappedSchema]).safeParse(failure);
	return blocked.success
		? new EgressForbidden(blocked.data.message, { method, path: new URL(url).pathname })
		: undefined;
}

/** n8n wraps errors: `httpCode` may be a socket error code, and `cause` the axios error. */
export function connectionFailed(failure: unknown, request: TransportRequest): ConnectionFailed {
	const { code, httpCode, cause, message } = failureSchema
		.catch(() => ({ code: undefined, httpCode: undefined }))
		.parse(failure);
	const found = [cause?.code, httpCode, code].find(
		(text) => typeof text === 'string' && (/^E[A-Z_]+$/.test(text) || isCertificateRejected(text)),
	);
	const name = typeof found === 'string' ? withoutTls(found, message) : codeOf(message);
	return new ConnectionFailed(name, !NEVER_SENT.has(name) && !isCertificateRejected(name), {
		method: request.method,
		path: new URL(request.url).pathname,
	});
}

/** Node reports a server that does not use TLS as EPROTO, with OpenSSL's reason in the message. */
function withoutTls(code: string, message = ''): string {
	return code === 'EPROTO' && /wrong version number/i.test(message) ? 'ERR_SSL_WRONG_VERSION_NUMBER' : code;
}

function codeOf(message = ''): string {
	return /timed? ?out|aborted/i.test(message) ? 'ETIMEDOUT' : 'ECONNRESET';
}
