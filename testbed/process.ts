import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import process, { platform } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { lastResort } from '../scripts/setup/interruption.mjs';

const TAIL = 16 * 1024;

/** A child process */
export interface Running {
	pid: number;
	/** File with its output */
	log: string;
	/** How it ended (`exit code 1`, `SIGKILL`); never rejects */
	ended: Promise<string>;
	isRunning: () => boolean;
	/** The end of its output */
	lastOutput: () => string;
	/** Asks it to end, and kills it with its children after a while */
	stop: (graceMs?: number) => Promise<void>;
	/** Kills it at once, like a power cut */
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
export async function startProcess({
	file,
	args,
	cwd,
	env,
	log,
	onOutput,
	secretOutput = false,
}: ProcessOptions): Promise<Running> {
	await mkdir(dirname(log), { recursive: true, mode: 0o700 });
	// An existing log may have another mode.
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
		stream.setEncoding('utf8').on('data', (text: string) => {
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

	const ended: Promise<string> = new Promise((resolve) => {
		const end = (how: string) => {
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

function killGroup(child: ChildProcess) {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	if (platform === 'win32') child.kill('SIGKILL');
	else process.kill(-child.pid, 'SIGKILL');
}
