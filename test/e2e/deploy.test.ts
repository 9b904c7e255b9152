import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import {
	deployFiles,
	deploymentIn,
	OF_THE_MACHINE,
	type DeployFiles,
	type Deployment,
} from './queue/settings';

/** What `deploy/` gives to operators, as far as it can be told without starting containers. */
let files: DeployFiles;
before(async () => {
	files = await deployFiles();
});

/** Where n8n looks for community packages in its image. */
const PACKAGES = '/home/node/.n8n/nodes';
const N8N = ['main', 'worker'] as const;

function service({ services }: Deployment, name: string) {
	const found = services[name];
	assert.ok(found, `There is no service "${name}"`);
	return found;
}

/** The volume that a service has at a folder. */
const volumeAt = (deployment: Deployment, name: string, folder: string) =>
	service(deployment, name)
		.volumes.map((volume) => volume.split(':'))
		.find(([, path]) => path === folder)?.[0];

/** The variable of the operator that a value takes. */
const variableIn = (text = '') => /\$\{([A-Z0-9_]+)/.exec(text)?.[1];

const commandOf = (deployment: Deployment, name: string) => [service(deployment, name).command].flat();

const CHECKS: Readonly<Record<string, (deployment: Deployment) => void>> = {
	'main and workers run the tested version of n8n with the tested settings': (deployment) => {
		for (const name of N8N) {
			const { image, env_file } = service(deployment, name);
			assert.equal(image, `docker.n8n.io/n8nio/n8n:${PINNED_N8N}`);
			assert.equal(env_file, 'n8n.env');
		}
		assert.equal(service(deployment, 'package').image, service(deployment, 'main').image);
		assert.equal(deployment.settings['EXECUTIONS_MODE'], 'queue');
		assert.equal(deployment.settings['DB_TYPE'], 'postgresdb');
	},

	'other than the shared settings there are only secrets and addresses, with the same secrets everywhere': (
		deployment,
	) => {
		const addresses = new Set(['N8N_HOST', 'WEBHOOK_URL', ...OF_THE_MACHINE]);
		const main = service(deployment, 'main').environment;
		const worker = service(deployment, 'worker').environment;
		for (const name of Object.keys({ ...main, ...worker })) assert.ok(addresses.has(name), name);
		for (const name of ['N8N_ENCRYPTION_KEY', 'DB_POSTGRESDB_PASSWORD', 'QUEUE_BULL_REDIS_PASSWORD']) {
			assert.match(main[name] ?? '', /^\$\{[A-Z0-9_]+:\?/, `${name} has a value of its own or may be empty`);
			assert.equal(worker[name], main[name]);
		}
	},

	'the stores have the addresses and the passwords that n8n uses': (deployment) => {
		const { settings } = deployment;
		const { DB_POSTGRESDB_HOST: database = '', QUEUE_BULL_REDIS_HOST: queue = '' } = settings;
		const { environment: n8n } = service(deployment, 'main');
		const { environment, healthcheck } = service(deployment, database);
		const user = settings['DB_POSTGRESDB_USER'] ?? '';
		const name = settings['DB_POSTGRESDB_DATABASE'] ?? '';
		assert.equal(environment['POSTGRES_USER'], user);
		assert.equal(environment['POSTGRES_DB'], name);
		assert.deepEqual(healthcheck?.test.slice(1), ['pg_isready', '-U', user, '-d', name]);
		assert.equal(settings['DB_POSTGRESDB_PORT'], '5432');
		assert.equal(settings['QUEUE_BULL_REDIS_PORT'], '6379');
		assert.equal(environment['POSTGRES_PASSWORD'], n8n['DB_POSTGRESDB_PASSWORD']);
		const password = variableIn(n8n['QUEUE_BULL_REDIS_PASSWORD']);
		assert.equal(variableIn(service(deployment, queue).environment['REDISCLI_AUTH']), password);
		const command = commandOf(deployment, queue);
		assert.equal(variableIn(command[command.indexOf('--requirepass') + 1]), password);
		assert.equal(command[command.indexOf('--appendonly') + 1], 'yes');
	},

	'the stores keep their data and can be reached by n8n only': (deployment) => {
		for (const [name, folder] of [
			['postgres', '/var/lib/postgresql/data'],
			['redis', '/data'],
		] as const) {
			assert.deepEqual(service(deployment, name).ports, [], `${name} can be reached from outside`);
			assert.equal(volumeAt(deployment, name, folder), name);
		}
		for (const port of service(deployment, 'main').ports)
			assert.match(port, /^\$\{N8N_BIND:-127\.0\.0\.1\}:/);
	},

	'the package is installed where every n8n process finds it, before it starts': (deployment) => {
		for (const name of N8N) {
			assert.equal(volumeAt(deployment, name, PACKAGES), volumeAt(deployment, 'package', '/packages'));
			const { depends_on } = service(deployment, name);
			assert.equal(depends_on['package']?.condition, 'service_completed_successfully');
		}
		const command = commandOf(deployment, 'package').join(' ');
		assert.match(command, /^cd \/packages && npm install .*"n8n-nodes-datagrid@/);
	},

	'n8n waits for the stores, and workers for main, which migrates the database': (deployment) => {
		for (const name of N8N)
			for (const store of ['postgres', 'redis']) {
				assert.equal(service(deployment, name).depends_on[store]?.condition, 'service_healthy');
				assert.ok(service(deployment, store).healthcheck);
			}
		assert.equal(service(deployment, 'worker').depends_on['main']?.condition, 'service_healthy');
		const [, port = ''] = service(deployment, 'main').ports[0]?.split(':').slice(-2) ?? [];
		const address = service(deployment, 'main').healthcheck?.test.at(-1);
		assert.equal(address, `http://127.0.0.1:${port}/healthz/readiness`);
	},

	'a stopping worker has the time to finish its executions': (deployment) => {
		const { stop_grace_period: grace = '' } = service(deployment, 'worker');
		assert.match(String(service(deployment, 'worker').command), /^worker --concurrency=\d+$/);
		assert.match(grace, /^\d+s$/);
		assert.ok(parseInt(grace, 10) > Number(deployment.settings['N8N_GRACEFUL_SHUTDOWN_TIMEOUT']));
	},

	'mounted volumes are declared, and the example of secrets lists all variables': (deployment) => {
		const mounted = Object.values(deployment.services).flatMap((one) =>
			one.volumes.map((volume) => volume.split(':')[0]),
		);
		assert.deepEqual(new Set(mounted), new Set(Object.keys(deployment.volumes)));
		assert.deepEqual(new Set(deployment.variables), new Set(deployment.exampleVariables));
	},
};

for (const [name, check] of Object.entries(CHECKS))
	test(name, () => {
		check(deploymentIn(files));
	});

/** What an operator could break: the file, a text that it has, and what stands there instead. */
const BREAKS: ReadonlyArray<readonly [keyof DeployFiles, string, string]> = [
	['compose', `n8nio/n8n:${PINNED_N8N}\n  restart`, 'n8nio/n8n:latest\n  restart'],
	['compose', `n8nio/n8n:${PINNED_N8N}\n    user`, 'n8nio/n8n:latest\n    user'],
	['compose', 'env_file: n8n.env', 'env_file: main.env'],
	['compose', '${N8N_ENCRYPTION_KEY:?Set it in .env and keep it for good}', '${N8N_ENCRYPTION_KEY}'],
	['compose', 'DB_POSTGRESDB_PASSWORD: ${POSTGRES_PASSWORD', 'DB_POSTGRESDB_PASSWORD: ${REDIS_PASSWORD'],
	['compose', 'QUEUE_BULL_REDIS_PASSWORD: ${REDIS', 'QUEUE_BULL_REDIS_PASSWORD: ${POSTGRES'],
	['compose', "'${REDIS_PASSWORD:?", "'${POSTGRES_PASSWORD:?"],
	['compose', 'REDISCLI_AUTH: ${REDIS', 'REDISCLI_AUTH: ${POSTGRES'],
	['compose', "'yes'", "'no'"],
	[
		'compose',
		'package: { condition: service_completed_successfully }',
		'package: { condition: service_started }',
	],
	['compose', 'postgres: { condition: service_healthy }', 'postgres: { condition: service_started }'],
	['compose', 'redis: { condition: service_healthy }', 'redis: { condition: service_started }'],
	['compose', 'main: { condition: service_healthy }', 'main: { condition: service_started }'],
	['compose', '- packages:/packages', '- main:/packages'],
	['compose', '- packages:/home/node/.n8n/nodes\n', '- packages:/home/node/nodes\n'],
	['compose', '- packages:/home/node/.n8n/nodes:ro', '- main:/home/node/.n8n/nodes:ro'],
	['compose', 'cd /packages\n', 'cd /package\n'],
	['compose', '"n8n-nodes-datagrid@', '"datagrid@'],
	['compose', '127.0.0.1}:5678:5678', '0.0.0.0}:5678:5678'],
	['compose', '127.0.0.1:5678/healthz/readiness', '127.0.0.1:5679/healthz/readiness'],
	['compose', 'command: worker --concurrency=10', 'command: start'],
	['compose', 'stop_grace_period: 70s', 'stop_grace_period: 10s'],
	['compose', '\n  postgres:\n    image', '\n  database:\n    image'],
	['compose', '\n  redis:\n    image', '\n  queue:\n    image'],
	['compose', 'POSTGRES_USER: n8n', 'POSTGRES_USER: postgres'],
	['compose', 'POSTGRES_DB: n8n', 'POSTGRES_DB: postgres'],
	['compose', 'pg_isready, -U, n8n', 'pg_isready, -U, postgres'],
	['compose', '- postgres:/var/lib/postgresql/data', '- postgres:/var/lib/postgresql'],
	['compose', '- redis:/data', '- main:/data'],
	['settings', 'EXECUTIONS_MODE=queue', 'EXECUTIONS_MODE=regular'],
	['settings', 'DB_TYPE=postgresdb', 'DB_TYPE=sqlite'],
	['settings', 'DB_POSTGRESDB_HOST=postgres', 'DB_POSTGRESDB_HOST=database'],
	['settings', 'DB_POSTGRESDB_PORT=5432', 'DB_POSTGRESDB_PORT=5433'],
	['settings', 'DB_POSTGRESDB_USER=n8n', 'DB_POSTGRESDB_USER=postgres'],
	['settings', 'DB_POSTGRESDB_DATABASE=n8n', 'DB_POSTGRESDB_DATABASE=postgres'],
	['settings', 'QUEUE_BULL_REDIS_HOST=redis', 'QUEUE_BULL_REDIS_HOST=queue'],
	['settings', 'QUEUE_BULL_REDIS_PORT=6379', 'QUEUE_BULL_REDIS_PORT=6380'],
	['settings', 'N8N_GRACEFUL_SHUTDOWN_TIMEOUT=60', 'N8N_GRACEFUL_SHUTDOWN_TIMEOUT=120'],
	['secrets', 'REDIS_PASSWORD=', 'QUEUE_PASSWORD='],
	['secrets', 'N8N_BIND=', 'BIND='],
];

test('each broken link of these files is found', () => {
	for (const [file, find, replacement] of BREAKS) {
		assert.equal(files[file].split(find).length, 2, `"${find}" is not exactly once in the file`);
		const broken = { ...files, [file]: files[file].replace(find, () => replacement) };
		assert.throws(() => {
			const deployment = deploymentIn(broken);
			for (const check of Object.values(CHECKS)) check(deployment);
		}, `"${replacement}" was not found`);
	}
});
