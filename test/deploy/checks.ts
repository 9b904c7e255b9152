import { parseEnv } from 'node:util';
import { PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { OF_THE_MACHINE } from '../e2e/queue/settings';
import { composeIn, mountAt, optionOf, serviceOf, variablesIn, type Compose } from './compose';

/** Texts beside the Compose files that have to fit them. */
export interface Texts {
	dockerfile: string;
	/** What prepares n8n for the trial */
	script: string;
	caddyfile: string;
	/** Examples of `.env` */
	serverExample: string;
	queueExample: string;
	/** Settings of each n8n process in queue mode */
	settings: string;
}

const N8N_FOLDER = '/home/node/.n8n';
const N8N_IMAGE = `docker.n8n.io/n8nio/n8n:${PINNED_N8N}`;
const LASTS = 'unless-stopped';
const SECONDS = /^\d+s$/;

/** Mounted volumes are declared, and the example of `.env` lists all variables. */
function checkNames(compose: Compose, example?: string) {
	const mounted = Object.values(compose.services).flatMap(({ volumes }) =>
		volumes.map((one) => one.split(':')[0]),
	);
	expect(new Set(mounted.filter((name) => !name?.startsWith('.')))).toEqual(
		new Set(Object.keys(compose.volumes)),
	);
	if (example === undefined) return;
	const variables = variablesIn(JSON.stringify(compose));
	expect(new Set(Object.keys(parseEnv(example)))).toEqual(new Set(variables));
}

/** The embedded service: what the Dockerfile says of its image holds for the options here. */
function checkService(compose: Compose, context: string, { dockerfile }: Texts) {
	const service = serviceOf(compose, 'datagrid');
	expect(service.build).toEqual({ context, target: 'service' });
	expect(dockerfile).toContain(' AS service\n');
	const port = String(optionOf(service, '--port'));
	expect(optionOf(service, '--host')).toBe('0.0.0.0');
	expect(dockerfile).toContain(`EXPOSE ${port}\n`);
	expect(dockerfile).toContain(`127.0.0.1:${port}/api/health`);
	expect([service.read_only, service.tmpfs]).toEqual([true, ['/tmp']]);
	expect(service.stop_grace_period).toMatch(SECONDS);
	expect(parseInt(service.stop_grace_period, 10)).toBeGreaterThan(10);
	expect(mountAt(compose, 'datagrid', '/data')).toBe('datagrid');
	const { image, environment } = serviceOf(compose, 'n8n');
	expect(image).toBe(N8N_IMAGE);
	expect(environment).toMatchObject({
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_SSRF_ALLOWED_HOSTNAMES: 'datagrid',
	});
	expect(mountAt(compose, 'n8n', N8N_FOLDER)).toBe('n8n');
}

/** The package is installed from npm where n8n looks for community packages. */
function checkInstallation(compose: Compose) {
	const { image, user, entrypoint, command } = serviceOf(compose, 'package');
	expect([image, user, entrypoint]).toEqual([N8N_IMAGE, 'root', ['sh', '-c']]);
	const install = 'npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps --omit=peer';
	const name = '"n8n-nodes-datagrid@${DATAGRID_NODES_VERSION:-latest}"';
	expect(command).toEqual([`cd /packages && ${install} ${name} && chown -R node:node /packages`]);
	expect(mountAt(compose, 'package', '/packages')).toBe('packages');
}

export function checkTrial(content: unknown, texts: Texts) {
	const compose = composeIn(content);
	checkService(compose, '.', texts);
	checkNames(compose);
	const { dockerfile, script } = texts;
	const [trial, n8n, datagrid] = ['trial', 'n8n', 'datagrid'].map((name) => serviceOf(compose, name));
	expect(trial?.build).toEqual({ context: '.', target: 'trial' });
	expect(dockerfile).toContain(' AS trial\n');
	expect(dockerfile).toContain(`ARG N8N_IMAGE=${N8N_IMAGE}\n`);
	expect(trial?.environment).toEqual(n8n?.environment);
	expect(n8n?.environment).toMatchObject({ N8N_SECURE_COOKIE: 'false', N8N_DIAGNOSTICS_ENABLED: 'false' });
	expect(trial?.depends_on).toEqual({ datagrid: { condition: 'service_healthy' } });
	expect(n8n?.depends_on).toEqual({ trial: { condition: 'service_completed_successfully' } });

	// The script reads the owner's key, and only reads.
	const [, data = ''] = /TRIAL_DATA = '([^']+)'/.exec(script) ?? [];
	expect(mountAt(compose, 'trial', data)).toBe('datagrid ro');
	expect(mountAt(compose, 'trial', N8N_FOLDER)).toBe('n8n');
	expect(script).toContain(`TRIAL_N8N = '${N8N_FOLDER}'`);
	expect(script).toContain("TRIAL_SERVICE = 'http://datagrid:8080'");
	// It finds what the image has.
	const [, from = ''] = /TRIAL_FROM = '([^']+)'/.exec(script) ?? [];
	expect(dockerfile).toContain(`COPY --from=build /build/dist ${from}/package/dist\n`);
	expect(dockerfile).toContain(`COPY package.json README.md LICENSE ${from}/package/\n`);
	expect(dockerfile).toContain(`COPY examples ${from}/examples\n`);
	expect(dockerfile).toContain(`COPY --from=build /build/node_modules/zod ${from}/node_modules/zod\n`);
	expect(dockerfile).toContain(`COPY scripts/container/trial.mjs ${from}/\n`);
	expect(dockerfile).toContain(`ENTRYPOINT ["node", "${from}/trial.mjs"]\n`);

	// The page of the grids is where its links lead.
	expect(datagrid?.ports).toEqual(['127.0.0.1:${DATAGRID_PORT:-8787}:8080']);
	const options = '--host 0.0.0.0 --port 8080 --seed demo --public-url';
	expect(datagrid?.command).toEqual([...options.split(' '), 'http://localhost:${DATAGRID_PORT:-8787}']);
	expect(n8n?.ports).toEqual(['127.0.0.1:${N8N_PORT:-5678}:5678']);
}

export function checkServer(content: unknown, texts: Texts) {
	const compose = composeIn(content);
	checkService(compose, '../..', texts);
	checkNames(compose, texts.serverExample);
	checkInstallation(compose);
	const [datagrid, n8n, caddy] = ['datagrid', 'n8n', 'caddy'].map((name) => serviceOf(compose, name));
	for (const service of [datagrid, n8n, caddy]) expect(service?.restart).toBe(LASTS);
	// Only Caddy can be reached from outside.
	for (const service of [datagrid, n8n]) expect(service?.ports).toEqual([]);
	for (const { networks } of Object.values(compose.services)) expect(networks).toEqual(['server']);
	expect(caddy?.ports).toEqual(['80:80', '443:443']);
	expect(caddy?.image).toMatch(/^caddy:\d+$/);
	expect(mountAt(compose, 'caddy', '/data')).toBe('caddy');
	expect(mountAt(compose, 'caddy', '/etc/caddy/Caddyfile')).toBe('./Caddyfile ro');
	expect(caddy?.environment).toEqual({ N8N_HOST: '${N8N_HOST}', DATAGRID_HOST: '${DATAGRID_HOST}' });
	expect(texts.caddyfile).toContain('{$N8N_HOST} {\n\treverse_proxy n8n:5678\n}');
	expect(texts.caddyfile).toContain('{$DATAGRID_HOST} {\n\treverse_proxy datagrid:8080\n}');

	const [subnet] = compose.networks['server']?.ipam.config.map((one) => one.subnet) ?? [];
	expect(subnet).toMatch(/^172\.30(\.\d+)+\/24$/);
	expect(datagrid?.command).toEqual([
		'--host=0.0.0.0',
		'--port=8080',
		'--public-url=https://${DATAGRID_HOST:?Set it in .env}',
		`--trust-proxy=${String(subnet)}`,
		expect.stringMatching(/^--rate-limit=\d+$/),
	]);
	expect(datagrid?.cap_drop).toEqual(['ALL']);
	expect(mountAt(compose, 'datagrid', '/backup')).toBe('backup');

	expect(n8n?.environment).toMatchObject({
		N8N_ENCRYPTION_KEY: '${N8N_ENCRYPTION_KEY:?Set it in .env and keep it for good}',
		N8N_HOST: '${N8N_HOST:?Set it in .env}',
		N8N_PROTOCOL: 'https',
		WEBHOOK_URL: 'https://${N8N_HOST}/',
		N8N_PROXY_HOPS: '1',
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	});
	expect(n8n?.depends_on).toEqual({
		package: { condition: 'service_completed_successfully' },
		datagrid: { condition: 'service_healthy' },
	});
	expect(mountAt(compose, 'n8n', `${N8N_FOLDER}/nodes`)).toBe('packages');
}

export function checkQueue(content: unknown, texts: Texts) {
	const compose = composeIn(content);
	checkNames(compose, texts.queueExample);
	checkInstallation(compose);
	const settings = parseEnv(texts.settings);
	const [main, worker, postgres, redis] = ['main', 'worker', 'postgres', 'redis'].map((name) =>
		serviceOf(compose, name),
	);
	for (const service of [main, worker, postgres, redis]) expect(service?.restart).toBe(LASTS);
	expect(settings).toMatchObject({ EXECUTIONS_MODE: 'queue', DB_TYPE: 'postgresdb' });

	// Other than the shared settings there are secrets, the same everywhere, and addresses.
	const secrets = {
		N8N_ENCRYPTION_KEY: '${N8N_ENCRYPTION_KEY:?Set it in .env and keep it for good}',
		DB_POSTGRESDB_PASSWORD: '${POSTGRES_PASSWORD:?Set it in .env}',
		QUEUE_BULL_REDIS_PASSWORD: '${REDIS_PASSWORD:?Set it in .env}',
	};
	expect(OF_THE_MACHINE).toEqual(expect.arrayContaining(Object.keys(secrets)));
	expect(worker?.environment).toEqual(secrets);
	expect(main?.environment).toEqual({
		...secrets,
		N8N_HOST: '${N8N_HOST:-localhost}',
		WEBHOOK_URL: '${WEBHOOK_URL:-http://localhost:5678/}',
	});

	// The stores have the addresses and passwords that n8n uses, and no others reach them.
	expect(settings).toMatchObject({
		DB_POSTGRESDB_HOST: 'postgres',
		DB_POSTGRESDB_PORT: '5432',
		QUEUE_BULL_REDIS_HOST: 'redis',
		QUEUE_BULL_REDIS_PORT: '6379',
	});
	const { DB_POSTGRESDB_USER: user = '', DB_POSTGRESDB_DATABASE: database = '' } = settings;
	expect(postgres?.environment).toEqual({
		POSTGRES_USER: user,
		POSTGRES_DB: database,
		POSTGRES_PASSWORD: secrets.DB_POSTGRESDB_PASSWORD,
	});
	expect(postgres?.healthcheck?.test).toEqual(['CMD', 'pg_isready', '-U', user, '-d', database]);
	expect(postgres?.image).toMatch(/^postgres:\d+$/);
	expect(redis?.environment).toEqual({ REDISCLI_AUTH: secrets.QUEUE_BULL_REDIS_PASSWORD });
	expect(redis?.command.slice(0, -1)).toEqual(
		'redis-server --appendonly yes --maxmemory-policy noeviction --requirepass'.split(' '),
	);
	expect(redis?.command.at(-1)).toBe(secrets.QUEUE_BULL_REDIS_PASSWORD);
	expect(redis?.healthcheck?.test).toEqual(['CMD', 'redis-cli', 'ping']);
	expect(redis?.image).toMatch(/^redis:\d+$/);
	for (const service of [postgres, redis]) expect(service?.ports).toEqual([]);
	expect(mountAt(compose, 'postgres', '/var/lib/postgresql/data')).toBe('postgres');
	expect(mountAt(compose, 'redis', '/data')).toBe('redis');

	for (const service of [main, worker]) {
		expect([service?.image, service?.env_file]).toEqual([N8N_IMAGE, 'n8n.env']);
		expect(service?.depends_on).toMatchObject({
			package: { condition: 'service_completed_successfully' },
			postgres: { condition: 'service_healthy' },
			redis: { condition: 'service_healthy' },
		});
	}
	expect(mountAt(compose, 'main', `${N8N_FOLDER}/nodes`)).toBe('packages');
	expect(mountAt(compose, 'worker', `${N8N_FOLDER}/nodes`)).toBe('packages ro');
	expect(mountAt(compose, 'main', N8N_FOLDER)).toBe('main');
	expect(main?.ports).toEqual(['${N8N_BIND:-127.0.0.1}:5678:5678']);
	expect(main?.healthcheck?.test).toEqual(
		'CMD wget --quiet --output-document=- http://127.0.0.1:5678/healthz/readiness'.split(' '),
	);
	for (const service of [main, postgres, redis]) {
		expect(service?.healthcheck?.interval).toMatch(SECONDS);
		expect(service?.healthcheck?.retries).toBeGreaterThan(1);
	}
	// Main migrates the database, so workers start after it; a stopping one can finish.
	expect(worker?.depends_on['main']?.condition).toBe('service_healthy');
	expect(worker?.command.join(' ')).toMatch(/^worker --concurrency=\d+$/);
	expect(worker?.deploy?.replicas).toBeGreaterThan(1);
	expect(worker?.stop_grace_period).toMatch(SECONDS);
	const grace = Number(settings['N8N_GRACEFUL_SHUTDOWN_TIMEOUT']);
	expect(parseInt(worker?.stop_grace_period ?? '', 10)).toBeGreaterThan(grace);
}
