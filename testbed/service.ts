import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod/v4';
import { startProcess, type Running } from './process';
import { Fault } from '../scripts/setup/faults.mjs';
import { interruption } from '../scripts/setup/interruption.mjs';
import { root } from '../scripts/setup/paths.mjs';
import type { Connection } from './demo/dataGrid';

const readySchema = z.object({ url: z.url(), key: z.string(), secret: z.string(), userId: z.string() });

export type DataGridService = Connection & { process?: Running };

/**
 * The service of the environment variables, if they are set.
 * @throws {Fault} if only some are set
 */
export function serviceOfEnvironment(): Connection | undefined {
	const { DATAGRID_URL: url, DATAGRID_KEY: key, DATAGRID_SECRET: secret } = env;
	if (url === undefined || url === '') return undefined;
	if (!URL.canParse(url)) {
		throw new Fault(
			`DATAGRID_URL is "${url}", which is not a web address.`,
			'Set it to one such as https://grids.example.com.',
		);
	}
	if (!key || !secret) {
		throw new Fault(
			'DATAGRID_URL is set, but DATAGRID_KEY or DATAGRID_SECRET is not.',
			'Set all three to use your own service, or none to use the embedded one.',
		);
	}
	return { url, key, secret };
}

/**
 * Starts the embedded service and waits until it is ready.
 * @param options folder of its data, log file, and port (0 for any free port)
 */
export async function startService({
	folder,
	port,
}: {
	folder: string;
	port: number;
}): Promise<Required<DataGridService>> {
	let output = '';
	const process = await startProcess({
		file: execPath,
		args: [
			join(root, 'dist-service', 'main.js'),
			...['--port', String(port), '--data', join(folder, 'datagrid.db'), '--seed', 'demo'],
		],
		cwd: root,
		env,
		log: join(folder, 'logs', 'service.log'),
		// Its first line contains the owner's key and secret.
		secretOutput: true,
		onOutput: (text) => {
			output += text;
		},
	});
	for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
		const line = output
			.split('\n')
			.find((one) => one.startsWith('{') && one.includes('"url"') && one.endsWith('}'));
		if (line !== undefined) {
			const { url, key, secret } = readySchema.parse(JSON.parse(line));
			return { url, key, secret, process };
		}
		if (!process.isRunning()) break;
		await wait(50, undefined, { signal: interruption }).catch(async (error: unknown) => {
			await process.stop();
			throw error;
		});
	}
	await process.stop();
	throw new Fault(
		`The Data-Grid Service did not start:\n${process.lastOutput().trim()}`,
		`Fix the cause; removing ${folder} deletes all data.`,
		{ log: process.log },
	);
}
