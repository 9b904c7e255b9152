import { setTimeout as wait } from 'node:timers/promises';

/**
 * Asks until something holds.
 * @param {string} what is waited for
 * @param {() => boolean | Promise<boolean>} isSo
 * @param {{ withinMs?: number, everyMs?: number }} [times]
 */
export async function until(what, isSo, { withinMs = 120_000, everyMs = 100 } = {}) {
	for (const deadline = performance.now() + withinMs; !(await isSo()); ) {
		if (performance.now() > deadline) throw new Error(`Waited ${String(withinMs / 1000)} s for ${what}`);
		await wait(everyMs);
	}
}
