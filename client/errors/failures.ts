import { Cancelled } from '../http/cancelled';
import {
	ConnectionFailed,
	ForeignOrigin,
	Forbidden,
	LinkMissing,
	StatusError,
	TooManyRequests,
	ServiceUnavailable,
	Unauthorized,
} from './index';

/**
 * Statuses that may go away by themselves. 429 is not in the
 * spec (§7), but any proxy in front of the service may say it.
 */
const PASSING_STATUSES = new Set([429, 500, 502, 503, 504]);

/**
 * Statuses of 500 and above that say that the request was turned away at the door: not implemented,
 * unavailable, wrong HTTP version.
 */
const TURNED_AWAY = new Set([501, 503, 505]);

/**
 * A name that does not exist, a certificate that is refused and a header that cannot be sent stay
 * so however often they are tried.
 */
const LASTING_CODES = /^ENOTFOUND$|^ERR_(INVALID|UNESCAPED)|CERT|SIGNED|SIGNATURE|_TLS_|_SSL_|^EPROTO$/;

/**
 * Nothing is sent to a peer whose certificate was refused,
 * whatever the transport says of having reached it.
 */
const REFUSED_CERTIFICATE = /CERT|SIGNED|SIGNATURE/;

/** A time limit that was reached, or a backlog that was full. */
const OVERLOAD_CODES = new Set(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT', 'ECONNREFUSED']);

/** Whether the same request may succeed a moment later. */
export function isPassing(error: unknown): boolean {
	if (error instanceof ConnectionFailed) return !LASTING_CODES.test(error.code);
	return error instanceof StatusError && PASSING_STATUSES.has(error.facts.status ?? 0);
}

/**
 * Whether a request that ended so may have been carried out
 * all the same: nothing that came back says that it was not.
 */
export function mayBeDone(error: unknown): boolean {
	if (error instanceof ConnectionFailed) return error.reached && !REFUSED_CERTIFICATE.test(error.code);
	const status = error instanceof ServiceUnavailable ? (error.facts.status ?? 500) : 0;
	return status >= 500 && !TURNED_AWAY.has(status);
}

/**
 * Whether it says that fewer requests should be on their
 * way: 429, 503, 504, a time limit, a full backlog.
 */
export function asksForLess(error: unknown): boolean {
	if (error instanceof ConnectionFailed) return OVERLOAD_CODES.has(error.code);
	return error instanceof StatusError && [429, 503, 504].includes(error.facts.status ?? 0);
}

/**
 * Whether it counts towards an outage. A 500 does not: one
 * item's values may be what the service stumbles over.
 */
export function countsAsOutage(error: unknown): boolean {
	return isPassing(error) && !(error instanceof StatusError && error.facts.status === 500);
}

/** Milliseconds that the service asks to wait (`Retry-After`), if it does. */
export function waitAskedBy(error: unknown): number | undefined {
	return error instanceof TooManyRequests || error instanceof ServiceUnavailable
		? error.retryAfter
		: undefined;
}

/**
 * Whether every further item would end the same way: the
 * identity, not the item, is what the service refuses.
 */
export function concernsAllItems(error: unknown): boolean {
	return (
		error instanceof Cancelled ||
		error instanceof Unauthorized ||
		error instanceof Forbidden ||
		error instanceof LinkMissing ||
		error instanceof ForeignOrigin
	);
}
