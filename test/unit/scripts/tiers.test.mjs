import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../../scripts/setup/paths.mjs';
import { SECOND_TIER, testsOf } from '../../../scripts/setup/tiers.mjs';

test('each path of the second tier exists', () => {
	assert.deepEqual(
		SECOND_TIER.filter((path) => !existsSync(join(root, path))),
		[],
	);
});

test('the first tier leaves exactly these out, and the end-to-end tests', () => {
	const [, ...ignored] = testsOf(false);
	/** @param {string} path */
	const runs = (path) => !ignored.some((pattern) => new RegExp(pattern).test(`/repository/${path}`));
	assert.deepEqual(SECOND_TIER.filter(runs), []);
	assert.ok(!runs('test/e2e/browser/anything.test.ts'));
	assert.ok(runs('test/n8n/operations.test.ts'));
	assert.deepEqual(testsOf(true), []);
});
