import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort, isFree } from '../../../scripts/setup/ports.mjs';
import { startProcess } from '../../../testbed/process';

let folder = '';
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'process-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a script and waits for the first line it prints. */
async function startScript(script: string) {
	let ready: (line: string) => void = (): void => undefined;
	const line = new Promise((resolve: (line: string) => void) => {
		ready = resolve;
	});
	const running = await startProcess({
		file: process.execPath,
		args: ['-e', script],
		cwd: folder,
		env: process.env,
		log: join(folder, 'logs', 'script.log'),
		onOutput: (text) => {
			ready(text.trim());
		},
	});
	return { running, line: await line };
}

test('a process that handles SIGTERM exits by itself', async () => {
	const { running } = await startScript(
		"process.on('SIGTERM', () => { console.log('clean'); process.exit(7) }); setInterval(() => {}, 1000); console.log('up')",
	);
	assert.equal(running.isRunning(), true);
	await running.stop();
	assert.equal(await running.ended, 'exit code 7');
	assert.match(running.lastOutput(), /up\nclean/);
	assert.match(await readFile(running.log, 'utf8'), /up\nclean/);
});

test('a process that ignores SIGTERM is killed together with its children', async () => {
	const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
	const child = `${stubborn} const server = require('node:net').createServer();
		server.listen(0, '127.0.0.1', () => console.log(server.address().port))`;
	const { running, line: port } = await startScript(
		`${stubborn} require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })`,
	);
	assert.equal(await isFree(Number(port)), false);
	await running.stop(100);
	assert.equal(await running.ended, 'SIGKILL');
	assert.equal(await isFree(Number(port)), true);
});

test('a missing command is reported as an error', async () => {
	const options = { args: [], cwd: folder, env: process.env, log: join(folder, 'none.log') };
	await assert.rejects(startProcess({ ...options, file: join(folder, 'no-such-command') }), /ENOENT/);
});

test('a log is readable by its owner only, and contains no secret output', async () => {
	const log = join(folder, 'secret.log');
	await writeFile(log, 'an earlier start', { mode: 0o644 });
	let output = '';
	const running = await startProcess({
		file: process.execPath,
		args: ['-e', "console.log('hush'); console.error('a warning')"],
		cwd: folder,
		env: process.env,
		log,
		secretOutput: true,
		onOutput: (text) => {
			output += text;
		},
	});
	await running.ended;
	assert.equal(output.trim(), 'hush');
	assert.equal(running.lastOutput().trim(), 'a warning');
	while ((await readFile(log, 'utf8')) === '') await new Promise((resolve) => setImmediate(resolve));
	assert.equal((await readFile(log, 'utf8')).trim(), 'a warning');
	assert.equal((await stat(log)).mode & 0o777, 0o600);
});

test('a port in use is not free', async () => {
	const port = await freePort();
	assert.equal(await isFree(port), true);
	const server = createServer();
	await new Promise((resolve) =>
		server.listen(port, '127.0.0.1', () => {
			resolve(undefined);
		}),
	);
	assert.equal(await isFree(port), false);
	await new Promise((resolve) => server.close(resolve));
});
