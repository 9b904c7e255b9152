import { unavailable } from '../../rules/errors';
import { abandoned, type Caller } from '../../rules/turns';
import type { Database } from './database';

/** Maximum duration of a slice. */
const SLICE_MS = 8;
/** Target duration of a statement; a slice ends between statements only. */
const STATEMENT_MS = 2;
const MAX_PORTION_ROWS = 4096;

/** A long operation in short steps; it may pause at each `yield`. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

interface Turn {
	readonly grant: () => void;
	readonly refuse: (error: unknown) => void;
}

/**
 * Runs long operations between other requests. Each turn of the event loop has one slice of about
 * SLICE_MS; concurrent operations take turns.
 */
export class Slices {
	private readonly waiting: Turn[] = [];
	/** Whether the service is stopping. */
	closed = false;
	/** Whether connections go first in a turn of the event loop; a server sets it. */
	isPostponed = () => false;

	constructor(private readonly db: Database) {}

	/**
	 * Runs a read-only operation.
	 * @param caller who receives its result; it ends when they disconnect
	 * @throws ServiceError 503 if the service stops first
	 */
	read<Result>(steps: Steps<Result>, caller?: Pick<Caller, 'isGone'>): Promise<Result> {
		return this.run(steps, async () => {
			await this.turn();
			if (caller?.isGone()) throw abandoned();
			return runSlice(steps);
		});
	}

	/**
	 * Runs a writing operation, each slice in a separate transaction. Other requests see every
	 * slice, and after kill -9 only some slices may exist. So write unpublished data (see
	 * DetachedGrids) and publish it in one small transaction.
	 * @throws ServiceError 503 if the service stops first; the error of a failed commit
	 */
	write<Result>(steps: Steps<Result>): Promise<Result> {
		return this.run(steps, async () => {
			await this.db.keepLogShort();
			await this.turn();
			return this.db.alone(() => runSlice(steps));
		});
	}

	/**
	 * Waits for the next slice, for operations that cannot be written as steps.
	 * @throws ServiceError 503 if the service stops
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

	/** Ends all operations at their next pause. */
	close(): void {
		this.closed = true;
		for (const { refuse } of this.waiting.splice(0)) refuse(stopping());
	}

	private async run<Result>(
		steps: Steps<Result>,
		slice: () => Promise<IteratorResult<undefined, Result>>,
	): Promise<Result> {
		try {
			for (;;) {
				const step = await slice();
				if (step.done) return step.value;
			}
		} catch (error) {
			// Lets the steps clean up and rethrows the error.
			steps.throw(error);
			throw error;
		}
	}

	private readonly grant = (): void => {
		if (this.isPostponed()) {
			setImmediate(this.grant);
			return;
		}
		// A slice reads only what is on disk, and its writes have an outcome of their own.
		this.db.commitGroup();
		this.waiting.shift()?.grant();
		if (this.waiting.length > 0) setImmediate(this.grant);
	};
}

const stopping = () => unavailable('The service is stopping: send the request again after its restart');

/** Runs the steps of one slice. */
function runSlice<Result>(steps: Steps<Result>): IteratorResult<undefined, Result> {
	const end = performance.now() + SLICE_MS;
	for (;;) {
		const step = steps.next();
		if (step.done || performance.now() >= end) return step;
	}
}

/** Runs all steps at once, for small operations and within transactions. */
export function runAll<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/**
 * Number of rows per statement, adapted to STATEMENT_MS because the size of rows varies (up to 2
 * MiB each).
 */
export class Portion {
	/** @param rows of the first statement */
	constructor(public rows = 16) {}

	/** Times `work`, which handles up to `rows` rows. */
	measure<Result>(work: (rows: number) => Result): Result {
		const start = performance.now();
		const result = work(this.rows);
		const factor = STATEMENT_MS / Math.max(0.01, performance.now() - start);
		const next = this.rows * Math.min(4, factor);
		this.rows = Math.round(Math.min(MAX_PORTION_ROWS, Math.max(1, next)));
		return result;
	}

	/** Limits the size of the next rows. @param size of the last ones, of which there were `rows` */
	limit(rows: number, size: number, maxSize: number): void {
		if (size > 0) this.rows = Math.max(1, Math.min(this.rows, Math.floor((rows * maxSize) / size)));
	}
}
