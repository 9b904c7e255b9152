import type { z } from 'zod/v4';
import type { Identity } from '../rules/access';
import type { Store } from '../store/store';
import type { Caller } from '../rules/turns';
import type { Linkable, LinkTable, Parameters } from './links';
import type { Session } from './sessions';
import type { LinkGuard } from './linkGuard';

/** A request, as handlers see it. */
export interface Call {
	readonly store: Store;
	readonly links: LinkTable;
	readonly params: Parameters;
	readonly query: unknown;
	/** Undefined if the request has no body. */
	readonly body: unknown;
	/** Path and query as sent. */
	readonly url: string;
	/** Whether version 2 of the representation is requested (§9). */
	readonly version2: boolean;
	/** Whether only the head of the response is requested. */
	readonly headOnly: boolean;
	/** The `Authorization` header as sent, because public links have their own credentials. */
	readonly authorization: string | undefined;
	/** Network address of the caller, reduced to the part that identifies a customer. */
	readonly address: string;
	/** Who waits for the work of the request, by the account or else the address. */
	readonly caller: Caller;
	/** Takes memory for a page until the client has read it. @returns whether there is room */
	readonly reserve: (bytes: number) => boolean;
	/**
	 * Takes memory for a streamed response until the client has read it; waits for it.
	 * @throws ServiceError 503 if there is none in time
	 */
	readonly awaitRoom: (bytes: number) => Promise<void>;
	readonly linkGuard: LinkGuard;
	readonly session: Session;
	/** Whether the identity is that of a session of the page. */
	readonly isBySession: boolean;
	/** Identity of the caller. @throws ServiceError 401 without valid credentials */
	login(): Identity;
	/**
	 * Checks again that the caller may use the route. Call it after a wait, before writing.
	 * @throws ServiceError like the first check
	 */
	readonly authorizeAgain: () => Promise<void>;
}

/** A response other than 200 with JSON. */
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
 * Input and output of an endpoint, for the description. The handler parses its input with the same
 * schemas.
 */
export interface About {
	/** Schema of the query parameters. */
	readonly query?: z.ZodType;
	readonly body?: z.ZodType;
	/** Whether the body is optional. */
	readonly optional?: true;
	/** Response body: JSON or another type. */
	readonly response: z.ZodType | 'created' | 'file' | 'redirect';
	/** Status with JSON; 200 if omitted. */
	readonly status?: 201;
	/** JSON of the 200 response to a preview request. */
	readonly preview?: z.ZodType;
	/** Whether it accepts a file as multipart/form-data; others accept JSON only. */
	readonly upload?: true;
}

/** One endpoint. */
export interface Route extends Linkable {
	readonly about: About;
	/** Refuses unauthorized callers. Called before the body is read, and again by `run`. */
	authorize(call: Call): unknown;
	run(call: Call): unknown;
}
