import { setTimeout as wait } from 'node:timers/promises';

/**
 * Polls until a condition is true.
 * @param what name of the condition for the error
 */
export async function until(
	what: string,
	isSo: () => boolean | Promise<boolean>,
	{ withinMs = 120_000, everyMs = 100 }: { withinMs?: number; everyMs?: number } = {},
) {
	for (const deadline = performance.now() + withinMs; !(await isSo()); ) {
		if (performance.now() > deadline) throw new Error(`Waited ${String(withinMs / 1000)} s for ${what}`);
		await wait(everyMs);
	}
}
