import { readFile } from 'node:fs/promises';
import { z } from 'zod/v4';

/** Jest reports skipped tests as pending. */
const jestSchema = z
	.object({
		numPassedTests: z.number(),
		numFailedTests: z.number(),
		numPendingTests: z.number(),
		numTodoTests: z.number(),
	})
	.transform((of) => ({
		passed: of.numPassedTests,
		failed: of.numFailedTests,
		skipped: of.numPendingTests + of.numTodoTests,
	}));

/**
 * @typedef {import('./tally.mjs').Tally} Tally
 * @param {string} file written by jest's `--json`
 * @returns {Promise<Tally | undefined>} undefined if jest did not get to its end
 */
export async function jestTally(file) {
	try {
		return jestSchema.parse(JSON.parse(await readFile(file, 'utf8')));
	} catch {
		return undefined;
	}
}
