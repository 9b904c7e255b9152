import process, { exit } from 'node:process';
import { Interrupted } from './faults.mjs';

const controller = new AbortController();

/**
 * Aborted by Ctrl-C, SIGTERM or a closed terminal. Code that waits or runs a child process must
 * clean up then.
 */
export const interruption = controller.signal;

/** Functions that a second Ctrl-C calls before it exits at once. @type {Set<() => void>} */
export const lastResort = new Set();

/** Makes a signal shut down in order, and a second one exit at once. */
export function listenForInterruption() {
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => {
			if (controller.signal.aborted) {
				for (const end of lastResort) end();
				exit(130);
			}
			controller.abort(new Interrupted());
		});
	}
}
