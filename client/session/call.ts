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
	/** A status that, like 200, 201 and 204, shows that a write was carried out. */
	written?: number;
	/** Marks a POST or PATCH as idempotent. */
	repeatable?: boolean;
}

/** §9: the representation that contains the fields of a grid. */
const ACCEPT = 'application/vnd.service.hal;version=2';
/** §4: the response to a creation is text/plain. All writes accept it; no version depends on it. */
const ACCEPT_ANY = `${ACCEPT}, application/json;q=0.9, text/plain;q=0.8, */*;q=0.1`;

/**
 * The request of a call: content is sent unchanged, any other body as JSON. An HTML page is not a
 * file: it is returned as body, not delivered.
 */
export function requestOf({ method, accept, content, body, expect = 'text', deliver }: Call, url: string) {
	const headers: Record<string, string> = { accept: accept ?? (method === 'GET' ? ACCEPT : ACCEPT_ANY) };
	const request: TransportRequest = { method, url, headers, expect };
	if (content) {
		headers['content-type'] = content.type;
		request.body = content.data;
	} else if (body !== undefined) {
		headers['content-type'] = 'application/json';
		request.body = JSON.stringify(body);
	}
	if (deliver) {
		request.deliver = deliver;
		request.holdsBack = isPage;
	}
	return request;
}
