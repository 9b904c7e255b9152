import axios, { AxiosError, AxiosHeaders } from 'axios';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { ResponseTooLarge, MAX_RESPONSE_BYTES } from '../client/http/responseLimit';
import { ConnectionFailed } from '../client/errors';
import {
	decodedText,
	type Transport,
	type TransportRequest,
	type TransportResponse,
} from '../client/http/transport';

/** Error codes of failed connections: nothing was sent. */
const NOT_REACHED = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EAI_FAIL',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
]);

/**
 * The transport outside n8n: no redirects, no errors for statuses. Close it when done, if its
 * connections are kept alive.
 */
export class AxiosTransport implements Transport {
	private readonly httpAgent: HttpAgent;
	private readonly httpsAgent: HttpsAgent;
	private readonly authorization: string;

	/** @param timeout for a complete response, in milliseconds */
	constructor(
		{ key, secret }: { key: string; secret: string },
		private readonly timeout = 30_000,
		keepAlive = true,
	) {
		this.authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
		const agentOptions = { keepAlive, maxSockets: 256 };
		this.httpAgent = new HttpAgent(agentOptions);
		this.httpsAgent = new HttpsAgent(agentOptions);
	}

	async send(request: TransportRequest): Promise<TransportResponse> {
		try {
			const response = await axios.request<ArrayBuffer | Buffer>({
				method: request.method,
				url: request.url,
				headers: { ...request.headers, Authorization: this.authorization },
				data: request.body,
				responseType: 'arraybuffer',
				transformRequest: [(data: unknown) => data],
				maxRedirects: 0,
				validateStatus: () => true,
				proxy: false,
				timeout: this.timeout,
				maxContentLength: MAX_RESPONSE_BYTES[request.expect],
				maxBodyLength: Infinity,
				httpAgent: this.httpAgent,
				httpsAgent: this.httpsAgent,
			});
			const body = Buffer.from(response.data);
			const headers: Record<string, string> = {};
			const received = response.headers instanceof AxiosHeaders ? response.headers.toJSON(true) : {};
			for (const [name, value] of Object.entries<unknown>(received))
				headers[name.toLowerCase()] = String(value);
			return {
				status: response.status,
				headers,
				body: request.expect === 'binary' ? body : decodedText(body),
			};
		} catch (error) {
			if (!(error instanceof AxiosError)) throw error;
			if (error.message.startsWith('maxContentLength'))
				throw new ResponseTooLarge(MAX_RESPONSE_BYTES[request.expect]);
			const code = error.code ?? 'UNKNOWN';
			throw new ConnectionFailed(code, !NOT_REACHED.has(code));
		}
	}

	async sleep(milliseconds: number): Promise<void> {
		await delay(milliseconds);
	}

	now(): number {
		return performance.now();
	}

	close(): void {
		this.httpAgent.destroy();
		this.httpsAgent.destroy();
	}
}
