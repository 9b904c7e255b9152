import { Worker } from 'node:worker_threads';

/** Delay between a commit and its checkpoint. */
const PAUSE_MS = 250;

/**
 * Code of the thread, as text, so that test runners do not compile it. Its connection is open only
 * during a checkpoint, because the last connection to close merges the log.
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
		// Another checkpoint is running; the next one copies the rest.
	}
	parentPort.postMessage('finished');
});`;

/**
 * Copies SQLite's log into the data file on a separate thread. SQLite's automatic checkpoints would
 * block all requests for up to half a second while a large grid is copied or indexed.
 */
export class Checkpoints {
	private worker: Worker | undefined;
	private timer: NodeJS.Timeout | undefined;
	/** Settles after the running checkpoint. */
	private running: Promise<void> | undefined;
	private stopped = false;

	/** @param path the data file */
	constructor(private readonly path: string) {}

	/** Schedules a checkpoint. Call after a commit. */
	schedule(): void {
		if (this.stopped || this.timer) return;
		this.timer = setTimeout(() => {
			this.timer = undefined;
			void this.run();
		}, PAUSE_MS);
		this.timer.unref();
	}

	/** Runs a checkpoint, as far as readers allow. */
	run(): Promise<void> {
		if (this.stopped) return this.running ?? Promise.resolve();
		const worker = (this.worker ??= this.start());
		this.running = (this.running ?? Promise.resolve()).then(
			() =>
				new Promise<void>((resolve) => {
					const finish = () => {
						worker.off('message', finish).off('exit', finish);
						resolve();
					};
					worker.once('message', finish).once('exit', finish);
					worker.postMessage('checkpoint');
				}),
		);
		return this.running;
	}

	/** Ends the thread after the running checkpoint. */
	async stop(): Promise<void> {
		this.stopped = true;
		clearTimeout(this.timer);
		await this.running;
		await this.worker?.terminate();
	}

	private start(): Worker {
		const workerData = { path: this.path, driver: require.resolve('@photostructure/sqlite') };
		const worker = new Worker(program, { eval: true, workerData });
		// Without the thread, the log grows until a commit copies it.
		worker.on('error', () => (this.worker = undefined));
		worker.unref();
		return worker;
	}
}
