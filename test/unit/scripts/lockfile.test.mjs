import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingBinaries } from '../../../scripts/setup/lockfile.mjs';

test('the missing binaries of other platforms are added to the lock', () => {
	const packages = {
		'': {},
		'node_modules/tool': {
			dev: true,
			optionalDependencies: { '@t/core-linux-x64-gnu': '1.0.0', '@t/core-linux-arm64-musl': '1.0.0', '@t/core-win32-x64-msvc': '1.0.0' },
		},
		'node_modules/@t/core-linux-x64-gnu': { version: '1.0.0' },
		'node_modules/tool/node_modules/part': { optionalDependencies: { '@p/darwin-arm64': '2.0.0' } },
		'node_modules/tool/node_modules/@p/darwin-arm64': { version: '2.0.0' },
	}; // prettier-ignore
	assert.deepEqual(missingBinaries(packages), {
		'node_modules/@t/core-linux-arm64-musl': { version: '1.0.0', cpu: ['arm64'], dev: true, libc: ['musl'], optional: true, os: ['linux'] },
		'node_modules/@t/core-win32-x64-msvc': { version: '1.0.0', cpu: ['x64'], dev: true, optional: true, os: ['win32'] },
	}); // prettier-ignore
});

test('a package name without a platform is reported', () => {
	assert.throws(
		() => missingBinaries({ 'node_modules/tool': { optionalDependencies: { fsevents: '1.0.0' } } }),
		/fsevents contains no platform/,
	);
});
