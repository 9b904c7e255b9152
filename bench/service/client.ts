import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Time to wait for pending probes at the end. */
const MAX_PROBE_MS = 10_000;

/** A request of the benchmark, on a keep-alive connection. */
export interface Call {
	readonly method: string;
	readonly path: string;
	readonly body?: string;
}

/** Sends requests to one server. */
export class Load {
	private readonly agent: Agent;

	constructor(
		private readonly url: string,
		private readonly headers: Readonly<Record<string, string>>,
		connections: number,
	) {
		this.agent = new Agent({ keepAlive: true, maxSockets: connections });
	}

	/** @returns the body @throws if the status is not 2xx */
	send({ method, path, body }: Call): Promise<string> {
		return new Promise((resolve, reject) => {
			const sent = request(
				this.url + path,
				{
					method,
					agent: this.agent,
					headers: {
						accept: 'application/vnd.service.hal;version=2',
						...this.headers,
						...(body === undefined
							? {}
							: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
					},
				},
				(response) => {
					const chunks: Buffer[] = [];
					response.on('data', (chunk: Buffer) => chunks.push(chunk));
					response.on('end', () => {
						const text = Buffer.concat(chunks).toString();
						if (response.statusCode !== undefined && response.statusCode < 300) resolve(text);
						else reject(new Error(`${method} ${path}: ${response.statusCode ?? 0} ${text.slice(0, 200)}`));
					});
				},
			);
			sent.on('error', reject);
			sent.end(body);
		});
	}

	/** @param at concurrency @returns requests per second */
	async rate(calls: readonly Call[], at: number): Promise<number> {
		let next = 0;
		const worker = async () => {
			for (let call = calls[next++]; call; call = calls[next++]) await this.send(call);
		};
		const start = performance.now();
		await Promise.all(Array.from({ length: at }, worker));
		return (calls.length / (performance.now() - start)) * 1000;
	}

	/**
	 * Sends requests in sequence, for at most 15 seconds, but at least three times.
	 * @returns the median in milliseconds
	 */
	async median(call: Call, times: number): Promise<number> {
		const taken: number[] = [];
		const begun = performance.now();
		while (taken.length < times && (taken.length < 3 || performance.now() - begun < 15_000)) {
			const start = performance.now();
			await this.send(call);
			taken.push(performance.now() - start);
		}
		return taken.sort((a, b) => a - b)[Math.floor(taken.length / 2)] ?? 0;
	}

	close(): void {
		this.agent.destroy();
	}
}

/** Requests that are sent at intervals, and their latencies. */
export class Probes {
	private readonly waits: number[] = [];
	private readonly unanswered = new Map<Promise<void>, number>();

	constructor(private readonly request: () => Promise<unknown>) {}

	send(): void {
		const start = performance.now();
		const one = this.request()
			.then(() => undefined)
			.catch(() => undefined)
			.finally(() => {
				this.waits.push(performance.now() - start);
				this.unanswered.delete(one);
			});
		this.unanswered.set(one, start);
	}

	/**
	 * Median, 99th percentile and maximum latency in milliseconds; pending requests count with
	 * their time so far. Dashes if the operation ended before the first probe.
	 */
	async figures(): Promise<Array<number | '–'>> {
		await Promise.race([Promise.all(this.unanswered.keys()), delay(MAX_PROBE_MS)]);
		for (const start of this.unanswered.values()) this.waits.push(performance.now() - start);
		const sorted = this.waits.sort((a, b) => a - b);
		return [0.5, 0.99, 1].map((share) =>
			orDash(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]),
		);
	}
}

const orDash = (wait: number | undefined) => (wait === undefined ? '–' : Math.round(wait));
