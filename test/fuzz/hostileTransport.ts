import { ConnectionFailed } from '../../client/errors';
import type { Transport, TransportRequest, TransportResponse } from '../../client/http/transport';
import type { HostileResponse } from './hostileResponses';

/**
 * So many requests for one call are a call that does not end: a list is read three times at most,
 * and up to 10,000 pages of it.
 */
const ENDLESS = 31_000;

/** Thrown into a call that would go on for ever. */
export class NeverEnds extends Error {}

/** Answers each request with the next of the answers, in no time. */
export class HostileTransport implements Transport {
	/** Where the requests went. */
	readonly origins = new Set<string>();
	sent = 0;
	private time = 0;

	constructor(
		private readonly answers: readonly HostileResponse[],
		private readonly most = ENDLESS,
	) {}

	send(request: TransportRequest): Promise<TransportResponse> {
		this.origins.add(new URL(request.url).origin);
		this.sent++;
		if (this.sent > this.most) return Promise.reject(new NeverEnds('Requests without end'));
		const answer = this.answers[(this.sent - 1) % this.answers.length];
		if (!answer || answer.status === 0) return Promise.reject(new ConnectionFailed('ECONNRESET', true));
		const body = answer.body.replaceAll('#', String(this.sent));
		const { status, headers } = answer;
		return Promise.resolve({ status, headers, body: request.expect === 'binary' ? Buffer.from(body) : body });
	}

	sleep(milliseconds: number): Promise<void> {
		this.time += milliseconds;
		return Promise.resolve();
	}

	now(): number {
		return this.time;
	}
}
