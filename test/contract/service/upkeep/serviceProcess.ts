import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod/v4';
import { Caller, object } from '../http';
import { CompiledService } from './compiledService';

/** Loaded before the service: answers each message with the number of bytes in use. */
const MEASURING = `data:text/javascript,${encodeURIComponent(`
	import { subscribe } from 'node:diagnostics_channel';
	const sockets = new Set();
	subscribe('net.server.socket', ({ socket }) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	process.on('message', () => {
		gc();
		const { heapUsed, external } = process.memoryUsage();
		const waiting = [...sockets].reduce((sum, socket) => sum + socket.writableLength, 0);
		process.send(heapUsed + external + waiting);
	});
	process.channel.unref();
`)}`;

/**
 * The compiled service as a process with its own data file, which can be killed and restarted.
 */
export class ServiceProcess {
	private readonly folder = mkdtempSync(join(tmpdir(), 'datagrid-process-'));
	readonly compiled = new CompiledService();
	private child: ChildProcess | undefined;

	/** @param maxFileBlocks maximum size of its files, in blocks of the shell's `ulimit -f` */
	constructor(private readonly maxFileBlocks?: number) {}

	/** Starts the process. @param more arguments @returns the owner of the account */
	async start(...more: string[]): Promise<Caller> {
		const args = [this.compiled.main, '--port', '0', '--data', this.data, ...more];
		const node = [process.execPath, '--expose-gc', '--import', MEASURING, ...args];
		const limit = this.maxFileBlocks && `ulimit -f ${this.maxFileBlocks}; exec "$0" "$@"`;
		const [command = '', ...rest] = limit ? ['/bin/sh', '-c', limit, ...node] : node;
		const child = spawn(command, rest, {
			stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
		});
		this.child = child;
		if (!child.stdout) throw new Error('The service has no output');
		for await (const line of createInterface({ input: child.stdout })) {
			const { url, userId, key, secret } = object(JSON.parse(line));
			return Caller.basic(String(url), String(userId), String(key), String(secret));
		}
		throw new Error('The service ended before it was ready');
	}

	/**
	 * Memory in use, in MiB: JavaScript values and buffers after a garbage collection, and what waits
	 * to be sent to clients. Unlike the memory of the process, it does not depend on when garbage is
	 * collected.
	 */
	async heldMiB(): Promise<number> {
		const { child } = this;
		if (!child) throw new Error('The service does not run');
		child.send('measure');
		return z.number().parse((await once(child, 'message'))[0]) / 1024 ** 2;
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
