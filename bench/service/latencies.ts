import { setTimeout as delay } from 'node:timers/promises';

/** Time to wait for pending requests at the end. */
const MAX_WAIT_MS = 10_000;

/** Requests that are sent regardless of earlier ones, and their latencies. */
export class Latencies {
	private readonly waits: number[] = [];
	private readonly unanswered = new Map<Promise<void>, number>();

	send(request: () => Promise<unknown>): void {
		const start = performance.now();
		const one = request()
			.then(() => undefined)
			.catch(() => undefined)
			.finally(() => {
				this.waits.push(performance.now() - start);
				this.unanswered.delete(one);
			});
		this.unanswered.set(one, start);
	}

	/**
	 * Median, 99th percentile and maximum in milliseconds; pending requests count with their time so
	 * far. Dashes if nothing was sent.
	 */
	async figures(): Promise<Array<number | '–'>> {
		await Promise.race([Promise.all(this.unanswered.keys()), delay(MAX_WAIT_MS)]);
		for (const start of this.unanswered.values()) this.waits.push(performance.now() - start);
		const sorted = this.waits.sort((a, b) => a - b);
		return [0.5, 0.99, 1].map((share) =>
			orDash(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]),
		);
	}
}

const orDash = (wait: number | undefined) => (wait === undefined ? '–' : Math.round(wait));
