import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod/v4';
import { root } from '../../../scripts/setup/paths.mjs';
import { composeIn, contentOf, serviceOf } from '../../deploy/compose';

/**
 * What differs from machine to machine, so that a test may
 * set it: where the stores are, and secrets.
 */
export const OF_THE_MACHINE = Object.freeze([
	'DB_POSTGRESDB_HOST',
	'DB_POSTGRESDB_PORT',
	'DB_POSTGRESDB_PASSWORD',
	'QUEUE_BULL_REDIS_HOST',
	'QUEUE_BULL_REDIS_PORT',
	'QUEUE_BULL_REDIS_PASSWORD',
	'N8N_ENCRYPTION_KEY',
]);

const deployFile = async (name: string) => await readFile(join(root, 'deploy', name), 'utf8');

/** The settings that operators give all their n8n processes: `deploy/n8n.env`. */
export const sharedSettings = async () =>
	z.record(z.string(), z.string()).parse({ ...parseEnv(await deployFile('n8n.env')) });

/** @returns what an operator's worker is started with, such as `worker --concurrency=10` */
export async function workerCommand(): Promise<string[]> {
	return serviceOf(composeIn(contentOf(await deployFile('compose.yaml'))), 'worker').command;
}
