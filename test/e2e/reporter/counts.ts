/** What a reporter of node:test is told. */
interface Event {
	type: string;
	data?: { skip?: unknown; todo?: unknown };
}

/**
 * A reporter of node:test that writes three numbers: passed, failed and skipped. Each step of a
 * test counts, as in Node's own summary.
 */
async function* counts(events: AsyncIterable<Event>) {
	let passed = 0;
	let failed = 0;
	let skipped = 0;
	for await (const { type, data } of events) {
		if (type !== 'test:pass' && type !== 'test:fail') continue;
		if (data?.skip !== undefined || data?.todo !== undefined) skipped += 1;
		else if (type === 'test:pass') passed += 1;
		else failed += 1;
	}
	yield `${String(passed)} ${String(failed)} ${String(skipped)}`;
}

// Node loads a reporter by import(), whose default of a
// CommonJS module is what it exports as a whole.
export = counts;
