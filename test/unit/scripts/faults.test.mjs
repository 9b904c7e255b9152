import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain } from '../../../scripts/setup/faults.mjs';

for (const { output, what, hint } of [
	{
		output: 'npm error code ENOTFOUND\nnpm error network',
		what: /registry cannot be reached/,
		hint: /connection/,
	},
	{ output: 'npm error code EAI_AGAIN', what: /registry cannot be reached/, hint: /proxy/ },
	{
		output: 'npm error ENOSPC: no space left on device, write',
		what: /disk is full/,
		hint: /Free about 4 GB/,
	},
	{
		output: 'prebuild-install WARN install ENOTFOUND\ngyp ERR! stack Error: not found: make',
		what: /tool for that is missing/,
		hint: /python3 make g\+\+/,
	},
	{ output: 'make: g++: No such file or directory', what: /tool for that is missing/, hint: /Xcode|xcode/ },
	{ output: 'npm error code E403', what: /refused access/, hint: /npm config get registry/ },
	{ output: 'npm error code ETARGET', what: /does not have a package/, hint: /public registry/ },
	{ output: 'npm error code EACCES', what: /cannot be written/, hint: /owner of/ },
	{ output: 'FATAL ERROR: JavaScript heap out of memory', what: /out of memory/, hint: /2 GB/ },
]) {
	test(`explains ${output.split('\n')[0] ?? ''}`, () => {
		const fault = explain('Installing', output, 'build/logs/installing.log');
		assert.match(fault.message, what);
		assert.match(fault.hint, hint);
		assert.equal(fault.log, 'build/logs/installing.log');
	});
}

test('quotes the last lines of an unknown failure', () => {
	const lines = Array.from({ length: 40 }, (_, index) => `line ${String(index)}`);
	const fault = explain('Building', lines.join('\n'), 'log');
	assert.match(fault.message, /^Building failed:\nline 25\n/);
	assert.match(fault.message, /line 39$/);
});
