import process, { exit } from 'node:process';
import { Interrupted } from './faults.mjs';

const controller = new AbortController();

/**
 * Set off by Ctrl-C, SIGTERM or a closed terminal. Whatever
 * waits or runs a child listens to it and cleans up.
 */
export const interruption = controller.signal;

/**
 * What a second Ctrl-C does at once, for a person who will
 * not wait for a clean end. @type {Set<() => void>}
 */
export const lastResort = new Set();

/** From here on a signal ends the work in order, and a second one at once. */
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
