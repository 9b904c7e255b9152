import { env } from 'node:process';
import { stripVTControlCharacters } from 'node:util';

/**
 * Counts of tests, and a text for each failure: its name and the start of its message.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Tally
 */

/** Whether this is a CI run. */
export const IN_CI = (env['CI'] ?? '') !== '';

/** Maximum number of characters that a summary shows of a failure. */
const MAX_FAILURE_LENGTH = 1_500;

/**
 * Counts skipped tests as failed in CI, because a test that never runs there proves nothing.
 * @param {Tally} tally
 * @param {boolean} inCi
 * @returns {Tally}
 */
export function countSkipped({ passed, failed, skipped, failures }, inCi = IN_CI) {
	return {
		passed,
		failed: failed + (inCi ? skipped : 0),
		skipped,
		failures: inCi && skipped > 0 ? [...failures, `${String(skipped)} skipped`] : failures,
	};
}

/** @param {Tally} tally @returns {string} one line */
export function summaryOf({ passed, failed, skipped }) {
	const mark = failed === 0 ? '✔' : '✖';
	const left = skipped === 0 ? '' : `, ${String(skipped)} skipped`;
	return `${mark} ${String(passed)} passed, ${String(failed)} failed${left}`;
}

/**
 * @param {string} name of the test
 * @param {string} message may contain terminal colors
 * @returns {string} text of the failure in a summary
 */
export function failureText(name, message) {
	return `${name}\n${stripVTControlCharacters(message)}`.trim().slice(0, MAX_FAILURE_LENGTH);
}
