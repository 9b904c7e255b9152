import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionFailed } from '../client/errors';
import {
	decodedText,
	type Transport,
	type TransportRequest,
	type TransportResponse,
} from '../client/http/transport';

/** Milliseconds for a complete response. */
const TIMEOUT_MS = 30_000;
/** Error codes of failed connections: nothing was sent. */
const NOT_REACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;

/** The transport outside n8n, for services with small responses. */
export class FetchTransport implements Transport {
	private readonly own: Record<string, string>;

	/** @param headers of every request */
	constructor({ key, secret }: { key: string; secret: string }, headers: Record<string, string> = {}) {
		const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
		this.own = { ...headers, authorization };
	}

	async send({ method, url, headers, body, expect }: TransportRequest): Promise<TransportResponse> {
		try {
			const response = await fetch(url, {
				method,
				headers: { ...headers, ...this.own },
				body: body ?? null,
				redirect: 'manual',
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			const content = Buffer.from(await response.arrayBuffer());
			return {
				status: response.status,
				headers: Object.fromEntries(response.headers),
				body: expect === 'binary' ? content : decodedText(content),
			};
		} catch (error) {
			const cause = error instanceof Error ? error.cause : undefined;
			const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'UNKNOWN';
			throw new ConnectionFailed(code, !NOT_REACHED.test(code));
		}
	}

	async sleep(milliseconds: number): Promise<void> {
		await delay(milliseconds);
	}

	now(): number {
		return performance.now();
	}
}
