import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod/v4';
import { PACKAGES } from '../scripts/container/packages.mjs';
import { PINNED_N8N } from '../scripts/setup/n8n.mjs';

/** The Compose files of one machine: the trial, and the server of a team. */
const root = resolve(__dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

const composeSchema = z.object({
	services: z.record(
		z.string(),
		z.object({
			image: z.string().optional(),
			build: z.object({ context: z.string(), target: z.string() }).optional(),
			command: z.array(z.string()).default([]),
			environment: z.record(z.string(), z.string()).default({}),
			depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
			ports: z.array(z.string()).default([]),
			volumes: z.array(z.string()).default([]),
			networks: z.array(z.string()).default([]),
			read_only: z.boolean().default(false),
			tmpfs: z.array(z.string()).default([]),
			stop_grace_period: z.string().default('10s'),
		}),
	),
	networks: z
		.record(z.string(), z.object({ ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }) }))
		.default({}),
	volumes: z.record(z.string(), z.null()),
});
type Compose = z.infer<typeof composeSchema>;

const N8N_FOLDER = '/home/node/.n8n';
const IMAGE = `docker.n8n.io/n8nio/n8n:${PINNED_N8N}`;

function serviceOf({ services }: Compose, name: string) {
	const service = services[name];
	if (!service) throw new Error(`There is no service "${name}"`);
	return service;
}

const volumeAt = (compose: Compose, name: string, folder: string) =>
	serviceOf(compose, name)
		.volumes.map((volume) => volume.split(':'))
		.find(([, path]) => path === folder)?.[0];

/** What holds for both files. */
function checkBoth(compose: Compose, dockerfile: string) {
	const { command, build, read_only, tmpfs, stop_grace_period } = serviceOf(compose, 'datagrid');
	expect(dockerfile).toContain(` AS ${String(build?.target)}\n`);
	const words = command.flatMap((word) => word.split('='));
	expect(words[words.indexOf('--host') + 1]).toBe('0.0.0.0');
	expect(dockerfile).toContain(`EXPOSE ${String(words[words.indexOf('--port') + 1])}\n`);
	expect(dockerfile).toContain(`127.0.0.1:${String(words[words.indexOf('--port') + 1])}/api/health`);
	expect([read_only, tmpfs]).toEqual([true, ['/tmp']]);
	expect(parseInt(stop_grace_period, 10)).toBeGreaterThan(10);
	expect(volumeAt(compose, 'datagrid', '/data')).toBe('datagrid');
	const n8n = serviceOf(compose, 'n8n');
	expect(n8n.image).toBe(IMAGE);
	expect(n8n.environment['N8N_UNVERIFIED_PACKAGES_ENABLED']).toBe('true');
	expect(n8n.environment['N8N_SSRF_ALLOWED_HOSTNAMES']).toBe('datagrid');
	expect(volumeAt(compose, 'n8n', N8N_FOLDER)).toBe('n8n');
	const mounted = Object.values(compose.services).flatMap(({ volumes }) =>
		volumes.map((one) => one.split(':')[0]),
	);
	expect(new Set(mounted.filter((name) => !name?.startsWith('.')))).toEqual(
		new Set(Object.keys(compose.volumes)),
	);
}

function checkTrial(compose: Compose, dockerfile: string, script: string) {
	const { build, environment, depends_on, volumes } = serviceOf(compose, 'trial');
	expect(dockerfile).toContain(` AS ${String(build?.target)}\n`);
	expect(dockerfile).toContain(`ARG N8N_IMAGE=${IMAGE}\n`);
	expect(environment).toEqual(serviceOf(compose, 'n8n').environment);
	expect(depends_on['datagrid']?.condition).toBe('service_healthy');
	expect(serviceOf(compose, 'n8n').depends_on['trial']?.condition).toBe('service_completed_successfully');
	// The script reads the owner's key, and only reads.
	const [, data = ''] = /TRIAL_DATA = '([^']+)'/.exec(script) ?? [];
	expect(volumes).toContain(`datagrid:${data}:ro`);
	expect(volumeAt(compose, 'trial', N8N_FOLDER)).toBe('n8n');
	expect(script).toContain(`TRIAL_N8N = '${N8N_FOLDER}'`);
	expect(script).toContain("TRIAL_SERVICE = 'http://datagrid:8080'");
	expect(serviceOf(compose, 'datagrid').command).toEqual(expect.arrayContaining(['--seed', 'demo']));
	for (const name of ['n8n', 'datagrid'])
		for (const port of serviceOf(compose, name).ports) expect(port).toMatch(/^127\.0\.0\.1:/);
	const [page] = serviceOf(compose, 'datagrid').ports.map((port) => /\$\{[^}]+\}/.exec(port)?.[0]);
	expect(serviceOf(compose, 'datagrid').command.at(-1)).toBe(`http://localhost:${String(page)}`);
	expect(serviceOf(compose, 'datagrid').ports[0]).toMatch(/:8080$/);
	expect(serviceOf(compose, 'n8n').ports[0]).toMatch(/:5678$/);
}

function checkServer(compose: Compose, caddyfile: string, example: string) {
	for (const name of ['datagrid', 'n8n']) {
		expect(serviceOf(compose, name).ports).toEqual([]);
		expect(serviceOf(compose, name).networks).toEqual(serviceOf(compose, 'caddy').networks);
	}
	const [subnet] = compose.networks['server']?.ipam.config.map((one) => one.subnet) ?? [];
	const { command } = serviceOf(compose, 'datagrid');
	expect(command).toContain(`--trust-proxy=${String(subnet)}`);
	expect(command).toContainEqual(expect.stringMatching(/^--public-url=https:\/\/\$\{DATAGRID_HOST:\?/));
	expect(caddyfile).toContain('{$N8N_HOST} {\n\treverse_proxy n8n:5678\n}');
	expect(caddyfile).toContain('{$DATAGRID_HOST} {\n\treverse_proxy datagrid:8080\n}');
	expect(serviceOf(compose, 'caddy').environment).toEqual({
		N8N_HOST: '${N8N_HOST}',
		DATAGRID_HOST: '${DATAGRID_HOST}',
	});
	expect(serviceOf(compose, 'caddy').volumes).toContain('./Caddyfile:/etc/caddy/Caddyfile:ro');
	expect(serviceOf(compose, 'caddy').ports).toEqual(['80:80', '443:443']);
	const { environment, depends_on } = serviceOf(compose, 'n8n');
	expect(environment['WEBHOOK_URL']).toBe('https://${N8N_HOST}/');
	expect(environment['N8N_PROXY_HOPS']).toBe('1');
	expect(environment['N8N_ENCRYPTION_KEY']).toMatch(/^\$\{N8N_ENCRYPTION_KEY:\?/);
	expect(environment['N8N_DEFAULT_BINARY_DATA_MODE']).toBe('filesystem');
	expect(depends_on['package']?.condition).toBe('service_completed_successfully');
	expect(depends_on['datagrid']?.condition).toBe('service_healthy');
	expect(serviceOf(compose, 'package').image).toBe(IMAGE);
	expect(serviceOf(compose, 'package').command.join(' ')).toMatch(
		/^cd \/packages && npm install .*"n8n-nodes-datagrid@/,
	);
	expect(volumeAt(compose, 'package', '/packages')).toBe('packages');
	expect(volumeAt(compose, 'n8n', `${N8N_FOLDER}/nodes`)).toBe('packages');
	expect(volumeAt(compose, 'datagrid', '/backup')).toBe('backup');
	const variables = [...JSON.stringify(compose).matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name = '']) => name);
	const listed = [...example.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
	expect(new Set(listed)).toEqual(new Set(variables));
}

/** A file, or what another file says of it, with one link replaced. */
type Files = Record<'trial' | 'server' | 'dockerfile' | 'script' | 'caddyfile' | 'example', string>;
const files: Files = {
	trial: textOf('compose.yaml'),
	server: textOf('deploy/server/compose.yaml'),
	dockerfile: textOf('Dockerfile'),
	script: textOf('scripts/container/trial.mjs'),
	caddyfile: textOf('deploy/server/Caddyfile'),
	example: textOf('deploy/server/.env.example'),
};
const composeIn = (text: string) => composeSchema.parse(parse(text, { merge: true }));
function checkAll({ trial, server, dockerfile, script, caddyfile, example }: Files) {
	checkBoth(composeIn(trial), dockerfile);
	checkTrial(composeIn(trial), dockerfile, script);
	checkBoth(composeIn(server), dockerfile);
	checkServer(composeIn(server), caddyfile, example);
}

test('the Compose files of the trial and of a server fit the Dockerfile and what they mount', () => {
	checkAll(files);
});

/** What an operator could break: the file, a text in it, and what stands there instead. */
const BREAKS: ReadonlyArray<readonly [keyof Files, string, string]> = [
	['trial', 'target: service', 'target: server'],
	['trial', 'target: trial', 'target: tour'],
	['trial', '0.0.0.0', '127.0.0.1'],
	['trial', "--port, '8080'", "--port, '8081'"],
	['trial', '--seed, demo', '--seed, empty'],
	['trial', "'http://localhost:${DATAGRID_PORT", "'http://localhost:${N8N_PORT"],
	['trial', 'read_only: true', 'read_only: false'],
	['trial', 'tmpfs: [/tmp]', 'tmpfs: [/run]'],
	['trial', 'stop_grace_period: 15s', 'stop_grace_period: 5s'],
	['trial', "'127.0.0.1:${DATAGRID_PORT:-8787}:8080'", "'${DATAGRID_PORT:-8787}:8080'"],
	['trial', "-8787}:8080'", "-8787}:8787'"],
	['trial', "'127.0.0.1:${N8N_PORT:-5678}:5678'", "'${N8N_PORT:-5678}:5678'"],
	['trial', "-5678}:5678'", "-5678}:8080'"],
	['trial', "'datagrid:/data'", "'datagrid:/var/data'"],
	['trial', "N8N_UNVERIFIED_PACKAGES_ENABLED: 'true'", "N8N_UNVERIFIED_PACKAGES_ENABLED: 'false'"],
	['trial', 'N8N_SSRF_ALLOWED_HOSTNAMES: datagrid', 'N8N_SSRF_ALLOWED_HOSTNAMES: grids'],
	['trial', 'condition: service_healthy', 'condition: service_started'],
	['trial', 'condition: service_completed_successfully', 'condition: service_started'],
	['trial', "'n8n:/home/node/.n8n', 'datagrid:/datagrid:ro'", "'n8n:/home/node', 'datagrid:/datagrid:ro'"],
	['trial', 'datagrid:/datagrid:ro', 'n8n:/datagrid:ro'],
	['trial', `n8nio/n8n:${PINNED_N8N}`, 'n8nio/n8n:latest'],
	['trial', '    environment: *settings\n', ''],
	['trial', "volumes: ['n8n:/home/node/.n8n']", "volumes: ['n8n:/home/node/n8n']"],
	['dockerfile', ' AS service\n', ' AS server\n'],
	['dockerfile', ' AS trial\n', ' AS tour\n'],
	['dockerfile', `n8nio/n8n:${PINNED_N8N}`, 'n8nio/n8n:latest'],
	['dockerfile', 'EXPOSE 8080', 'EXPOSE 80'],
	['dockerfile', '127.0.0.1:8080/api/health', '127.0.0.1:80/api/health'],
	['script', 'http://datagrid:8080', 'http://grids:8080'],
	['script', "TRIAL_DATA = '/datagrid'", "TRIAL_DATA = '/data'"],
	['script', "'/home/node/.n8n'", "'/root/.n8n'"],
	['server', '--host=0.0.0.0', '--host=127.0.0.1'],
	['server', '--port=8080', '--port=80'],
	['server', '--trust-proxy=172.30.5.0/24', '--trust-proxy=10.0.0.0/8'],
	['server', '--public-url=https://${DATAGRID_HOST', '--public-url=https://${N8N_HOST'],
	['server', "'backup:/backup'", "'backup:/backups'"],
	['server', "'packages:/packages'", "'n8n:/packages'"],
	['server', "'packages:/home/node/.n8n/nodes'", "'packages:/home/node/nodes'"],
	['server', 'cd /packages\n', 'cd /package\n'],
	['server', '"n8n-nodes-datagrid@', '"datagrid@'],
	['server', 'WEBHOOK_URL: https://', 'WEBHOOK_URL: http://'],
	['server', "N8N_PROXY_HOPS: '1'", "N8N_PROXY_HOPS: '0'"],
	['server', '${N8N_ENCRYPTION_KEY:?Set it in .env and keep it for good}', '${N8N_ENCRYPTION_KEY}'],
	['server', "N8N_UNVERIFIED_PACKAGES_ENABLED: 'true'", "N8N_UNVERIFIED_PACKAGES_ENABLED: 'false'"],
	['server', 'N8N_SSRF_ALLOWED_HOSTNAMES: datagrid', 'N8N_SSRF_ALLOWED_HOSTNAMES: grids'],
	['server', 'N8N_DEFAULT_BINARY_DATA_MODE: filesystem', 'N8N_DEFAULT_BINARY_DATA_MODE: default'],
	[
		'server',
		'package: { condition: service_completed_successfully }',
		'package: { condition: service_started }',
	],
	['server', 'datagrid: { condition: service_healthy }', 'datagrid: { condition: service_started }'],
	['server', "'./Caddyfile:/etc", "'./caddy:/etc"],
	['server', "'443:443'", "'8443:443'"],
	['server', 'subnet: 172.30.5.0/24', 'subnet: 172.31.0.0/16'],
	['server', 'DATAGRID_HOST: ${DATAGRID_HOST}', 'DATAGRID_HOST: ${N8N_HOST}'],
	['caddyfile', 'n8n:5678', 'n8n:80'],
	['caddyfile', 'datagrid:8080', 'datagrid:80'],
	['example', 'DATAGRID_HOST=', 'GRIDS_HOST='],
];

test.each(BREAKS)('%s with a broken link is refused: %s → %s', (file, find, replacement) => {
	expect(files[file].split(find).length).toBe(2);
	const broken = { ...files, [file]: files[file].replace(find, () => replacement) };
	expect(() => {
		checkAll(broken);
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
