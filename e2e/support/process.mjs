import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import process, { platform } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { lastResort } from '../../scripts/setup/interruption.mjs';

const TAIL = 16 * 1024;

/**
 * @typedef {object} Running a process that this one started, by its id
 * @property {number} pid
 * @property {string} log the file that holds all it printed
 * @property {Promise<string>} ended how it ended, in words (`exit code 1`, `SIGKILL`); never rejects
 * @property {() => boolean} isRunning
 * @property {() => string} lastOutput the end of what it printed
 * @property {(graceMs?: number) => Promise<void>} stop asks it to end, and ends it with all it started when it does not
 * @property {() => Promise<void>} kill ends it at once, as a power cut would
 */

/**
 * Starts a process in a group of its own: a Ctrl-C at the terminal reaches this process only, which then ends the others
 * in the right order.
 * @param {object} options
 * @param {string} options.file
 * @param {readonly string[]} options.args
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.env
 * @param {string} options.log where to write all that it prints
 * @param {(text: string) => void} [options.onOutput] told of each piece of standard output
 * @param {boolean} [options.secretOutput] standard output holds a secret: only standard error goes to the log
 * @returns {Promise<Running>}
 */
export async function startProcess({ file, args, cwd, env, log, onOutput, secretOutput = false }) {
	await mkdir(dirname(log), { recursive: true, mode: 0o700 });
	// A log of an earlier start may have another mode.
	await rm(log, { force: true });
	const sink = createWriteStream(log, { mode: 0o600 });
	const child = spawn(file, args, {
		cwd,
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: platform !== 'win32',
	});
	let tail = '';
	let running = true;
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
			if (stream === child.stdout) onOutput?.(text);
			if (secretOutput && stream === child.stdout) return;
			sink.write(text);
			tail = (tail + text).slice(-TAIL);
		});
	}
	const killNow = () => {
		killGroup(child);
	};
	lastResort.add(killNow);
	/** @type {Promise<string>} */
	const ended = new Promise((resolve) => {
		const end = (/** @type {string} */ how) => {
			running = false;
			lastResort.delete(killNow);
			sink.end();
			resolve(how);
		};
		child.on('error', (error) => {
			end(error.message);
		});
		child.on('close', (code, signal) => {
			end(signal ?? `exit code ${String(code)}`);
		});
	});
	await new Promise((resolve, reject) => {
		child.once('spawn', resolve);
		child.once('error', reject);
	});
	const isRunning = () => running;
	return {
		pid: child.pid ?? 0,
		log,
		ended,
		isRunning,
		lastOutput: () => tail,
		stop: async (graceMs = 30_000) => {
			if (!running) return;
			child.kill('SIGTERM');
			const grace = new AbortController();
			await Promise.race([ended, wait(graceMs, undefined, { signal: grace.signal })]);
			grace.abort();
			if (isRunning()) killGroup(child);
			await ended;
		},
		kill: async () => {
			killGroup(child);
			await ended;
		},
	};
}

/** @param {import('node:child_process').ChildProcess} child */
function killGroup(child) {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	if (platform === 'win32') child.kill('SIGKILL');
	else process.kill(-child.pid, 'SIGKILL');
}
