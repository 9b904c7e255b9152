import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import reportTally from '../../e2e/reporter/tally';
import { jestTally } from '../../../scripts/setup/jestTally.mjs';
import { countSkipped, summaryOf } from '../../../scripts/setup/tally.mjs';

test('a skipped test is counted, and counts as failed in CI', () => {
	const tally = { passed: 7, failed: 0, skipped: 2, failures: [] };
	assert.deepEqual(countSkipped(tally, false), tally);
	assert.deepEqual(countSkipped(tally, true), { ...tally, failed: 2, failures: ['2 skipped'] });
	assert.equal(summaryOf(countSkipped(tally, false)), '✔ 7 passed, 0 failed, 2 skipped');
	assert.equal(summaryOf(countSkipped(tally, true)), '✖ 7 passed, 2 failed, 2 skipped');
});

test('the reporter of the end-to-end tests does not count a skipped test as passed', async () => {
	async function* events() {
		yield* [
			{ type: 'test:pass', data: {} },
			{ type: 'test:fail', data: { name: 'a row', details: { error: new Error('lost') } } },
			{ type: 'test:pass', data: { skip: 'no browser' } },
			{ type: 'test:fail', data: { todo: true } },
			{ type: 'test:start', data: {} },
		];
		await Promise.resolve();
	}
	const written = [];
	for await (const text of reportTally(events())) written.push(text);
	assert.deepEqual(
		written.map((text): unknown => JSON.parse(text)),
		[{ passed: 1, failed: 1, skipped: 2, failures: ['a row\nlost'] }],
	);
});

test('failures of jest are named, files that could not be loaded included', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'datagrid-tally-'));
	const file = join(folder, 'jest.json');
	const results = {
		numPassedTests: 4,
		numFailedTests: 1,
		numPendingTests: 1,
		numTodoTests: 0,
		numRuntimeErrorTestSuites: 1,
		testResults: [
			{
				name: 'rows.test.ts',
				status: 'failed',
				message: 'both tests',
				assertionResults: [
					{ fullName: 'keeps a row', status: 'failed', failureMessages: ['\u001b[1mLost\u001b[0m'] },
					{ fullName: 'counts rows', status: 'passed', failureMessages: [] },
				],
			},
			{ name: 'broken.test.ts', status: 'failed', message: 'Unexpected token', assertionResults: [] },
			{ name: 'right.test.ts', status: 'passed', message: '', assertionResults: [] },
		],
	};
	await writeFile(file, JSON.stringify(results));
	assert.deepEqual(await jestTally(file), {
		passed: 4,
		failed: 2,
		skipped: 1,
		failures: ['rows.test.ts: keeps a row\nLost', 'broken.test.ts\nUnexpected token'],
	});
	await writeFile(file, 'not JSON');
	assert.equal(await jestTally(file), undefined);
	await rm(folder, { recursive: true });
});
