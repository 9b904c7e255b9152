import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Allowance } from '../rules/allowance';
import { unavailable } from '../rules/errors';
import { LIMITS } from '../rules/limits';
import { abandoned, type Caller } from '../rules/turns';

const MiB = 1024 * 1024;
/** Stored JSON of all pages that are kept until they are read; others are streamed. */
const MAX_PAGES_BYTES = 8 * MiB;
/** Streams that wait for memory, each with a list of the records of its page. */
const MAX_WAITING = 512;
const MAX_WAITING_OF_CALLER = 256;
/** All other responses that exceed the buffer of a connection. */
const MAX_OTHERS_BYTES = 32 * MiB;
const SMALL_LENGTH = 64 * 1024;

/** Memory of the responses that are streamed. */
export interface StreamLimits {
	/** Of all streams, of which a caller may take a quarter. */
	readonly bytes: number;
	/** Maximum time for which one waits for memory, in milliseconds. */
	readonly waitMs: number;
}

export const STREAM_LIMITS: StreamLimits = { bytes: 32 * MiB, waitMs: 10_000 };

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
	private readonly streams: Allowance;
	private readonly others = new Allowance(MAX_OTHERS_BYTES);
	private readonly reserved = new WeakSet<ServerResponse>();
	private readonly waiting = new Allowance(MAX_WAITING, MAX_WAITING_OF_CALLER);
	/** Begin streams that wait, if there is room for them, in the order of their arrival. */
	private readonly waiters = new Set<() => void>();

	constructor(private readonly limits: StreamLimits) {
		this.streams = new Allowance(limits.bytes);
	}

	/** Takes memory for a page until the client has read it. @returns whether there is room */
	reserve(response: ServerResponse, { name }: Caller, bytes: number): boolean {
		if (response.destroyed || !this.pages.hasRoom(name, bytes)) return false;
		hold(response, this.pages, name, bytes);
		this.reserved.add(response);
		return true;
	}

	/**
	 * Takes memory for a stream until the client has read it; waits until there is room. The first
	 * stream of a caller does not wait for those of others.
	 * @throws ServiceError 503 without room in time, or if the client disconnects
	 */
	async awaitRoom(response: ServerResponse, { name }: Caller, bytes: number): Promise<void> {
		const begin = () => {
			// Reading that is repeated keeps what it took.
			if (this.reserved.has(response)) return true;
			if (response.destroyed) return false;
			if (this.streams.has(name) && !this.streams.hasRoom(name, bytes)) return false;
			hold(response, this.streams, name, bytes);
			this.reserved.add(response);
			response.once('close', () => {
				for (const waiter of this.waiters) waiter();
			});
			return true;
		};
		if (begin()) return;
		if (!this.waiting.hasRoom(name, 1)) throw refusal();
		this.waiting.take(name, 1);
		await this.wait(response, begin).finally(() => {
			this.waiting.take(name, -1);
		});
	}

	/** @throws ServiceError 503 if a stream has not begun in time, or nobody would receive it */
	private async wait(response: ServerResponse, begin: () => boolean): Promise<void> {
		if (response.destroyed) throw abandoned();
		const ended = new AbortController();
		const { signal } = ended;
		let waiter: () => void = () => undefined;
		const begun = new Promise<undefined>((resolve) => {
			waiter = () => {
				if (begin()) resolve(undefined);
			};
		});
		this.waiters.add(waiter);
		try {
			const refused = await Promise.race([
				begun,
				once(response, 'close', { signal }).then(abandoned),
				delay(this.limits.waitMs, undefined, { signal }).then(refusal),
			]);
			if (refused) throw refused;
		} finally {
			this.waiters.delete(waiter);
			ended.abort();
		}
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
