import { env } from 'node:process';

/** What tests came to. @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/** Whether this run decides about a change. */
export const IN_CI = (env['CI'] ?? '') !== '';

/**
 * Counts skipped tests as failed in CI: a test that never runs there proves nothing.
 * @param {Tally} tally
 * @param {boolean} inCi
 * @returns {Tally}
 */
export function judged({ passed, failed, skipped }, inCi = IN_CI) {
	return { passed, failed: failed + (inCi ? skipped : 0), skipped };
}

/** @param {Tally} tally @returns {string} one line */
export function told({ passed, failed, skipped }) {
	const mark = failed === 0 ? '✔' : '✖';
	const left = skipped === 0 ? '' : `, ${String(skipped)} skipped`;
	return `${mark} ${String(passed)} passed, ${String(failed)} failed${left}`;
}
