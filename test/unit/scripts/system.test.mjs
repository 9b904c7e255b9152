import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env, execPath, platform } from 'node:process';
import { after, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../../scripts/setup/paths.mjs';

const PACKAGE = 'redis-server';
const PUT_IN_PLACE = `case "$*" in *install*) echo > "$HERE/${PACKAGE}";; esac`;
const options = { skip: platform === 'win32' };

/** @type {string[]} */
const folders = [];
/** The only folder on the PATH: this machine's programs are not there. */
let programs = '';

beforeEach(async () => {
	programs = await mkdtemp(join(tmpdir(), 'programs-'));
	folders.push(programs);
	const own = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'env'));
	await symlink(own.find((file) => existsSync(file)) ?? '', join(programs, 'env'));
});
after(async () => {
	for (const folder of folders) await rm(folder, { recursive: true });
});

/**
 * A program that notes what it was called with, one line for each call, then does something.
 * @param {string} name
 * @param {string} [does] in the words of a shell
 */
async function place(name, does = '') {
	const note = `echo "${name} [$DEBIAN_FRONTEND] $*" >> '${join(programs, 'calls')}'`;
	const text = ['#!/bin/sh', `HERE='${programs}'`, note, does, ''].join('\n');
	await writeFile(join(programs, name), text, { mode: 0o755 });
}

/** @returns {Promise<string[]>} what was called, in turn */
async function calls() {
	const text = await readFile(join(programs, 'calls'), 'utf8').catch(() => '');
	return text.split('\n').filter((line) => line !== '');
}

/** @param {number} user the id of the person who runs it */
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

test('what is there is not installed', options, async () => {
	await place(PACKAGE);
	await place('apt-get');
	assert.equal(ensure(0), 'done');
	assert.deepEqual(await calls(), []);
});

test('root has apt-get install what is missing', options, async () => {
	await place('apt-get', PUT_IN_PLACE);
	assert.equal(ensure(0), 'done');
	assert.deepEqual(await calls(), [UPDATE, INSTALL]);
});

test('anyone else goes through a sudo that asks nothing', options, async () => {
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
	test(`${what} a person is told what to install`, options, async () => {
		for (const name of programsThere) await place(name);
		assert.match(ensure(user), /^Fault: There is no redis .*sudo apt-get install -y redis-server/);
		assert.deepEqual(await calls(), []);
	});
}

test("an apt-get that fails is a fault, in apt-get's words", options, async () => {
	await place('apt-get', "echo 'E: Unable to locate package' >&2; exit 100");
	assert.match(ensure(0), /^Fault: Updating the list of packages failed:\s+E: Unable to locate package/);
	assert.deepEqual(await calls(), [UPDATE]);
});

test('an apt-get that installs something else is a fault', options, async () => {
	await place('apt-get');
	assert.match(ensure(0), /^Fault: There is no redis/);
	assert.deepEqual(await calls(), [UPDATE, INSTALL]);
});
