import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Caller, object } from '../http';
import { CompiledService } from './compiledService';

/**
 * The compiled service with a data file of its own, as a
 * process that can be killed and started again.
 */
export class ServiceProcess {
	private readonly folder = mkdtempSync(join(tmpdir(), 'datagrid-process-'));
	private readonly compiled = new CompiledService();
	private child: ChildProcess | undefined;

	/** @returns the owner of the account */
	async start(): Promise<Caller> {
		const args = [this.compiled.main, '--port', '0', '--data', join(this.folder, 'data.db')];
		const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
		this.child = child;
		for await (const line of createInterface({ input: child.stdout })) {
			const { url, userId, key, secret } = object(JSON.parse(line));
			return Caller.basic(String(url), String(userId), String(key), String(secret));
		}
		throw new Error('The service ended before it was ready');
	}

	/**
	 * The memory it holds for itself, in MiB: without the
	 * pages of the data file that are mapped (Linux).
	 */
	memoryMiB(): number {
		const status = readFileSync(`/proc/${String(this.child?.pid)}/status`, 'utf8');
		return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
	}

	/** Ends it, without warning unless a signal says otherwise. */
	async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
		const { child } = this;
		if (!child) return;
		const gone = new Promise((resolve) => child.once('exit', resolve));
		child.kill(signal);
		await gone;
		this.child = undefined;
	}

	async remove(): Promise<void> {
		await this.kill();
		rmSync(this.folder, { recursive: true });
		this.compiled.remove();
	}
}
