import assert from 'node:assert/strict';

import counts from '../../e2e/reporter/counts';
import { judged, told } from '../../../scripts/setup/tally.mjs';

test('a skipped test is counted, and has failed in CI', () => {
	const tally = { passed: 7, failed: 0, skipped: 2 };
	assert.deepEqual(judged(tally, false), tally);
	assert.deepEqual(judged(tally, true), { ...tally, failed: 2 });
	assert.equal(told(judged(tally, false)), '✔ 7 passed, 0 failed, 2 skipped');
	assert.equal(told(judged(tally, true)), '✖ 7 passed, 2 failed, 2 skipped');
});

test('the reporter of the end-to-end tests does not take a skipped test for one that passed', async () => {
	async function* events() {
		yield* [
			{ type: 'test:pass', data: {} },
			{ type: 'test:fail', data: {} },
			{ type: 'test:pass', data: { skip: 'no browser' } },
			{ type: 'test:fail', data: { todo: true } },
			{ type: 'test:start', data: {} },
		];
		await Promise.resolve();
	}
	const written = [];
	for await (const text of counts(events())) written.push(text);
	assert.deepEqual(written, ['1 1 2']);
});
