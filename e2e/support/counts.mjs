/**
 * A reporter of node:test that writes two numbers, passed and failed: a test and each of its steps count, as in node's own summary.
 * @param {AsyncIterable<{ type: string }>} events
 */
export default async function* counts(events) {
	let passed = 0;
	let failed = 0;
	for await (const { type } of events) {
		if (type === 'test:pass') passed += 1;
		if (type === 'test:fail') failed += 1;
	}
	yield `${String(passed)} ${String(failed)}`;
}
