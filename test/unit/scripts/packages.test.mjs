import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { Fault } from '../../../scripts/setup/faults.mjs';
import { countPackages, isInstalled, needDisk } from '../../../scripts/setup/packages.mjs';
import { temporaryFolder } from './temporaryFolder.mjs';

const LOCK = {
	packages: {
		'': { name: 'project' },
		'node_modules/a': { version: '1.0.0' },
		'node_modules/a/node_modules/b': { version: '2.0.0' },
		'node_modules/only-on-windows': { version: '3.0.0', optional: true },
		'node_modules/only-for-a-peer': { version: '4.0.0', peer: true },
	},
};
const INSTALLED = {
	packages: { 'node_modules/a': { version: '1.0.0' }, 'node_modules/a/node_modules/b': { version: '2.0.0' } },
};

let folder = '';
before(async () => {
	const lock = JSON.stringify(LOCK);
	folder = await temporaryFolder({ 'package-lock.json': lock, 'node_modules/a/package.json': '{}' });
});

const leave = (/** @type {string} */ text) =>
	writeFile(join(folder, 'node_modules', '.package-lock.json'), text);

test('an install without a list of npm is incomplete', async () => {
	assert.equal(await isInstalled(folder), false);
});

test('an install without packages for other platforms and for peers is complete', async () => {
	await leave(JSON.stringify(INSTALLED));
	assert.equal(await isInstalled(folder), true);
});

test('an install with a truncated list is incomplete', async () => {
	await leave(JSON.stringify(INSTALLED).slice(0, -20));
	assert.equal(await isInstalled(folder), false);
});

test('an install older than the lock is incomplete', async () => {
	await leave(
		JSON.stringify({ packages: { ...INSTALLED.packages, 'node_modules/a': { version: '0.9.0' } } }),
	);
	assert.equal(await isInstalled(folder), false);
});

test('progress counts the packages that are unpacked', async () => {
	assert.equal(await countPackages(folder)(), '1 of 2 packages');
});

test('a missing lock is reported with a remedy', async () => {
	const other = await temporaryFolder({ 'node_modules/.package-lock.json': JSON.stringify(INSTALLED) });
	await assert.rejects(
		isInstalled(other),
		(error) => error instanceof Fault && /git checkout/.test(error.hint),
	);
});

test('too little disk space is reported before anything is written', async () => {
	await assert.rejects(needDisk(folder, 1e9, 'A very large install'), /A very large install needs about/);
	await needDisk(folder, 0, 'Nothing');
});
