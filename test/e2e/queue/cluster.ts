import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connectDataGrid, openDemoGrids } from '../../../testbed/demo/dataGrid';
import { startService } from '../../../testbed/service';
import { root } from '../../../scripts/setup/paths.mjs';
import { installCommunityPackage, packProject } from '../../../testbed/n8n/communityPackage';
import { startN8n, type RunningN8n, type N8nOptions } from '../../../testbed/n8n/n8n';
import { freePort } from '../../../scripts/setup/ports.mjs';
import { N8nRest } from '../../../testbed/n8n/rest';
import { watchFeedPollers } from './feedPollers';
import { sharedSettings, workerCommand } from './settings';
import { startPostgres, startRedis } from './stores';
import type { N8nInstall } from '../../../scripts/setup/n8n.mjs';

const OWNER = { email: 'owner@example.com', password: 'Queue-Test-1', firstName: 'Queue', lastName: 'Test' };

export interface ClusterOptions {
	install: N8nInstall;
	/** Of the folder in `build/` */
	name: string;
	workers: number;
}

interface Worker {
	name: string;
	process: RunningN8n;
	/** Ids of the executions that it has begun */
	started: () => Promise<Set<string>>;
}

export type Cluster = Awaited<ReturnType<typeof startAll>>;

/**
 * What an operator runs: n8n's main process and workers, PostgreSQL and Redis, with the settings of
 * `deploy/`, the package in every process, and a service for it to work on.
 *
 * @template T
 */
export async function withCluster<T>(
	options: ClusterOptions,
	use: (cluster: Cluster) => Promise<T>,
): Promise<T> {
	/** in the order in which they are to end */
	const ends: (() => Promise<void> | void)[] = [];
	try {
		return await use(await startAll(options, (end) => ends.unshift(end)));
	} finally {
		for (const end of ends) await end();
	}
}

/** @param atEnd called in the opposite order */
async function startAll(
	{ install, name, workers: count }: ClusterOptions,
	atEnd: (end: () => Promise<void> | void) => void,
) {
	const folder = join(root, 'build', 'queue', name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const settings = await sharedSettings();
	const password = randomBytes(16).toString('hex');
	const { DB_POSTGRESDB_USER: user = '', DB_POSTGRESDB_DATABASE: database = '' } = settings;
	const postgres = await startPostgres({ user, database, password });
	atEnd(postgres.end);
	const redis = await startRedis({ password });
	atEnd(redis.end);
	const service = await startService({ folder, port: 0 });
	atEnd(async () => {
		await service.process.stop();
	});

	const processes: number[] = [];
	const feedPollers = await watchFeedPollers(service.url, () => processes);
	atEnd(feedPollers.close);
	const client = connectDataGrid(service);
	const grids = await openDemoGrids(client);
	const packed = await packProject(folder);
	/** Of the names in OF_THE_MACHINE. */
	const machine = {
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_PASSWORD: password,
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		QUEUE_BULL_REDIS_PASSWORD: password,
		N8N_ENCRYPTION_KEY: randomBytes(16).toString('hex'),
	};
	/** @param process its name */
	const start = async (process: string, { env = {}, ...more }: Partial<N8nOptions> = {}) => {
		const userFolder = join(folder, process);
		await installCommunityPackage(userFolder, packed, install.node);
		const log = join(folder, 'logs', `${process}.log`);
		const started = await startN8n({
			install,
			userFolder,
			log,
			env: { ...settings, ...machine, ...env },
			...more,
		});
		processes.push(started.pid);
		atEnd(() => started.stop());
		return started;
	};
	const main = await start('main', { hasEditor: false });
	const command = await workerCommand();

	const startWorker = async (number: number): Promise<Worker> => {
		const worker = `worker-${String(number)}`;
		const port = await freePort();
		const env = { QUEUE_HEALTH_CHECK_PORT: String(port), N8N_WORKER_SERVER_ADDRESS: '127.0.0.1' };
		const ready = { path: '/healthz/readiness', sign: 'ok' };
		const process = await start(worker, { command, port, env, ready });
		const started = async () => {
			const log = await readFile(process.log, 'utf8');
			return new Set([...log.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id ?? ''));
		};
		return { name: worker, process, started };
	};
	const workers = await Promise.all(Array.from({ length: count }, (_, index) => startWorker(index + 1)));
	const rest = new N8nRest(main.url, install.version);
	await rest.signIn(OWNER);
	const { key, secret } = service;
	const data = { baseUrl: feedPollers.url, authentication: 'apiKey', key, secret };
	const credential = await rest.putCredential({ name: 'Grid', type: 'dataGridApi', data });
	return { main, workers, rest, client, grids, credential, feedPollers, database: postgres };
}
