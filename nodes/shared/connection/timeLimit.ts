/** Requests that start within this time share one timer. */
const SHARED_MS = 1000;

/** A request without a complete response. */
export interface Running {
	/** Whether its time is up, or the execution was cancelled. */
	isStopped: boolean;
	/** Aborts n8n's helper; without effect once the response headers have arrived. */
	readonly signal: AbortSignal;
	/** The requests that share its timer. */
	readonly group: Group;
	/** Discards the response; set once its headers have arrived. */
	giveUp?: () => void;
}

/** Requests started within the same second, and the signal that ends them. */
interface Group {
	began: number;
	signal: AbortSignal;
	running: Set<Running>;
	/** Listens to the signal while requests run: without a listener, Node clears the timer early. */
	stop: () => void;
}

/**
 * Aborts requests that take too long, and all requests once the execution is cancelled. A timer
 * and a signal for each request would cost more than reading its response.
 */
export class TimeLimit {
	private group: Group | undefined;
	private readonly all = new Set<Running>();
	private readonly cancelAll = () => {
		stop(this.all);
	};

	/**
	 * @param milliseconds time limit of a request; it may take up to a second more
	 * @param cancel signal of the execution, which outlives the requests
	 */
	constructor(
		private readonly milliseconds: number,
		private readonly cancel: AbortSignal | undefined,
	) {}

	/** Begins a request. Call `end` with the result once it is over. */
	start(): Running {
		const group = this.currentGroup();
		const { signal } = group;
		const running = { isStopped: this.cancel?.aborted ?? false, signal: this.cancel ?? signal, group };
		if (this.all.size === 0) this.cancel?.addEventListener('abort', this.cancelAll);
		this.all.add(running);
		if (group.running.size === 0) signal.addEventListener('abort', group.stop);
		group.running.add(running);
		return running;
	}

	end(running: Running): void {
		const { group } = running;
		group.running.delete(running);
		if (group.running.size === 0) group.signal.removeEventListener('abort', group.stop);
		this.all.delete(running);
		if (this.all.size === 0) this.cancel?.removeEventListener('abort', this.cancelAll);
	}

	private currentGroup(): Group {
		const now = performance.now();
		if (this.group && now - this.group.began < SHARED_MS) return this.group;
		const running = new Set<Running>();
		const signal = AbortSignal.timeout(this.milliseconds + SHARED_MS);
		this.group = {
			began: now,
			signal,
			running,
			stop: () => {
				stop(running);
			},
		};
		return this.group;
	}
}

function stop(requests: Iterable<Running>): void {
	for (const running of requests) {
		running.isStopped = true;
		running.giveUp?.();
	}
}
