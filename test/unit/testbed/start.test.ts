import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pollEvery } from '../../../testbed/demo/workflow';
import { root } from '../../../scripts/setup/paths.mjs';

const start = (...args: string[]) =>
	spawnSync(process.execPath, ['--import', 'tsx', join(root, 'testbed', 'demo', 'start.ts'), ...args], {
		cwd: root,
		encoding: 'utf8',
	});

test('--help names every option and variable', () => {
	const { status, stdout } = start('--help');
	assert.equal(status, 0);
	for (const name of ['--once', '--n8n-port', '--service-port', '--crm-port', 'DATAGRID_URL'])
		assert.ok(stdout.includes(name));
});

for (const args of [['--n8n-port', 'abc'], ['--service-port', '70000'], ['--twice']]) {
	test(`${args.join(' ')} is refused with the options that there are`, () => {
		const { status, stdout } = start(...args);
		assert.equal(status, 1);
		assert.match(stdout, /What to do: The options are:/);
	});
}

test('polling several times a minute needs one entry for each time', () => {
	assert.deepEqual(
		pollEvery(20).item.map(({ cronExpression }) => cronExpression),
		['0 * * * * *', '20 * * * * *', '40 * * * * *'],
	);
	assert.equal(pollEvery(1).item.length, 60);
});
