import { Worker } from 'node:worker_threads';

/** How long writes gather in the log before they are copied into the data file. */
const PAUSE_MS = 250;

/**
 * What the thread runs: as text, so that it is the same under a test
 * runner that compiles on the way. Its connection is open only while
 * it works, for whoever closes the data file last merges the log.
 */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require(workerData.driver);
parentPort.on('message', () => {
	try {
		const db = new DatabaseSync(workerData.path, { timeout: 0 });
		try {
			db.exec('PRAGMA wal_checkpoint(PASSIVE)');
		} finally {
			db.close();
		}
	} catch {
		// Somebody else is at it: the next one takes what is left.
	}
	parentPort.postMessage('done');
});`;

/**
 * Copies SQLite's log into the data file on a thread of its own. Done by the
 * commit that fills the log, as is SQLite's way, it held up all requests for
 * up to half a second while a large grid was copied or indexed.
 */
export class Checkpoints {
	private worker: Worker | undefined;
	private timer: NodeJS.Timeout | undefined;
	/** Settles when the checkpoint under way is over. */
	private running: Promise<void> | undefined;
	private stopped = false;

	/** @param path the data file */
	constructor(private readonly path: string) {}

	/** Call after a commit. */
	wanted(): void {
		if (this.stopped || this.timer) return;
		this.timer = setTimeout(() => {
			this.timer = undefined;
			void this.run();
		}, PAUSE_MS);
		this.timer.unref();
	}

	/** Copies what is in the log now, as far as readers allow. */
	run(): Promise<void> {
		if (this.stopped) return this.running ?? Promise.resolve();
		const worker = (this.worker ??= this.start());
		this.running = (this.running ?? Promise.resolve()).then(
			() =>
				new Promise<void>((resolve) => {
					const over = () => {
						worker.off('message', over).off('exit', over);
						resolve();
					};
					worker.once('message', over).once('exit', over);
					worker.postMessage('checkpoint');
				}),
		);
		return this.running;
	}

	/** Ends the thread, after what it is doing. */
	async stop(): Promise<void> {
		this.stopped = true;
		clearTimeout(this.timer);
		await this.running;
		await this.worker?.terminate();
	}

	private start(): Worker {
		const workerData = { path: this.path, driver: require.resolve('@photostructure/sqlite') };
		const worker = new Worker(program, { eval: true, workerData });
		// Without the thread the log grows up to the size at which a commit copies it.
		worker.on('error', () => (this.worker = undefined));
		worker.unref();
		return worker;
	}
}
