import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { env, execPath, platform } from 'node:process';
import { beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../../scripts/setup/paths.mjs';
import { temporaryFolder } from './temporaryFolder.mjs';

const PACKAGE = 'redis-server';
const PUT_IN_PLACE = `case "$*" in *install*) echo > "$HERE/${PACKAGE}";; esac`;
const options = { skip: platform === 'win32' };

/** The only folder on the PATH, without the programs of this machine. */
let programs = '';

beforeEach(async () => {
	programs = await temporaryFolder();
	const own = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'env'));
	await symlink(own.find((file) => existsSync(file)) ?? '', join(programs, 'env'));
});

/**
 * Creates a program that records each call as a line and then runs shell commands.
 * @param {string} name
 * @param {string} [does] shell commands
 */
async function place(name, does = '') {
	const note = `echo "${name} [$DEBIAN_FRONTEND] $*" >> '${join(programs, 'calls')}'`;
	const text = ['#!/bin/sh', `HERE='${programs}'`, note, does, ''].join('\n');
	await writeFile(join(programs, name), text, { mode: 0o755 });
}

/** @returns {Promise<string[]>} the recorded calls in order */
async function calls() {
	const text = await readFile(join(programs, 'calls'), 'utf8').catch(() => '');
	return text.split('\n').filter((line) => line !== '');
}

/** @param {number} user ID of the user who runs it */
function ensure(user) {
	const system = JSON.stringify(pathToFileURL(join(root, 'scripts', 'setup', 'system.mjs')).href);
	const script = `
		process.getuid = () => ${String(user)};
		const { ensureTools } = await import(${system});
		await ensureTools(['redis']).then(
			() => console.log('RESULT done'),
			(error) => console.log('RESULT ' + error.name + ': ' + error.message + ' / ' + error.hint),
		);`;
	const { stdout, stderr } = spawnSync(execPath, ['--input-type=module', '-e', script], {
		encoding: 'utf8',
		env: { PATH: programs },
	});
	return /RESULT ([^]*)/.exec(stdout)?.[1]?.trim() ?? stderr;
}

const UPDATE = 'apt-get [noninteractive] -o DPkg::Lock::Timeout=300 update';
const INSTALL = `apt-get [noninteractive] -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends ${PACKAGE}`;

test('an existing tool is not installed', options, async () => {
	await place(PACKAGE);
	await place('apt-get');
	assert.equal(ensure(0), 'done');
	assert.deepEqual(await calls(), []);
});

test('root installs a missing tool with apt-get', options, async () => {
	await place('apt-get', PUT_IN_PLACE);
	assert.equal(ensure(0), 'done');
	assert.deepEqual(await calls(), [UPDATE, INSTALL]);
});

test('other users install it with non-interactive sudo', options, async () => {
	await place('apt-get', PUT_IN_PLACE);
	await place('sudo', 'shift; exec "$@"');
	assert.equal(ensure(1000), 'done');
	const asked = `sudo [] --non-interactive env DEBIAN_FRONTEND=noninteractive ${join(programs, 'apt-get')}`;
	const [first, second, third, fourth, ...more] = await calls();
	assert.ok(first?.startsWith(asked) && first.endsWith(' update'), first);
	assert.equal(second, UPDATE);
	assert.ok(third?.startsWith(asked) && third.endsWith(` ${PACKAGE}`), third);
	assert.equal(fourth, INSTALL);
	assert.deepEqual(more, []);
});

for (const [what, user, programsThere] of /** @type {const} */ ([
	['without apt-get', 0, []],
	['without sudo', 1000, ['apt-get']],
])) {
	test(`${what} the error names the package to install`, options, async () => {
		for (const name of programsThere) await place(name);
		assert.match(ensure(user), /^Fault: There is no redis .*sudo apt-get install -y redis-server/);
		assert.deepEqual(await calls(), []);
	});
}

test('a failure of apt-get is reported with its output', options, async () => {
	await place('apt-get', "echo 'E: Unable to locate package' >&2; exit 100");
	assert.match(ensure(0), /^Fault: Updating the list of packages failed:\s+E: Unable to locate package/);
	assert.deepEqual(await calls(), [UPDATE]);
});

test('a tool that is missing after the installation is reported', options, async () => {
	await place('apt-get');
	assert.match(ensure(0), /^Fault: There is no redis/);
	assert.deepEqual(await calls(), [UPDATE, INSTALL]);
});
