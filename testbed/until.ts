import { setTimeout as wait } from 'node:timers/promises';
import { Fault } from '../scripts/setup/faults.mjs';
import { interruption } from '../scripts/setup/interruption.mjs';

/** Only a defect may exceed it, however busy the machine is. */
const PATIENCE_MS = 600_000;

/**
 * Polls until something is found or true.
 * @param what its name for the error
 */
export async function until<Found>(
	what: string,
	find: () => Found | false | undefined | Promise<Found | false | undefined>,
	{ withinMs = PATIENCE_MS, everyMs = 100 }: { withinMs?: number; everyMs?: number } = {},
): Promise<Found> {
	for (const deadline = performance.now() + withinMs; ; ) {
		const found = await find();
		if (found !== undefined && found !== false) return found;
		if (performance.now() > deadline) {
			throw new Fault(
				`Waited ${String(withinMs / 1000)} s for ${what}.`,
				'Look into the logs and run again.',
			);
		}
		await wait(everyMs, undefined, { signal: interruption });
	}
}
