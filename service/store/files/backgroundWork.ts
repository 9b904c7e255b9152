import type { Slices, Steps } from './slices';

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
	 *   blame for; the next start of the service tries again
	 */
	constructor(
		private readonly slices: Slices,
		private readonly steps: () => Steps<void>,
		private readonly onFault: (error: unknown) => void,
	) {}

	wake(): void {
		this.isWanted = true;
		if (this.isRunning) return;
		this.isRunning = true;
		this.run().catch((error: unknown) => {
			if (!this.slices.closed) this.onFault(error);
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
