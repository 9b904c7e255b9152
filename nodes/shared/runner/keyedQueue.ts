import { outcomeOf } from '../../../client/http/limiter';

/** Runs work with the same key in order; work with different keys runs concurrently. */
export class KeyedQueue {
	private readonly last = new Map<string, Promise<unknown>>();

	async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
		const result = outcomeOf(this.last.get(key) ?? Promise.resolve()).then(work);
		this.last.set(key, outcomeOf(result));
		return await result;
	}
}
