import { unavailable } from '../../rules/errors';
import type { Database } from './database';

/** How long one slice may keep other requests waiting. */
const SLICE_MS = 8;
/** How long one statement within a slice should take: a slice ends between statements only. */
const STATEMENT_MS = 2;
const MAX_PORTION_ROWS = 4096;

/** Long work in steps of a few milliseconds: it may pause at each `yield`. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

interface Turn {
	readonly grant: () => void;
	readonly refuse: (error: unknown) => void;
}

/**
 * Lets long work run between other requests. Each turn of the event loop has one slice of at most
 * about SLICE_MS, however many works are under way; they take turns.
 */
export class Slices {
	private readonly waiting: Turn[] = [];
	/** Whether the service is stopping. */
	closed = false;

	constructor(private readonly db: Database) {}

	/**
	 * Does work that writes nothing.
	 * @throws ServiceError 503 when the service stops before the work is done
	 */
	read<Result>(steps: Steps<Result>): Promise<Result> {
		return this.run(steps, () => proceed(steps));
	}

	/**
	 * Does work that writes, each slice in a transaction of its own: others see every slice, and
	 * after kill -9 some slices may be there and others not. So write where nobody looks yet (see
	 * DetachedGrids), and publish in one small transaction afterwards.
	 * @throws ServiceError 503 when the service stops before the
	 *   work is done; what kept a slice from getting to the disk
	 */
	write<Result>(steps: Steps<Result>): Promise<Result> {
		return this.run(steps, async () => {
			const since = this.db.mark();
			const step = this.db.transaction(() => proceed(steps));
			await this.db.committed(since);
			return step;
		});
	}

	/**
	 * Waits for the next slice: for work that cannot be written as steps.
	 * @throws ServiceError 503 when the service stops
	 */
	turn(): Promise<void> {
		return new Promise((resolve, reject) => {
			if (this.closed) {
				reject(stopping());
				return;
			}
			this.waiting.push({ grant: resolve, refuse: reject });
			if (this.waiting.length === 1) setImmediate(this.grant);
		});
	}

	/** Ends what is under way at its next pause. */
	close(): void {
		this.closed = true;
		for (const { refuse } of this.waiting.splice(0)) refuse(stopping());
	}

	private async run<Result>(
		steps: Steps<Result>,
		slice: () => IteratorResult<undefined, Result> | Promise<IteratorResult<undefined, Result>>,
	): Promise<Result> {
		try {
			for (;;) {
				await this.turn();
				const step = await slice();
				if (step.done) return step.value;
			}
		} catch (error) {
			// Lets the steps clean up, and throws the error again.
			steps.throw(error);
			throw error;
		}
	}

	private readonly grant = (): void => {
		this.waiting.shift()?.grant();
		if (this.waiting.length > 0) setImmediate(this.grant);
	};
}

const stopping = () => unavailable('The service is stopping: send the request again when it is back');

/** Does the steps of one slice. */
function proceed<Result>(steps: Steps<Result>): IteratorResult<undefined, Result> {
	const end = performance.now() + SLICE_MS;
	for (;;) {
		const step = steps.next();
		if (step.done || performance.now() >= end) return step;
	}
}

/** Does all steps at once: for work within a transaction, and for small work. */
export function complete<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/**
 * How many rows a statement takes at a time: adapts so that one takes about STATEMENT_MS, whatever
 * the rows hold (up to 2 MiB each).
 */
export class Portion {
	rows = 16;

	/** Times `work`, which handles up to `rows` rows. */
	measure<Result>(work: (rows: number) => Result): Result {
		const start = performance.now();
		const result = work(this.rows);
		const factor = STATEMENT_MS / Math.max(0.01, performance.now() - start);
		const next = this.rows * Math.min(4, factor);
		this.rows = Math.round(Math.min(MAX_PORTION_ROWS, Math.max(1, next)));
		return result;
	}
}
