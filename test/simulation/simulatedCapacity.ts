import { Limiter } from '../../client/http/limiter';
import { DEFAULT_RETRY, repeat } from '../../client/http/retry';
import { Random } from './random';
import type { VirtualTime } from './virtualTime';

/** 0, 1, 2 … */
export const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A service in virtual time, with a record of its requests. */
export class SimulatedService {
	inFlight = 0;
	highest = 0;
	refused = 0;
	readonly written: number[] = [];
	readonly sentAt: number[] = [];

	constructor(
		readonly time: VirtualTime,
		/** Duration of a response in milliseconds, or its error, by concurrent requests. */
		private readonly response: (inFlight: number, item: number) => number | Error,
	) {}

	create = async (item: number): Promise<number> => {
		this.inFlight++;
		this.highest = Math.max(this.highest, this.inFlight);
		this.sentAt.push(this.time.now());
		const response = this.response(this.inFlight, item);
		await this.time.sleep(typeof response === 'number' ? response : 1);
		this.inFlight--;
		if (response instanceof Error) {
			this.refused++;
			throw response;
		}
		this.written.push(item);
		return item;
	};
}

/**
 * Creates `count` items as a node does: with one limiter, and with retries where they are safe.
 */
export async function createAll(service: SimulatedService, count: number, ceiling = 64, seed = 1) {
	const { time } = service;
	const limiter = new Limiter(time, ceiling);
	const random = new Random(seed);
	const policy = { ...DEFAULT_RETRY, random: () => random.next() };
	const run = await time.run(
		limiter.run(numbers(count), (item) =>
			repeat(() => service.create(item), { policy, clock: time, limiter, idempotent: false }),
		),
	);
	return { run, limiter, took: time.now() };
}
