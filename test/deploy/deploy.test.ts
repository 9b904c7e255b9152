import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PACKAGES } from '../../scripts/container/packages.mjs';
import { PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { checkQueue, checkServer, checkTrial, type Texts } from './checks';
import { brokenOnes, contentOf } from './compose';

/** The Compose files: the trial, the server of a team, and n8n in queue mode. */
const root = resolve(__dirname, '..', '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

const texts: Texts = {
	dockerfile: textOf('Dockerfile'),
	script: textOf('scripts/container/trial.mjs'),
	caddyfile: textOf('deploy/server/Caddyfile'),
	serverExample: textOf('deploy/server/.env.example'),
	queueExample: textOf('deploy/.env.example'),
	settings: textOf('deploy/n8n.env'),
};
const FILES = [
	{ path: 'compose.yaml', check: checkTrial },
	{ path: 'deploy/server/compose.yaml', check: checkServer },
	{ path: 'deploy/compose.yaml', check: checkQueue },
].map((file) => ({ ...file, content: contentOf(textOf(file.path)) }));

describe.each(FILES)('$path', ({ content, check }) => {
	test('fits the Dockerfile, what it mounts and the settings', () => {
		check(content, texts);
	});

	test.each(brokenOnes(content))('is refused with a broken $place', ({ variants }) => {
		for (const variant of variants)
			expect(() => {
				check(variant, texts);
			}).toThrow();
	});
});

/** What an operator could break beside them: a text in a file, and what stands there instead. */
const BREAKS: ReadonlyArray<readonly [keyof Texts, string, string]> = [
	['dockerfile', ' AS service\n', ' AS server\n'],
	['dockerfile', ' AS trial\n', ' AS tour\n'],
	['dockerfile', `n8nio/n8n:${PINNED_N8N}`, 'n8nio/n8n:latest'],
	['dockerfile', 'EXPOSE 8080', 'EXPOSE 80'],
	['dockerfile', '127.0.0.1:8080/api/health', '127.0.0.1:80/api/health'],
	['dockerfile', '/build/dist /opt/datagrid', '/build/dist /opt/grids'],
	['dockerfile', 'LICENSE /opt/datagrid/package/', 'LICENSE /opt/datagrid/'],
	['dockerfile', 'COPY examples /opt/datagrid/examples', 'COPY examples /opt/datagrid'],
	['dockerfile', '/opt/datagrid/node_modules/zod', '/opt/node_modules/zod'],
	['dockerfile', 'trial.mjs /opt/datagrid/', 'trial.mjs /opt/'],
	['dockerfile', '"/opt/datagrid/trial.mjs"', '"/opt/trial.mjs"'],
	['script', 'http://datagrid:8080', 'http://grids:8080'],
	['script', "TRIAL_DATA = '/datagrid'", "TRIAL_DATA = '/data'"],
	['script', "TRIAL_FROM = '/opt/datagrid'", "TRIAL_FROM = '/opt/grids'"],
	['script', "'/home/node/.n8n'", "'/root/.n8n'"],
	['caddyfile', 'n8n:5678', 'n8n:80'],
	['caddyfile', 'datagrid:8080', 'datagrid:80'],
	['serverExample', 'DATAGRID_HOST=', 'GRIDS_HOST='],
	['queueExample', 'REDIS_PASSWORD=', 'QUEUE_PASSWORD='],
	['queueExample', 'N8N_BIND=', 'BIND='],
	['settings', 'EXECUTIONS_MODE=queue', 'EXECUTIONS_MODE=regular'],
	['settings', 'DB_TYPE=postgresdb', 'DB_TYPE=sqlite'],
	['settings', 'DB_POSTGRESDB_HOST=postgres', 'DB_POSTGRESDB_HOST=database'],
	['settings', 'DB_POSTGRESDB_PORT=5432', 'DB_POSTGRESDB_PORT=5433'],
	['settings', 'DB_POSTGRESDB_USER=n8n', 'DB_POSTGRESDB_USER=postgres'],
	['settings', 'DB_POSTGRESDB_DATABASE=n8n', 'DB_POSTGRESDB_DATABASE=postgres'],
	['settings', 'QUEUE_BULL_REDIS_HOST=redis', 'QUEUE_BULL_REDIS_HOST=queue'],
	['settings', 'QUEUE_BULL_REDIS_PORT=6379', 'QUEUE_BULL_REDIS_PORT=6380'],
	['settings', 'N8N_GRACEFUL_SHUTDOWN_TIMEOUT=60', 'N8N_GRACEFUL_SHUTDOWN_TIMEOUT=120'],
];

test.each(BREAKS)('%s with a broken link is refused: %s → %s', (name, find, replacement) => {
	expect(texts[name].split(find).length).toBe(2);
	const broken = { ...texts, [name]: texts[name].replace(find, () => replacement) };
	expect(() => {
		for (const { content, check } of FILES) check(content, broken);
	}).toThrow();
});

test('the container has the packages that the service imports', () => {
	const sources = readdirSync(join(root, 'service'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => textOf(join('service', path)));
	const imported = sources.flatMap((text) =>
		[...text.matchAll(/(?:from|import\(|require(?:\.resolve)?\()\s?'((?:@[\w-]+\/)?[\w-]+)['/]/g)].map(
			([, name = '']) => name,
		),
	);
	const packages = new Set(imported.filter((name) => !name.startsWith('node')));
	expect([...packages].sort()).toEqual([...PACKAGES.service].sort());
});
