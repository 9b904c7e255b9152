import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Caller, object } from '../http';
import { CompiledService } from './compiledService';

/**
 * The compiled service as a process with its own data file, which can be killed and restarted.
 */
export class ServiceProcess {
	private readonly folder = mkdtempSync(join(tmpdir(), 'datagrid-process-'));
	readonly compiled = new CompiledService();
	private child: ChildProcess | undefined;

	/** Starts the process. @param more arguments @returns the owner of the account */
	async start(...more: string[]): Promise<Caller> {
		const args = [this.compiled.main, '--port', '0', '--data', this.data, ...more];
		const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
		this.child = child;
		for await (const line of createInterface({ input: child.stdout })) {
			const { url, userId, key, secret } = object(JSON.parse(line));
			return Caller.basic(String(url), String(userId), String(key), String(secret));
		}
		throw new Error('The service ended before it was ready');
	}

	/** Anonymous memory in MiB, without the code of Node itself (Linux only). */
	memoryMiB(): number {
		const status = readFileSync(`/proc/${String(this.child?.pid)}/status`, 'utf8');
		return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
	}

	/** Path of the data file, which the processes share. */
	get data(): string {
		return join(this.folder, 'data.db');
	}

	/** Sends a signal and waits for the process to exit. @returns its exit code */
	async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
		const { child } = this;
		if (!child) return null;
		const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
		child.kill(signal);
		const code = await gone;
		this.child = undefined;
		return code;
	}

	async remove(): Promise<void> {
		await this.kill();
		rmSync(this.folder, { recursive: true });
		this.compiled.remove();
	}
}
