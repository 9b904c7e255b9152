import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import process, { platform } from 'node:process';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { lastResort } from '../scripts/setup/interruption.mjs';

/** Maximum length of the end of an output that is kept. */
const MAX_KEPT_LENGTH = 16 * 1024;

/** A child process. */
export interface Running {
	pid: number;
	/** File with its output. */
	log: string;
	/** How it ended (`exit code 1`, `SIGKILL`); never rejects. */
	ended: Promise<string>;
	isRunning: () => boolean;
	/** The end of its output. */
	lastOutput: () => string;
	/** Asks it to end, and kills it with its children after a while. */
	stop: (graceMs?: number) => Promise<void>;
	/** Kills it immediately, like a power cut. */
	kill: () => Promise<void>;
}

/** How a process is started. */
export interface ProcessOptions {
	file: string;
	args: readonly string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Log file for its output. */
	log: string;
	/** Receives each chunk of standard output. */
	onOutput?: (text: string) => void;
	/** Standard output contains a secret, so only standard error is logged. */
	secretOutput?: boolean;
}

/**
 * Starts a process in its own group, so that Ctrl-C reaches only this process, which then ends the
 * others in order.
 */
export async function startProcess(options: ProcessOptions): Promise<Running> {
	const { file, args, cwd, env, log } = options;
	await mkdir(dirname(log), { recursive: true, mode: 0o700 });
	// An existing log may have another mode.
	await rm(log, { force: true });
	const child = spawn(file, args, {
		cwd,
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: platform !== 'win32',
	});
	const output = logOutput(child, options);
	const killNow = () => {
		killGroup(child);
	};
	lastResort.add(killNow);
	let running = true;
	const ended: Promise<string> = new Promise((resolve) => {
		const end = (how: string) => {
			running = false;
			lastResort.delete(killNow);
			output.close();
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
	return {
		pid: child.pid ?? 0,
		log,
		ended,
		isRunning: () => running,
		lastOutput: output.last,
		stop: (graceMs = 30_000) => stop(child, ended, graceMs),
		kill: async () => {
			killGroup(child);
			await ended;
		},
	};
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Writes the output of a process to its log and keeps the end of it. */
function logOutput(
	child: Child,
	{ log, onOutput, secretOutput = false }: ProcessOptions,
): { last: () => string; close: () => void } {
	const sink = createWriteStream(log, { mode: 0o600 });
	let end = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			if (stream === child.stdout) onOutput?.(text);
			if (secretOutput && stream === child.stdout) return;
			sink.write(text);
			end = (end + text).slice(-MAX_KEPT_LENGTH);
		});
	}
	return {
		last: () => end,
		close: () => {
			sink.end();
		},
	};
}

/** Asks a process to end, and kills it with its children after `graceMs`. */
async function stop(child: Child, ended: Promise<string>, graceMs: number): Promise<void> {
	child.kill('SIGTERM');
	const grace = new AbortController();
	const hasEnded = await Promise.race([
		ended.then(() => true),
		wait(graceMs, false, { signal: grace.signal }),
	]);
	grace.abort();
	if (!hasEnded) killGroup(child);
	await ended;
}

function killGroup(child: ChildProcess) {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	if (platform === 'win32') child.kill('SIGKILL');
	else process.kill(-child.pid, 'SIGKILL');
}
