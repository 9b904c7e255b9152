import { outcomeOf } from '../../../client/http/limiter';

/** Lets work on one thing take turns, in the order in which it was asked for. */
export class Turns {
	private readonly last = new Map<string, Promise<unknown>>();

	/** @param key names the thing; work on different things runs side by side */
	async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
		const turn = outcomeOf(this.last.get(key) ?? Promise.resolve()).then(work);
		this.last.set(key, outcomeOf(turn));
		return await turn;
	}
}
