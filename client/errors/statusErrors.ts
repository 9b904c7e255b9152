import { SHORTEN, writesRow } from './connectionErrors';
import { DataGridError, type Facts } from './dataGridError';
import { toTimestamp } from '../formats/moment';

/** The service responded with an error status (§7). */
export abstract class StatusError extends DataGridError {
	abstract readonly title: string;

	constructor(override readonly facts: Facts & { status: number }) {
		super(facts.serviceMessage ?? `The service responded with status ${facts.status}`, facts);
	}
}

/** 400: the service rejects the values (§7). */
export class BadRequest extends StatusError {
	readonly title = 'The service rejected the request';
	readonly hint: string;

	constructor(facts: Facts & { status: number }) {
		super(facts);
		this.hint =
			facts.method === 'GET'
				? 'Check the conditions and other inputs of this item against the columns of the grid and their types.'
				: 'Check the values of this item against the columns of the grid and their types.';
	}
}

/** 401: no or wrong credentials; `protection` is the value of `Service-Authorization` (§5). */
export class Unauthorized extends StatusError {
	readonly title = 'The service rejected the credentials';
	readonly hint: string;

	constructor(
		facts: Facts & { status: number },
		readonly protection?: string,
	) {
		super(facts);
		this.hint =
			protection === 'link'
				? 'This link is protected: enter the user name and password of the link.'
				: protection === 'internal'
					? 'This link requires an account: use a credential of the service.'
					: 'Check the key and secret (or the access token) in the credential. If the key was deleted, create a new one.';
	}
}

/** 403: the credentials are valid, but their role is insufficient (§5, §7). */
export class Forbidden extends StatusError {
	readonly title = 'Permission denied';
	readonly hint =
		'Use a key with the role admin, or ask the owner to share the space with the required role (reader, writer, creator or admin).';
}

/** 404: the resource does not exist (§7). */
export class NotFound extends StatusError {
	constructor(
		facts: Facts & { status: number },
		readonly title = 'Resource not found',
		readonly hint = 'It may have been deleted, or it belongs to another account. Choose it again from the list.',
	) {
		super(facts);
	}
}

/**
 * 409, 412, 423, 428: not specified, but a gateway may check versions of resources or lock them.
 * The request was not carried out.
 */
export class Conflict extends StatusError {
	readonly title = 'The service refused the request, and nothing was changed';
	readonly hint =
		'Someone else may be changing the same data: run this item again. If the error persists, tell the operator of the service that it sets conditions (such as If-Match) that its specification does not have.';
}

/** A status whose response may contain the time of the next attempt. */
abstract class TransientError extends StatusError {
	constructor(
		facts: Facts & { status: number },
		/** From `Retry-After`, in milliseconds. */
		readonly retryAfter?: number,
	) {
		super(facts);
	}
}

/** 429: not specified, but a proxy in front of the service may send it. */
export class TooManyRequests extends TransientError {
	readonly title = 'Too many requests';
	readonly hint = 'Wait a moment and run the workflow again, or send fewer requests at a time.';
}

/** 413: not specified, but the service or a proxy before it may limit the size of a request. */
class RequestTooLarge extends StatusError {
	readonly title = 'The request is too large';
	readonly hint = SHORTEN;
}

/** 413 for a row. */
class RowTooLarge extends StatusError {
	readonly title = 'The row is too large';
	readonly hint = SHORTEN;
}

/** 500 and above: the service, or a gateway in front of it, failed (§7). */
export class ServiceUnavailable extends TransientError {
	readonly title = 'The service reported an error';
	readonly hint = 'Try again later. If the error persists, contact the operator of the service.';

	/** The status and the host that it came from. */
	get source(): string {
		const { status, origin } = this.facts;
		return `status ${status}${origin === undefined ? '' : ` from ${new URL(origin).host}`}`;
	}
}

/** A status that is not specified. */
export class UnexpectedStatus extends StatusError {
	readonly title = 'Unexpected response from the service';
	readonly hint = 'Check the base URL of the credential: another server may have responded.';
}

/** `Retry-After` (seconds or an HTTP date) in milliseconds from the `Date` of the response. */
export function retryAfterOf(headers: Record<string, string>): number | undefined {
	const value = headers['retry-after']?.trim();
	if (!value) return undefined;
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	const until = toTimestamp(value, 'UTC');
	const now = toTimestamp(headers.date, 'UTC');
	return until === undefined || now === undefined ? undefined : Math.max(0, until - now);
}

/** The error for a status (§7). */
export function statusError(facts: Facts & { status: number }, headers: Record<string, string>): StatusError {
	const { status } = facts;
	if (status === 400 || status === 422) return new BadRequest(facts);
	if (status === 401) return new Unauthorized(facts, headers['service-authorization']?.trim().toLowerCase());
	if (status === 403) return new Forbidden(facts);
	if (status === 404) return new NotFound(facts);
	if ([409, 412, 423, 428].includes(status)) return new Conflict(facts);
	if (status === 413) return writesRow(facts) ? new RowTooLarge(facts) : new RequestTooLarge(facts);
	if (status === 429) return new TooManyRequests(facts, retryAfterOf(headers));
	if (status >= 500) return new ServiceUnavailable(facts, retryAfterOf(headers));
	return new UnexpectedStatus(facts);
}
