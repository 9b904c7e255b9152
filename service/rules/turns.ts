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

/** Who waits for work. */
export interface Caller {
	/** An account, or the address of a guest. */
	readonly name: string;
	/** Whether nobody receives the result any more. */
	isGone(): boolean;
}

/** The work of the callers of one name. */
interface Queue {
	isRunning: boolean;
	waiting: Waiting[];
}

interface Waiting {
	readonly caller: Caller;
	readonly grant: () => void;
	readonly refuse: (error: Error) => void;
}

const MESSAGE = 'Too many such requests at once: send it again later';
const tooMany = () => new ServiceError(429, MESSAGE, undefined, { 'Retry-After': '1' });

/** Ends work whose client disconnected; nobody receives this error. */
export const abandoned = () => new ServiceError(503, 'The client disconnected');

/**
 * Runs expensive work of many callers. Each has at most one piece of work running, and callers take
 * turns: nobody waits for the queue of another.
 */
export class Turns {
	private running = 0;
	private waiting = 0;
	/** Queues with work, by name; the one whose turn ended last is at the end. */
	private readonly queues = new Map<string, Queue>();

	constructor(private readonly limits: TurnLimits) {}

	/**
	 * Does a piece of work in its turn.
	 * @throws ServiceError 429 while too much work waits
	 */
	async run<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result> {
		const { name } = caller;
		const queue = this.queues.get(name) ?? { isRunning: false, waiting: [] };
		if (this.isFull(queue)) this.dropAbandoned();
		if (this.isFull(queue)) throw tooMany();
		this.queues.set(name, queue);
		await new Promise<void>((grant, refuse) => {
			queue.waiting.push({ caller, grant, refuse });
			this.waiting += 1;
			this.grant();
		});
		try {
			return await work();
		} finally {
			this.running -= 1;
			queue.isRunning = false;
			// The next turn is that of another caller.
			this.queues.delete(name);
			if (queue.waiting.length > 0) this.queues.set(name, queue);
			this.grant();
		}
	}

	private isFull({ waiting }: Queue): boolean {
		return waiting.length >= this.limits.waiting || this.waiting >= this.limits.waitingInAll;
	}

	/** Takes work whose clients disconnected out of all queues. */
	private dropAbandoned(): void {
		for (const queue of this.queues.values()) {
			const gone = queue.waiting.filter(({ caller }) => caller.isGone());
			queue.waiting = queue.waiting.filter((one) => !gone.includes(one));
			this.waiting -= gone.length;
			for (const { refuse } of gone) refuse(abandoned());
		}
	}

	private grant(): void {
		for (const queue of this.queues.values()) {
			if (this.running >= this.limits.running) return;
			const granted = queue.isRunning ? undefined : queue.waiting.shift();
			if (!granted) continue;
			this.waiting -= 1;
			this.running += 1;
			queue.isRunning = true;
			granted.grant();
		}
	}
}
