import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod/v4';
import { root } from '../../../scripts/setup/paths.mjs';

const composeSchema = z.object({
	services: z.record(
		z.string(),
		z.looseObject({
			image: z.string(),
			command: z.union([z.string(), z.array(z.string())]).optional(),
			env_file: z.string().optional(),
			environment: z.record(z.string(), z.string()).default({}),
			volumes: z.array(z.string()).default([]),
			depends_on: z.record(z.string(), z.looseObject({ condition: z.string() })).default({}),
			ports: z.array(z.string()).default([]),
			healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
			stop_grace_period: z.string().optional(),
		}),
	),
	volumes: z.record(z.string(), z.null()),
});

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

const settingsIn = (text: string) => z.record(z.string(), z.string()).parse({ ...parseEnv(text) });

/** The settings that operators give all their n8n processes: `deploy/n8n.env`. */
export const sharedSettings = async () => settingsIn(await deployFile('n8n.env'));

/** What a Compose file says, with its merges carried out. */
function composeIn(text: string) {
	const compose: unknown = parse(text, { merge: true });
	return composeSchema.parse(compose);
}

/** The files of `deploy/`, as text. */
export async function deployFiles() {
	const [compose, settings, secrets] = await Promise.all(
		['compose.yaml', 'n8n.env', '.env.example'].map(deployFile),
	);
	return { compose: compose ?? '', settings: settings ?? '', secrets: secrets ?? '' };
}
export type DeployFiles = Awaited<ReturnType<typeof deployFiles>>;

/** What the files of `deploy/` say. */
export function deploymentIn({ compose, settings, secrets }: DeployFiles) {
	return {
		...composeIn(compose),
		settings: settingsIn(settings),
		/** Names of the variables that the Compose file uses. */
		variables: [...compose.matchAll(/\$\{([A-Z0-9_]+)[:}]/g)].map(([, name = '']) => name),
		/** Names of the variables in the example of secrets. */
		exampleVariables: Object.keys(parseEnv(secrets)),
	};
}
export type Deployment = ReturnType<typeof deploymentIn>;

/** @returns what an operator's worker is started with, such as `worker --concurrency=10` */
export async function workerCommand(): Promise<string[]> {
	const { command } = composeIn(await deployFile('compose.yaml')).services['worker'] ?? {};
	return z.string().parse(command).split(' ');
}
