import type { Query } from '../hal/links';
import type { RetryOptions } from '../http/retry';
import type { Deliver, Method, TransportRequest } from '../http/transport';
import { isPage } from './responses';

/** A request to the service: an href as in a link, a query, a body. */
export interface Call {
	method: Method;
	/** Relative to the base URL, absolute on its origin, or a URI template. */
	href: string;
	query?: Query;
	/** Sent as JSON. */
	body?: unknown;
	/** Sent unchanged, instead of `body`. */
	content?: { type: string; data: string | Uint8Array };
	accept?: string;
	expect?: 'text' | 'binary';
	/** Receives the content as it arrives, if the transport can stream. */
	deliver?: Deliver;
	/** Overrides the session's retry policy; false: sent once. */
	retry?: RetryOptions;
	/** Receives the target of a redirect, which is then not followed. */
	onRedirect?: (to: URL) => void;
	/** Marks a POST or PATCH as idempotent. */
	repeatable?: boolean;
}

/** How the body is sent: content unchanged, anything else as JSON. */
export function bodyOf(call: Call): { body?: string | Uint8Array } {
	if (call.content) return { body: call.content.data };
	return call.body === undefined ? {} : { body: JSON.stringify(call.body) };
}

/** How to receive the body. An HTML page is not a file: it is returned as body, not delivered. */
export function expectedOf({
	expect = 'text',
	deliver,
}: Call): Pick<TransportRequest, 'expect' | 'deliver' | 'holdsBack'> {
	return deliver ? { expect, deliver, holdsBack: isPage } : { expect };
}
