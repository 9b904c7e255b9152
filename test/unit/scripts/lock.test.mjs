import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { before, test } from 'node:test';
import { Fault } from '../../../scripts/setup/faults.mjs';
import { isRunning, sharedLock, withLock } from '../../../scripts/setup/lock.mjs';
import { temporaryFolder } from './temporaryFolder.mjs';

let folder = '';
before(async () => {
	folder = await temporaryFolder();
});

test('a second process is told who holds the lock', async () => {
	const file = join(folder, 'held', 'lock');
	await withLock(file, 'setting up', async () => {
		await assert.rejects(
			withLock(file, 'setting up', () => Promise.resolve()),
			(error) => error instanceof Fault && error.message.includes(`(${String(process.pid)}) is setting up`),
		);
	});
	assert.equal(existsSync(file), false);
});

test('works of one process share a lock that others do not get', async () => {
	const file = join(folder, 'shared');
	const withShared = sharedLock(file, 'setting up');
	/** @type {() => void} */
	let end = () => undefined;
	const long = withShared(async () => {
		await new Promise((resolve) => {
			end = () => {
				resolve(undefined);
			};
		});
		return 'long';
	});
	assert.equal(await withShared(() => Promise.resolve('short')), 'short');
	await assert.rejects(
		withLock(file, 'setting up', () => Promise.resolve()),
		(error) => error instanceof Fault,
	);
	end();
	assert.equal(await long, 'long');
	assert.equal(existsSync(file), false);
});

test('work that throws leaves no lock', async () => {
	const file = join(folder, 'thrown');
	await assert.rejects(
		withLock(file, 'setting up', () => Promise.reject(new Error('on the way'))),
		/on the way/,
	);
	assert.equal(existsSync(file), false);
});

for (const [what, content] of /** @type {const} */ ([
	['of a process that died', undefined],
	['that was truncated while it was written', ''],
])) {
	test(`a lock ${what} is taken over`, async () => {
		const file = join(folder, 'stale');
		const { pid } = spawnSync(process.execPath, ['-e', '']);
		assert.equal(isRunning(pid), false);
		await writeFile(file, content ?? String(pid));
		assert.equal(await withLock(file, 'setting up', () => Promise.resolve('done')), 'done');
	});
}
