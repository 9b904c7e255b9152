import type { Slices, Steps } from './slices';

/** Delay before failed work is retried, e.g. after the disk was full. */
const RETRY_MS = 30_000;

/**
 * Runs work between requests until none is left. Call `wake` whenever there may be more, even
 * during the last step.
 */
export class BackgroundWork {
	private isRunning = false;
	/** Whether there may be work that the running steps have not seen. */
	private isWanted = false;

	/**
	 * @param steps does all pending work
	 * @param onFault called for errors
	 * @param retryMs delay before a retry, in milliseconds
	 */
	constructor(
		private readonly slices: Slices,
		private readonly steps: () => Steps<void>,
		private readonly onFault: (error: unknown) => void,
		private readonly retryMs = RETRY_MS,
	) {}

	wake(): void {
		this.isWanted = true;
		if (this.isRunning) return;
		this.isRunning = true;
		this.run().catch((error: unknown) => {
			if (this.slices.closed) return;
			this.onFault(error);
			setTimeout(() => {
				this.wake();
			}, this.retryMs).unref();
		});
	}

	private async run(): Promise<void> {
		try {
			while (this.isWanted) {
				this.isWanted = false;
				await this.slices.write(this.steps());
			}
		} finally {
			this.isRunning = false;
		}
	}
}
