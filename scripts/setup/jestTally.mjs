import { readFile } from 'node:fs/promises';
import { z } from 'zod/v4';
import { failureText } from './tally.mjs';

const assertionSchema = z.object({
	fullName: z.string(),
	status: z.string(),
	failureMessages: z.array(z.string()).nullish(),
});

const fileSchema = z.object({
	name: z.string(),
	status: z.string(),
	message: z.string(),
	assertionResults: z.array(assertionSchema),
});

/**
 * The failures of a test file. A file that could not be loaded has no failed test, only a message.
 * @param {z.infer<typeof fileSchema>} file
 */
function failuresOf({ name, status, message, assertionResults }) {
	const failed = assertionResults.filter((one) => one.status === 'failed');
	if (failed.length === 0) return status === 'failed' ? [failureText(name, message)] : [];
	return failed.map(({ fullName, failureMessages }) =>
		failureText(`${name}: ${fullName}`, failureMessages?.join('\n') ?? ''),
	);
}

/** Jest reports skipped tests as pending, and counts files that it could not load separately. */
const jestSchema = z
	.object({
		numPassedTests: z.number(),
		numFailedTests: z.number(),
		numPendingTests: z.number(),
		numTodoTests: z.number(),
		numRuntimeErrorTestSuites: z.number(),
		testResults: z.array(fileSchema),
	})
	.transform((of) => ({
		passed: of.numPassedTests,
		failed: of.numFailedTests + of.numRuntimeErrorTestSuites,
		skipped: of.numPendingTests + of.numTodoTests,
		failures: of.testResults.flatMap(failuresOf),
	}));

/**
 * @typedef {import('./tally.mjs').Tally} Tally
 * @param {string} file written by jest's `--json`
 * @returns {Promise<Tally | undefined>} undefined if jest did not finish
 */
export async function jestTally(file) {
	try {
		return jestSchema.parse(JSON.parse(await readFile(file, 'utf8')));
	} catch {
		return undefined;
	}
}
