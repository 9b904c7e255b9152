import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execArgv, execPath } from 'node:process';
import { z } from 'zod/v4';
import { root } from '../../scripts/setup/paths.mjs';
import type { ProxySettings } from './proxy.mjs';

const seenSchema = z.object({
	requests: z.number(),
	refused: z.number(),
	highest: z.number(),
	cpu: z.number(),
});
const portSchema = z.object({ port: z.number() });

export type ProxySeen = z.infer<typeof seenSchema>;

/** A child process that runs one command at a time */
export interface Worker {
	ask: (order: object) => Promise<unknown>;
	stop: () => void;
}

/**
 * @param file below `bench/`
 * @param options `node`: the binary, if not that of this process; `nodeOptions`: further ones
 * @returns the process and its first message
 */
export async function startWorker(
	file: string,
	{ node = execPath, nodeOptions = [] }: { node?: string; nodeOptions?: readonly string[] } = {},
): Promise<Worker & { greeting: unknown }> {
	const child = fork(join(root, 'bench', file), {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		execPath: node,
		execArgv: [...execArgv, ...nodeOptions],
	});
	const next = async () => {
		const over = new AbortController();
		const ended = once(child, 'exit', { signal: over.signal }).then(() => {
			throw new Error(`bench/${file} ended unexpectedly`);
		});
		ended.catch(() => undefined);

		const messages: unknown[] = await Promise.race([once(child, 'message'), ended]);
		over.abort();
		return messages[0];
	};
	const greeting = await next();
	return {
		greeting,
		ask: async (order) => {
			child.send(order);
			return await next();
		},
		stop: () => {
			child.disconnect();
		},
	};
}

/** Starts the proxy; it forwards nothing before its settings arrive. */
export async function startProxy() {
	const { greeting, ask, stop } = await startWorker('target/proxy.mjs');
	const { port } = portSchema.parse(greeting);
	return {
		url: `http://127.0.0.1:${String(port)}`,
		/** Applies settings and resets the counters. */
		set: async (settings: ProxySettings) => {
			await ask({ set: settings });
		},
		/** @returns counters since the last settings */
		seen: async (): Promise<ProxySeen> => seenSchema.parse(await ask({ tell: true })),
		stop,
	};
}

export type Proxy = Awaited<ReturnType<typeof startProxy>>;
