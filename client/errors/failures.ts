import {
	Cancelled,
	ConnectionFailed,
	ForeignOrigin,
	Forbidden,
	isCertificateRejected,
	LinkMissing,
	NotFound,
	ServiceNotFound,
	ServiceUnavailable,
	StatusError,
	TooManyRequests,
	Unauthorized,
	UnexpectedStatus,
	UnreadableResponse,
} from './index';

/** Transient statuses. 429 is not specified (§7), but a proxy may send it. */
const TRANSIENT_STATUSES = new Set([429, 500, 502, 503, 504]);

/** Not carried out despite 500 and above: not implemented, unavailable, wrong HTTP version. */
const NOT_CARRIED_OUT = new Set([501, 503, 505]);

/** Permanent failures: unknown host names, rejected certificates, invalid headers. */
const PERMANENT_CODES = /^ENOTFOUND$|^ERR_(INVALID|UNESCAPED)|_TLS_|_SSL_|^EPROTO$/;

/** Timeouts and refused connections (full backlog). */
const OVERLOAD_CODES = new Set(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT', 'ECONNREFUSED']);

/** Whether the same request may succeed a moment later. */
export function isTransient(error: unknown): error is ConnectionFailed | StatusError {
	if (error instanceof ConnectionFailed)
		return !PERMANENT_CODES.test(error.code) && !isCertificateRejected(error.code);
	return error instanceof StatusError && TRANSIENT_STATUSES.has(error.facts.status);
}

/**
 * Whether a failed request may have been carried out, because no response rules it out. A rejected
 * certificate does, even if the transport reports that the server was reached.
 */
export function mayHaveBeenCarriedOut(error: unknown): error is ConnectionFailed | StatusError {
	// A request that was not sent whole (EPIPE) cannot be carried out.
	if (error instanceof ConnectionFailed)
		return error.reached && error.code !== 'EPIPE' && !isCertificateRejected(error.code);
	const status = error instanceof ServiceUnavailable ? error.facts.status : 0;
	return status >= 500 && !NOT_CARRIED_OUT.has(status);
}

/** Whether to send fewer requests at once: 429, 503, 504, a timeout or a full backlog. */
export function callsForLowerConcurrency(error: unknown): boolean {
	if (error instanceof ConnectionFailed) return OVERLOAD_CODES.has(error.code);
	return error instanceof StatusError && [429, 503, 504].includes(error.facts.status);
}

/** Whether the error counts towards an outage. A 500 may be caused by the values of one item. */
export function countsAsOutage(error: unknown): error is ConnectionFailed | StatusError {
	return isTransient(error) && !(error instanceof StatusError && error.facts.status === 500);
}

/** Wait requested by the service (`Retry-After`), in milliseconds. */
export function requestedWaitOf(error: unknown): number | undefined {
	return error instanceof TooManyRequests || error instanceof ServiceUnavailable
		? error.retryAfter
		: undefined;
}

/** Whether all items would fail alike: the service rejects the identity, not the item. */
export function concernsAllItems(error: unknown): boolean {
	return (
		error instanceof Cancelled ||
		error instanceof Unauthorized ||
		error instanceof Forbidden ||
		error instanceof LinkMissing ||
		error instanceof ServiceNotFound ||
		error instanceof ForeignOrigin
	);
}

/** Whether nothing was sent despite retries: every further item would wait as long. */
export function isUnreachable(error: unknown): boolean {
	return error instanceof ConnectionFailed && !error.reached;
}

/** Whether the response may be that of another server, as with a wrong base URL. */
export function mayBeFromOtherServer(
	error: unknown,
): error is NotFound | UnreadableResponse | UnexpectedStatus {
	return (
		error instanceof NotFound || error instanceof UnreadableResponse || error instanceof UnexpectedStatus
	);
}
