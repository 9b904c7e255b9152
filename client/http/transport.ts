export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One HTTP request. `url` is absolute and already checked to be of the service's own origin. */
export interface TransportRequest {
	method: Method;
	url: string;
	headers: Record<string, string>;
	/** Sent as it is; an empty JSON object arrives here as the text `{}`. */
	body?: string | Uint8Array;
	/** `text` is decoded as UTF-8 and never parsed; `binary` is for file downloads. */
	expect: 'text' | 'binary';
	/**
	 * Takes the content of a good answer (status 200 to 299) as it arrives, so that no file is held
	 * whole; `body` is empty then. Begun anew where the request is repeated. It need not tell that
	 * the content broke off: the transport does. One that cannot stream leaves it.
	 */
	deliver?: Deliver;
	/**
	 * Whether an answer with these headers is not to be delivered: its content then is the `body`.
	 */
	holdsBack?: (headers: Record<string, string>) => boolean;
}

export type Deliver = (content: AsyncIterable<Uint8Array>) => Promise<void>;

/** What came back, whatever its status. Header names are in lower case. */
export interface TransportResponse {
	status: number;
	headers: Record<string, string>;
	body: string | Uint8Array;
}

/**
 * The one door through which the client reaches the network and the clock. A
 * transport adds the credentials, follows no redirect, repeats nothing,
 * judges no status. `send` rejects with `ConnectionFailed` where no complete
 * answer came back, and `ResponseTooLarge` where it would have no end.
 */
export interface Transport {
	send(request: TransportRequest): Promise<TransportResponse>;
	/**
	 * Aborted when nothing more is to be sent. Requests on
	 * their way are then given up, and waits end at once.
	 */
	readonly signal?: AbortSignal | undefined;
	/** Waits for so many milliseconds, or until the signal is aborted. */
	sleep(milliseconds: number): Promise<void>;
	/** Milliseconds of a clock that never goes back; only differences mean something. */
	now(): number;
}
