import { outcomeOf } from '../../../client';

/** Runs work with the same key in order; work with different keys runs concurrently. */
export class KeyedQueue {
	private readonly last = new Map<string, Promise<unknown>>();

	async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
		const before = this.last.get(key);
		const result = before ? before.then(work) : work();
		const end = outcomeOf(result).then(() => {
			// A key without further work is forgotten, because each item may have its own.
			if (this.last.get(key) === end) this.last.delete(key);
		});
		this.last.set(key, end);
		return await result;
	}
}
