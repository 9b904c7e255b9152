import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import process, { platform } from 'node:process';
import { lastResort } from '../scripts/setup/interruption.mjs';

/** Maximum length of the end of an output that is kept. */
const MAX_KEPT_LENGTH = 16 * 1024;

/** How a process is started. */
interface ProcessOptions {
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
}: ProcessOptions) {
	await mkdir(dirname(log), { recursive: true, mode: 0o700 });
	// An existing log may have another mode.
	await rm(log, { force: true });
	const child = spawn(file, args, {
		cwd,
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: platform !== 'win32',
	});
	const sink = createWriteStream(log, { mode: 0o600 });
	let lastOutput = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			if (stream === child.stdout) onOutput?.(text);
			if (secretOutput && stream === child.stdout) return;
			sink.write(text);
			lastOutput = (lastOutput + text).slice(-MAX_KEPT_LENGTH);
		});
	}
	const killNow = () => {
		killGroup(child);
	};
	lastResort.add(killNow);
	let running = true;
	/** How it ended (`exit code 1`, `SIGKILL`); never rejects. */
	const ended: Promise<string> = once(child, 'close').then(
		() => child.signalCode ?? `exit code ${String(child.exitCode)}`,
		(error: unknown) => String(error),
	);
	void ended.then(() => {
		running = false;
		lastResort.delete(killNow);
		sink.end();
	});
	await once(child, 'spawn');
	return {
		pid: child.pid ?? 0,
		/** File with its output. */
		log,
		ended,
		isRunning: () => running,
		/** The end of its output. */
		lastOutput: () => lastOutput,
		/** Asks it to end, and kills it with its children after a while. */
		stop: async (graceMs = 30_000) => {
			child.kill('SIGTERM');
			const grace = setTimeout(killNow, graceMs);
			await ended;
			clearTimeout(grace);
		},
		/** Kills it immediately, like a power cut. */
		kill: async () => {
			killNow();
			await ended;
		},
	};
}

/** A child process. */
export type Running = Awaited<ReturnType<typeof startProcess>>;

function killGroup(child: ChildProcess) {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	if (platform === 'win32') child.kill('SIGKILL');
	else process.kill(-child.pid, 'SIGKILL');
}
