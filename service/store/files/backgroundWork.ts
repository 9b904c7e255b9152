import type { Slices, Steps } from './slices';

/** How long failed work waits, e.g. for space on the disk. */
const RETRY_MS = 30_000;

/**
 * Work that goes on between requests until there is none left. Call `wake` whenever there may be
 * more: also after the last step has looked and before its transaction is committed.
 */
export class BackgroundWork {
	private isRunning = false;
	/** Whether there may be work that the steps under way have not seen. */
	private isWanted = false;

	/**
	 * @param steps does all work that there is
	 * @param onFault is told of a failure that no request is to
	 *   blame for
	 * @param retryMs how long until it is tried again, in milliseconds
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
