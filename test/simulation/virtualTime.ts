/**
 * A clock that only goes on when everything else stands still: minutes of waiting pass in a few
 * milliseconds, and the same program always meets the same times.
 */
export class VirtualTime {
	private time = 0;
	private order = 0;
	private readonly sleepers: Array<{ until: number; order: number; wake: () => void }> = [];

	now = (): number => this.time;

	sleep = async (milliseconds: number): Promise<void> => {
		await new Promise<void>((wake) => {
			this.sleepers.push({ until: this.time + Math.max(0, milliseconds), order: this.order++, wake });
		});
	};

	/**
	 * Lets time pass until the work has ended.
	 * @throws what the work throws, or an Error where it waits for nothing
	 */
	async run<Result>(work: Promise<Result>): Promise<Result> {
		const state = { ended: false };
		const end = () => {
			state.ended = true;
		};
		work.then(end, end);
		for (;;) {
			// A turn of the event loop lets every promise that can go on do so first.
			await new Promise<void>((turn) => setImmediate(turn));
			if (state.ended) return await work;
			this.sleepers.sort((a, b) => a.until - b.until || a.order - b.order);
			const next = this.sleepers.shift();
			if (!next) throw new Error('Everything waits, and nothing will happen');
			this.time = Math.max(this.time, next.until);
			next.wake();
			while (this.sleepers[0] !== undefined && this.sleepers[0].until <= this.time)
				this.sleepers.shift()?.wake();
		}
	}
}
