import { toTimestamp } from '../formats/moment';
import { redact } from '../http/redaction';
import type { Method } from '../http/transport';

/** Facts that every error of the client may carry; none of them is a secret. */
export interface Facts {
	method?: Method;
	/** Path and query as sent, without the origin. */
	path?: string;
	status?: number;
	/** The service's own words, in whatever shape they came. */
	serviceMessage?: string;
	details?: unknown;
}

/** Names and addresses in a message come from the service: they may be of any length, and echo what was sent. */
const LONGEST_MESSAGE = 2000;

/** Everything that this client throws on purpose. `hint` says how to fix it, in words for the person who built the workflow. */
export abstract class DataGridError extends Error {
	abstract readonly hint: string;
	readonly facts: Facts;

	constructor(message: string, facts: Facts = {}) {
		const shown = redact(message.slice(0, 2 * LONGEST_MESSAGE));
		super(shown.length > LONGEST_MESSAGE ? `${shown.slice(0, LONGEST_MESSAGE)} …` : shown);
		this.name = new.target.name;
		this.facts = facts;
	}
}

/** The service answered with a status that says no (§7). */
export abstract class StatusError extends DataGridError {
	abstract readonly title: string;

	constructor(facts: Facts & { status: number }) {
		super(facts.serviceMessage ?? `The service answered with status ${facts.status}`, facts);
	}
}

/** 400: the service refuses the values sent (§7). */
export class BadRequest extends StatusError {
	readonly title = 'The service did not accept the request';
	readonly hint = 'Check the values of this item against the columns of the grid and their types.';
}

/** 401: no or wrong credentials; `protection` is the value of `Service-Authorization` (§5). */
export class Unauthorized extends StatusError {
	readonly title = 'The service did not accept the credentials';
	readonly hint: string;

	constructor(
		facts: Facts & { status: number },
		readonly protection?: string,
	) {
		super(facts);
		this.hint =
			protection === 'link'
				? 'This link is protected: enter its own user name and password.'
				: protection === 'internal'
					? 'This link is only for people with an account: use a credential of the service.'
					: 'Check key and secret (or the access token) in the credential; a deleted key has to be replaced by a new one.';
	}
}

/** 403: the credentials are valid, the role is not enough (§5, §7). */
export class Forbidden extends StatusError {
	readonly title = 'Permission denied';
	readonly hint =
		'Use a key with the role admin, or ask the owner to share the space with the role that this needs (reader, writer, creator or admin).';
}

/** 404: there is no such resource (§7). */
export class NotFound extends StatusError {
	readonly hint = 'It may have been deleted or belong to another account: choose it again from the list.';

	constructor(
		facts: Facts & { status: number },
		readonly title = 'There is no such resource',
	) {
		super(facts);
	}
}

/** 429: not in the spec, but any service in front of it may say so. */
export class TooManyRequests extends StatusError {
	readonly title = 'The service asks for fewer requests';
	readonly hint = 'Wait a moment and run it again, or lower the number of requests at a time.';

	constructor(
		facts: Facts & { status: number },
		/** From `Retry-After`, in milliseconds. */
		readonly retryAfter?: number,
	) {
		super(facts);
	}
}

/** 500 and above: the service could not do it now (§7). */
export class ServiceUnavailable extends StatusError {
	readonly title = 'The service could not answer';
	readonly hint = 'Run it again later; if it stays so, tell the operator of the service.';

	constructor(
		facts: Facts & { status: number },
		/** From `Retry-After`, in milliseconds. */
		readonly retryAfter?: number,
	) {
		super(facts);
	}
}

/** A status that the spec does not know. */
export class UnexpectedStatus extends StatusError {
	readonly title = 'The service answered in a way that its specification does not name';
	readonly hint = 'Check the base URL of the credential: something else may be answering there.';
}

/** No complete answer came back. `reached` is false only where the request surely never got to the service. */
export class ConnectionFailed extends DataGridError {
	readonly hint: string;

	constructor(
		readonly code: string,
		readonly reached: boolean,
		facts: Facts = {},
	) {
		super(`No answer from the service (${code})`, facts);
		this.hint = reached
			? 'The connection was cut before the answer was complete; what was sent may have been carried out.'
			: 'Check the base URL of the credential and that the service is running and reachable from n8n.';
	}
}

/** A rule of whoever runs the client keeps it from reaching the address; nothing was sent, and nothing will be. */
export class EgressForbidden extends DataGridError {
	readonly hint =
		'Ask the administrator of n8n to allow the address of the service (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES), or use a base URL that is allowed.';

	/** @param rule in n8n's words */
	constructor(rule: string, facts: Facts) {
		super(`An egress policy of n8n forbids to reach the service: ${rule}`, facts);
	}
}

/**
 * A request that must not be carried out twice went out, and no answer said what became of it. It was or was not carried
 * out, so it is never sent again blindly.
 */
export class OutcomeUnknown extends DataGridError {
	readonly outcome = 'unknown';
	readonly hint =
		'Look whether it was carried out before running this item again; with "Avoid duplicates by" the node looks by itself.';

	constructor(
		/** How the last attempt ended. */
		readonly reason: ConnectionFailed | StatusError | UnreadableResponse,
	) {
		super(`It is not known whether the service carried this out: ${reason.message}`, reason.facts);
	}
}

/** A creating POST was carried out (201), but its answer does not say where the new resource is: it must not be sent again. */
export class CreatedUnlocated extends DataGridError {
	readonly outcome = 'created';
	readonly hint =
		'Do not run it again, or there will be two: look for what was created in the service. Tell the operator of the service that its Location header cannot be used.';

	/** @param why no address can be read from the answer, e.g. `it says nowhere where` */
	constructor(why: string, facts: Facts) {
		super(`The service created it, but its address is not known: ${why}`, facts);
	}
}

/** A list whose pages have no end, or whose counts cannot be true. */
export class EndlessPages extends DataGridError {
	readonly hint =
		'Use Limit or a filter to read less. If the list is small, tell the operator of the service what its pages say.';
}

/** An answer that is not what the spec says: HTML, cut JSON, a missing member. `excerpt` shows how it began. */
export class UnreadableResponse extends DataGridError {
	readonly hint =
		'Check the base URL of the credential: a proxy, a login page or another service may be answering there.';

	constructor(
		what: string,
		facts: Facts & { status: number },
		readonly excerpt: string,
	) {
		super(`${what}. It began with: ${excerpt || '(an empty body)'}`, facts);
	}
}

/** An operation without permission: the representation lacks its link (§1). */
export class LinkMissing extends DataGridError {
	readonly hint: string;
	readonly rel: string;
	readonly available: readonly string[];

	constructor({ action, rel, available, role }: MissingLink) {
		const found = available.length === 0 ? 'no links' : `no link "${rel}", only ${available.join(', ')}`;
		super(`No permission to ${action}: the service sent ${found}`);
		this.rel = rel;
		this.available = available;
		this.hint =
			role === 'admin'
				? 'It needs the role admin: use a key with that role, or ask the owner to share the space as admin.'
				: `It needs the role ${role}: use a key with the role admin, or ask the owner to share the space as ${role}.`;
	}
}

export interface MissingLink {
	/** What the user wanted, e.g. `add entities to the grid "Orders"`. */
	action: string;
	rel: string;
	/** Links of the representation. */
	available: readonly string[];
	/** Least sufficient role (§4), for the hint only. */
	role: string;
}

/** A link, redirect or `Location` leads to another origin; nothing was sent there. */
export class ForeignOrigin extends DataGridError {
	readonly hint =
		'The credentials stay with the service they belong to. If the service has moved, change the base URL of the credential.';

	constructor(
		readonly origin: string,
		readonly expected: string,
	) {
		super(`The service pointed to ${origin}, which is not ${expected}; nothing was sent there`);
	}
}

/** The service redirected more often than any real one does. */
export class TooManyRedirects extends DataGridError {
	readonly hint =
		'Check the base URL of the credential: a proxy in front of the service may redirect in a circle.';

	constructor(facts: Facts) {
		super('The service redirected the request in a circle', facts);
	}
}

/** What the caller asked for cannot be sent. */
export class InvalidInput extends DataGridError {
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
	}
}

/** Reads `Retry-After` (seconds or an HTTP date) into milliseconds, with the answer's own `Date` as the clock. */
export function retryAfterOf(headers: Record<string, string>): number | undefined {
	const value = headers['retry-after']?.trim();
	if (!value) return undefined;
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	const until = toTimestamp(value, 'UTC');
	const now = toTimestamp(headers.date, 'UTC');
	return until === undefined || now === undefined ? undefined : Math.max(0, until - now);
}

/** The error for a status, as §7 lists them. */
export function statusError(facts: Facts & { status: number }, headers: Record<string, string>): StatusError {
	const { status } = facts;
	if (status === 400 || status === 422) return new BadRequest(facts);
	if (status === 401) return new Unauthorized(facts, headers['service-authorization']?.trim().toLowerCase());
	if (status === 403) return new Forbidden(facts);
	if (status === 404) return new NotFound(facts);
	if (status === 429) return new TooManyRequests(facts, retryAfterOf(headers));
	if (status >= 500) return new ServiceUnavailable(facts, retryAfterOf(headers));
	return new UnexpectedStatus(facts);
}
