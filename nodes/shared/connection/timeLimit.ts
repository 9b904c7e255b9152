/** Requests that start within this time share one timer. */
const SHARED_MS = 1000;

/** A request without a complete response. */
export interface Running {
	/** Whether its time is up, or the execution was cancelled. */
	isStopped: boolean;
	/** Aborts n8n's helper; without effect once the response headers have arrived. */
	readonly signal: AbortSignal;
	/** Requests that share its timer. */
	readonly others: Set<Running>;
	/** Discards the response; set once its headers have arrived. */
	giveUp?: () => void;
}

/** Requests started within the same second, and the signal that ends them. */
interface Group {
	began: number;
	signal: AbortSignal;
	running: Set<Running>;
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
		const { signal, running: others } = this.currentGroup();
		const running = { isStopped: this.cancel?.aborted ?? false, signal: this.cancel ?? signal, others };
		if (this.all.size === 0) this.cancel?.addEventListener('abort', this.cancelAll);
		this.all.add(running);
		others.add(running);
		return running;
	}

	end(running: Running): void {
		running.others.delete(running);
		this.all.delete(running);
		if (this.all.size === 0) this.cancel?.removeEventListener('abort', this.cancelAll);
	}

	private currentGroup(): Group {
		const now = performance.now();
		if (this.group && now - this.group.began < SHARED_MS) return this.group;
		const running = new Set<Running>();
		const signal = AbortSignal.timeout(this.milliseconds + SHARED_MS);
		signal.addEventListener('abort', () => stop(running), { once: true });
		this.group = { began: now, signal, running };
		return this.group;
	}
}

function stop(requests: Iterable<Running>): void {
	for (const running of requests) {
		running.isStopped = true;
		running.giveUp?.();
	}
}
