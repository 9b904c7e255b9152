import type { z } from 'zod/v4';
import type { Identity } from '../rules/access';
import type { Store } from '../store/store';
import type { Linkable, LinkTable, Parameters } from './links';
import type { LinkGuard } from './linkGuard';

/** One request, as a handler sees it. */
export interface Call {
	readonly store: Store;
	readonly links: LinkTable;
	readonly params: Parameters;
	readonly query: unknown;
	/** Undefined when the request has none. */
	readonly body: unknown;
	/** Path and query as they were sent. */
	readonly url: string;
	/** Whether the representation of version 2 is asked for (§9). */
	readonly version2: boolean;
	/** The `Authorization` header as it came: public links have credentials of their own. */
	readonly authorization: string | undefined;
	/** The network address of the caller, as far as one customer of a network holds it. */
	readonly address: string;
	readonly linkGuard: LinkGuard;
	/** Who calls. @throws ServiceError 401 without credentials, or with wrong ones */
	login(): Identity;
}

/** What a handler answers when it is not 200 with JSON. */
export class HttpResponse {
	constructor(
		readonly status: number,
		readonly headers: Readonly<Record<string, string>>,
		readonly body: string | NodeJS.ReadableStream,
	) {}
}

/** 201 with `Location` and a text body (§4). @param path of the new resource */
export const created = (path: string) =>
	new HttpResponse(201, { Location: path, 'Content-Type': 'text/plain; charset=utf-8' }, `Created ${path}`);

/**
 * What an endpoint takes and answers, for the description: the very schemas that its handler reads
 * with.
 */
export interface About {
	/** An object of parameters. */
	readonly query?: z.ZodType;
	readonly body?: z.ZodType;
	/** Whether it may be called without a body. */
	readonly optional?: true;
	/** The response: JSON, or another body. */
	readonly answer: z.ZodType | 'created' | 'file' | 'redirect';
	/** With JSON; 200 if omitted. */
	readonly status?: 201;
	/** The JSON it answers with 200 to a request for a preview. */
	readonly preview?: z.ZodType;
	/** Whether it takes a file as multipart/form-data; all others take JSON only. */
	readonly upload?: true;
}

/** One endpoint. */
export interface Route extends Linkable {
	readonly about: About;
	/** Refuses a caller who may not use it. Asked before a body is read, and again by `run`. */
	admit(call: Call): unknown;
	run(call: Call): unknown;
}
