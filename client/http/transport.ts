export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One HTTP request. `url` is absolute and already checked to be of the service's own origin. */
export interface TransportRequest {
	method: Method;
	url: string;
	headers: Record<string, string>;
	/** Sent unchanged; an empty JSON object is the text `{}`. */
	body?: string | Uint8Array;
	/** `text` is decoded by `decodedText` and never parsed; `binary` is for file downloads. */
	expect: 'text' | 'binary';
	/**
	 * Receives the content of a successful response (200 to 299) as a stream; `body` is then empty.
	 * Called again if the request is repeated. The transport reports incomplete content. Transports
	 * that cannot stream ignore it.
	 */
	deliver?: Deliver;
	/** Whether a response with these headers is returned as `body` instead of delivered. */
	holdsBack?: (headers: Record<string, string>) => boolean;
}

export type Deliver = (content: AsyncIterable<Uint8Array>) => Promise<void>;

/** Header names are in lower case. The body is bytes if it cannot be decoded. */
export interface TransportResponse {
	status: number;
	headers: Record<string, string>;
	body: string | Uint8Array;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a text in UTF-8, which JSON requires (RFC 8259, 8.1). @returns the bytes of any other */
export function decodedText(bytes: Uint8Array): string | Uint8Array {
	try {
		return utf8.decode(bytes);
	} catch {
		return bytes;
	}
}

/**
 * The client's only access to the network and the clock. A transport adds the credentials; it
 * follows no redirects, repeats nothing and evaluates no status. `send` rejects with
 * `ConnectionFailed` if no complete response was received, and with `ResponseTooLarge` above the
 * size limit.
 */
export interface Transport {
	send(request: TransportRequest): Promise<TransportResponse>;
	/** Aborts running requests and ends waits. */
	readonly signal?: AbortSignal | undefined;
	/** Waits, or returns when the signal is aborted. */
	sleep(milliseconds: number): Promise<void>;
	/** Milliseconds of a monotonic clock; only differences are meaningful. */
	now(): number;
}
