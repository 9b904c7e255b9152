import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { z } from 'zod/v4';
import { isRunning } from '../../scripts/setup/lock.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { say } from '../../scripts/setup/terminal.mjs';
import { until } from '../until';

const noteSchema = z.array(z.object({ name: z.string(), pid: z.number().int().positive() }));
const noteFile = (folder: string) => join(folder, 'running.json');

/** Records the processes of this start, so that the next one can end them if this one is killed. */
export async function noteRunning(folder: string, running: z.infer<typeof noteSchema>) {
	await writeFile(noteFile(folder), JSON.stringify(running));
}

export async function forgetRunning(folder: string) {
	await rm(noteFile(folder), { force: true });
}

/**
 * Ends processes of an earlier start that was killed, because they use ports and data. Process IDs
 * are reused, so only processes with a command line of this project are ended.
 */
export async function endLeftovers(folder: string) {
	const text = await readFile(noteFile(folder), 'utf8').catch(() => '[]');
	const noted = noteSchema.safeParse(JSON.parse(text || '[]')).data ?? [];
	for (const { name, pid } of noted) {
		if (!isRunning(pid) || !(await commandOf(pid)).includes(root)) continue;
		say(`An earlier start was killed and left ${name} running (process ${String(pid)}): ending it.`);
		process.kill(pid, 'SIGTERM');
		await until(`${name} to end`, () => !isRunning(pid), { withinMs: 15_000 }).catch(() => {
			process.kill(pid, 'SIGKILL');
		});
	}
	await forgetRunning(folder);
}

/** @returns its command line; empty if unknown */
async function commandOf(pid: number): Promise<string> {
	try {
		return (await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])).stdout;
	} catch {
		return '';
	}
}
