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

/** A child process that runs one command at a time */
export type Worker = Awaited<ReturnType<typeof startWorker>>;

/**
 * @param file below `bench/`
 * @param options `node`: the binary, if not that of this process; `nodeOptions`: further ones
 * @returns the process and its first message
 */
export async function startWorker(
	file: string,
	{ node = execPath, nodeOptions = [] }: { node?: string; nodeOptions?: readonly string[] } = {},
) {
	const child = fork(join(root, 'bench', file), {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		execPath: node,
		execArgv: [...execArgv, ...nodeOptions],
	});
	const ended = once(child, 'exit').then((): never => {
		throw new Error(`bench/${file} ended unexpectedly`);
	});
	ended.catch(() => undefined);
	const next = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), ended]))[0];
	return {
		greeting: await next(),
		ask: async (order: object) => {
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
		seen: async () => seenSchema.parse(await ask({ tell: true })),
		stop,
	};
}

export type Proxy = Awaited<ReturnType<typeof startProxy>>;
