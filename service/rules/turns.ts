import { ServiceError } from './errors';

/** How much work runs, and how much may wait. */
interface TurnLimits {
	/** Pieces of work at a time, one of each caller. */
	readonly running: number;
	/** Pieces of one caller that wait. */
	readonly waiting: number;
	/** Pieces of all callers that wait. */
	readonly waitingInAll: number;
}

interface Caller {
	isRunning: boolean;
	readonly waiting: Array<() => void>;
}

/**
 * Runs expensive work of many callers. Each has at most one piece of work running, and callers take
 * turns: nobody waits for the queue of another.
 */
export class Turns {
	private running = 0;
	private waiting = 0;
	/** Callers with work; the one whose turn ended last is at the end. */
	private readonly callers = new Map<string, Caller>();

	constructor(private readonly limits: TurnLimits) {}

	/** Does a piece of work in its turn. @throws ServiceError 429 while too much work waits */
	async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
		const caller = this.callers.get(name) ?? { isRunning: false, waiting: [] };
		if (caller.waiting.length >= this.limits.waiting || this.waiting >= this.limits.waitingInAll)
			throw new ServiceError(429, 'Too many such requests at once: send it again later', undefined, {
				'Retry-After': '1',
			});
		this.callers.set(name, caller);
		await new Promise<void>((granted) => {
			caller.waiting.push(granted);
			this.waiting += 1;
			this.grant();
		});
		try {
			return await work();
		} finally {
			this.running -= 1;
			caller.isRunning = false;
			// The next turn is that of another caller.
			this.callers.delete(name);
			if (caller.waiting.length > 0) this.callers.set(name, caller);
			this.grant();
		}
	}

	private grant(): void {
		for (const caller of this.callers.values()) {
			if (this.running >= this.limits.running) return;
			const granted = caller.isRunning ? undefined : caller.waiting.shift();
			if (!granted) continue;
			this.waiting -= 1;
			this.running += 1;
			caller.isRunning = true;
			granted();
		}
	}
}
