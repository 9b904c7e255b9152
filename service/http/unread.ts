import type { ServerResponse } from 'node:http';
import { Allowance } from '../rules/allowance';
import { unavailable } from '../rules/errors';
import { LIMITS } from '../rules/limits';
import type { Caller } from '../rules/turns';

const MiB = 1024 * 1024;
/** Stored JSON of all pages that are kept until they are read; others are streamed. */
const MAX_PAGES_BYTES = 8 * MiB;
/** All other responses that exceed the buffer of a connection. */
const MAX_OTHERS_BYTES = 32 * MiB;
const SMALL_LENGTH = 64 * 1024;

const refusal = () => unavailable('Too many responses have not been read: send the request again later');

function hold(response: ServerResponse, allowance: Allowance, name: string, bytes: number): void {
	allowance.take(name, bytes);
	response.once('close', () => {
		allowance.take(name, -bytes);
	});
}

/** Memory of the responses that their clients have not read. */
export class UnreadResponses {
	private readonly pages = new Allowance(MAX_PAGES_BYTES);
	private readonly others = new Allowance(MAX_OTHERS_BYTES);
	private readonly reserved = new WeakSet<ServerResponse>();

	/** Takes memory for a page until the client has read it. @returns whether there is room */
	reserve(response: ServerResponse, { name }: Caller, bytes: number): boolean {
		if (response.destroyed || !this.pages.hasRoom(name, bytes)) return false;
		hold(response, this.pages, name, bytes);
		this.reserved.add(response);
		return true;
	}

	/** @throws ServiceError 503 before a write whose response may find no memory */
	requireRoom({ name }: Caller): void {
		if (!this.others.hasRoom(name, LIMITS.bodyBytes)) throw refusal();
	}

	/**
	 * Takes memory for the text of a response.
	 * @param mayRefuse whether nothing was written
	 * @throws ServiceError 503 without room for it
	 */
	add(response: ServerResponse, { name }: Caller, text: string, mayRefuse: boolean): void {
		if (text.length <= SMALL_LENGTH || this.reserved.has(response) || response.destroyed) return;
		if (mayRefuse && !this.others.hasRoom(name, text.length)) throw refusal();
		hold(response, this.others, name, text.length);
	}
}
