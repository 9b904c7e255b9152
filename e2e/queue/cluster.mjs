import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connectDataGrid, openDemoGrids } from '../../scripts/demo/dataGrid.mjs';
import { startService } from '../../scripts/demo/service.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { installCommunityPackage, packProject } from '../support/communityPackage.mjs';
import { startN8n } from '../support/n8n.mjs';
import { freePort } from '../support/ports.mjs';
import { N8nRest } from '../support/rest.mjs';
import { openDoor } from './door.mjs';
import { sharedSettings, workerCommand } from './settings.mjs';
import { startPostgres, startRedis } from './stores.mjs';

const OWNER = { email: 'owner@example.com', password: 'Queue-Test-1', firstName: 'Queue', lastName: 'Test' };

/**
 * @typedef {object} ClusterOptions
 * @property {import('../../scripts/setup/n8n.mjs').N8nInstall} install
 * @property {string} name of the folder in `build/`
 * @property {number} workers
 */

/**
 * @typedef {object} Worker
 * @property {string} name
 * @property {import('../support/n8n.mjs').RunningN8n} process
 * @property {() => Promise<Set<string>>} started ids of the executions that it has begun
 */

/** @typedef {Awaited<ReturnType<typeof startAll>>} Cluster */

/**
 * What an operator runs: n8n's main process and workers, PostgreSQL and Redis, with the settings of `deploy/`, the package in
 * every process, and a service for it to work on.
 *
 * @template T
 * @param {ClusterOptions} options
 * @param {(cluster: Cluster) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withCluster(options, use) {
	/** @type {(() => Promise<void> | void)[]} in the order in which they are to end */
	const ends = [];
	try {
		return await use(await startAll(options, (end) => ends.unshift(end)));
	} finally {
		for (const end of ends) await end();
	}
}

/**
 * @param {ClusterOptions} options
 * @param {(end: () => Promise<void> | void) => void} atEnd called in the opposite order
 */
async function startAll({ install, name, workers: count }, atEnd) {
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
		await service.process?.stop();
	});
	/** @type {number[]} */
	const processes = [];
	const door = await openDoor(service.url, () => processes);
	atEnd(door.close);
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
	/**
	 * @param {string} process its name
	 * @param {Partial<import('../support/n8n.mjs').N8nOptions>} [more]
	 */
	const start = async (process, { env = {}, ...more } = {}) => {
		const userFolder = join(folder, process);
		await mkdir(join(userFolder, '.n8n', 'nodes'), { recursive: true });
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
	const main = await start('main');
	const command = await workerCommand();
	/** @param {number} number @returns {Promise<Worker>} */
	const startWorker = async (number) => {
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
	const rest = new N8nRest(main.url);
	await rest.signIn(OWNER);
	const { key, secret } = service;
	const data = { baseUrl: door.url, authentication: 'apiKey', key, secret };
	const credential = await rest.putCredential({ name: 'Grid', type: 'dataGridApi', data });
	return { main, workers, rest, client, grids, credential, door, database: postgres };
}
