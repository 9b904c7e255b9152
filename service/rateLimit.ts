import { ServiceError } from './errors';

/**
 * Counts requests of each second; off unless the service is started with `--rate-limit`.
 * @param perSecond how many requests a second may hold
 * @returns call it for each request; @throws ServiceError 429 with `Retry-After` past the limit
 */
export function rateLimit(perSecond: number, now: () => number = Date.now): () => void {
	let second = 0;
	let count = 0;
	return () => {
		const current = Math.floor(now() / 1000);
		if (current !== second) {
			second = current;
			count = 0;
		}
		if (++count > perSecond) {
			throw new ServiceError(429, `More than ${perSecond} requests in a second`, undefined, {
				'Retry-After': '1',
			});
		}
	};
}
