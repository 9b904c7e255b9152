import { failureText, type Tally } from '../../../scripts/setup/tally.mjs';

/** What node:test reports of a test. */
interface Event {
	type: string;
	data?: {
		name?: string;
		skip?: unknown;
		todo?: unknown;
		details?: { error?: { message?: string; cause?: unknown } };
	};
}

/**
 * A reporter of node:test that writes a Tally as JSON. Each step of a test counts, as in Node's own
 * summary.
 */
async function* tally(events: AsyncIterable<Event>) {
	const counted: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
	for await (const { type, data } of events) {
		if (type !== 'test:pass' && type !== 'test:fail') continue;
		if (data?.skip !== undefined || data?.todo !== undefined) counted.skipped += 1;
		else if (type === 'test:pass') counted.passed += 1;
		else {
			counted.failed += 1;
			const error = data?.details?.error;
			const message = error?.cause instanceof Error ? error.cause.message : error?.message;
			counted.failures.push(failureText(data?.name ?? 'A test without a name', message ?? ''));
		}
	}
	yield JSON.stringify(counted);
}

// Node loads a reporter by import(), whose default of a
// CommonJS module is what it exports as a whole.
export = tally;
