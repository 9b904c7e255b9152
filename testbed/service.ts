import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { z } from 'zod/v4';
import { startProcess, type Running } from './process';
import { Fault } from '../scripts/setup/faults.mjs';
import { interruption } from '../scripts/setup/interruption.mjs';
import { root } from '../scripts/setup/paths.mjs';
import type { Connection } from './demo/dataGrid';
import { until } from './until';

const readySchema = z.object({ url: z.url(), key: z.string(), secret: z.string() });

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
	const ready = () => {
		const line = /^\{.*"url".*\}$/m.exec(output)?.[0];
		if (line === undefined && !process.isRunning()) throw new Error(process.lastOutput().trim());
		return line === undefined ? undefined : readySchema.parse(JSON.parse(line));
	};
	try {
		const connection = await until('the service to be ready', ready, { everyMs: 50 });
		return { ...connection, process };
	} catch (error) {
		await process.stop();
		if (interruption.aborted) throw error;
		throw new Fault(
			`The Data-Grid Service did not start:\n${error instanceof Error ? error.message : ''}`,
			`Fix the cause; removing ${folder} deletes all data.`,
			{ log: process.log },
		);
	}
}
