import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { parseEnv } from 'node:util';
import { PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { OF_THE_MACHINE, readCompose, sharedSettings } from './queue/settings';

/** What `deploy/` gives to operators, as far as it can be told without starting containers. */
let services: Compose['services'];
let volumes: Compose['volumes'];
let settings: Awaited<ReturnType<typeof sharedSettings>>;
before(async () => {
	({ services, volumes } = await readCompose());
	settings = await sharedSettings();
});
type Compose = Awaited<ReturnType<typeof readCompose>>;

/** Where n8n looks for community packages in its image. */
const PACKAGES = '/home/node/.n8n/nodes';

function service(name: string) {
	const found = services[name];
	assert.ok(found, `There is no service "${name}"`);
	return found;
}

test('main and workers run the tested version of n8n with the tested settings', () => {
	for (const name of ['main', 'worker']) {
		const { image, env_file } = service(name);
		assert.equal(image, `docker.n8n.io/n8nio/n8n:${PINNED_N8N}`);
		assert.equal(env_file, 'n8n.env');
	}
	assert.equal(settings['EXECUTIONS_MODE'], 'queue');
	assert.equal(settings['DB_TYPE'], 'postgresdb');
});

test('other than the shared settings there are only secrets and addresses, with the same secrets everywhere', () => {
	const addresses = new Set(['N8N_HOST', 'WEBHOOK_URL', ...OF_THE_MACHINE]);
	const main = service('main').environment;
	const worker = service('worker').environment;
	for (const name of Object.keys({ ...main, ...worker })) assert.ok(addresses.has(name), name);
	for (const name of ['N8N_ENCRYPTION_KEY', 'DB_POSTGRESDB_PASSWORD', 'QUEUE_BULL_REDIS_PASSWORD']) {
		assert.match(main[name] ?? '', /^\$\{[A-Z0-9_]+:\?/, `${name} has a value of its own or may be empty`);
		assert.equal(worker[name], main[name]);
	}
});

test('the databases have the addresses in the shared settings', () => {
	const { DB_POSTGRESDB_HOST: database = '', QUEUE_BULL_REDIS_HOST: queue = '' } = settings;
	const { environment } = service(database);
	assert.equal(environment['POSTGRES_USER'], settings['DB_POSTGRESDB_USER']);
	assert.equal(environment['POSTGRES_DB'], settings['DB_POSTGRESDB_DATABASE']);
	assert.equal(settings['DB_POSTGRESDB_PORT'], '5432');
	assert.equal(settings['QUEUE_BULL_REDIS_PORT'], '6379');
	for (const [name, folder] of [
		[database, '/var/lib/postgresql/data'],
		[queue, '/data'],
	] as const) {
		assert.deepEqual(service(name).ports, [], `${name} can be reached from outside`);
		assert.ok(
			service(name).volumes.some((volume) => volume.endsWith(`:${folder}`)),
			`${name} keeps nothing`,
		);
	}
});

test('the package is installed in every n8n process before it starts', () => {
	for (const name of ['main', 'worker']) {
		const { volumes: mounted, depends_on } = service(name);
		assert.ok(
			mounted.some((volume) => volume.split(':')[1] === PACKAGES),
			`${name} has no packages`,
		);
		assert.equal(depends_on['package']?.condition, 'service_completed_successfully');
	}
	assert.match([service('package').command].flat().join(' '), /n8n-nodes-datagrid@/);
});

test('workers wait for main, which migrates the database', () => {
	const { command, depends_on } = service('worker');
	assert.match(String(command), /^worker --concurrency=\d+$/);
	assert.equal(depends_on['main']?.condition, 'service_healthy');
	assert.ok(service('main').healthcheck, 'nobody can tell whether main is healthy');
});

test('mounted files exist, and the example of secrets lists all required ones', async () => {
	const mounted = Object.values(services).flatMap((one) => one.volumes.map((volume) => volume.split(':')[0]));
	assert.deepEqual(new Set(mounted), new Set(Object.keys(volumes)));
	const compose = await readFile(join(root, 'deploy', 'compose.yaml'), 'utf8');
	const asked = new Set([...compose.matchAll(/\$\{([A-Z0-9_]+)[:}]/g)].map(([, name]) => name));
	const example = parseEnv(await readFile(join(root, 'deploy', '.env.example'), 'utf8'));
	assert.deepEqual(asked, new Set(Object.keys(example)));
});
