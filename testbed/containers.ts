import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { installN8n, PINNED_N8N } from '../scripts/setup/n8n.mjs';
import { nodeOfAtLeast } from '../scripts/setup/node.mjs';
import { toolOf } from '../scripts/setup/system.mjs';
import { until } from './until';

const NODE_IMAGE = 'docker.io/library/node:24-bookworm-slim';
const N8N_IMAGE = `docker.n8n.io/n8nio/n8n:${PINNED_N8N}`;
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Where the stand-in for n8n's image has n8n: a folder of this machine, because it is large. */
const N8N_FOLDER = '/opt/n8n/node_modules';
const MAX_OUTPUT = 64 * 1024 * 1024;

/** A Docker engine. */
export interface Engine {
	/** Runs `docker` and returns what it prints. */
	docker: (...args: string[]) => Promise<string>;
	/** Runs Docker Compose with additional environment variables. */
	compose: (variables: Record<string, string>, ...args: string[]) => Promise<string>;
	stop: () => Promise<void>;
}

async function run(file: string, args: readonly string[], more: Record<string, string> = {}) {
	const options = { env: { ...env, ...more }, maxBuffer: MAX_OUTPUT };
	return (await promisify(execFile)(file, args, options)).stdout;
}

const succeeds = (work: Promise<unknown>) =>
	work.then(
		() => true,
		() => false,
	);

/** Uses the running engine of this machine, or starts one with data of its own, as root. */
export async function startEngine(): Promise<Engine> {
	if (await succeeds(run('docker', ['info']))) return await engineAt({}, () => Promise.resolve());
	const folder = await mkdtemp(join(tmpdir(), 'docker-'));
	const socket = `unix://${join(folder, 'docker.sock')}`;
	const folders = ['data-root', 'exec-root'].map((name) => `--${name}=${join(folder, name)}`);
	const args = [`--host=${socket}`, ...folders, `--pidfile=${join(folder, 'docker.pid')}`];
	const child = spawn(toolOf('docker'), args, { stdio: 'ignore' });
	const ended = once(child, 'exit');
	const stop = async () => {
		child.kill('SIGTERM');
		await ended;
		await rm(folder, { recursive: true, force: true });
	};
	const started = () => succeeds(run('docker', ['info'], { DOCKER_HOST: socket }));
	await Promise.race([
		until('the Docker engine', started),
		ended.then(() => Promise.reject(new Error('dockerd has ended'))),
	]);
	return await engineAt({ DOCKER_HOST: socket }, stop);
}

async function engineAt(variables: Record<string, string>, stop: () => Promise<void>): Promise<Engine> {
	const plugin = await succeeds(run('docker', ['compose', 'version'], variables));
	const [file = '', ...before] = plugin ? ['docker', 'compose'] : ['docker-compose'];
	return {
		docker: async (...args) => await run('docker', args, variables),
		compose: async (more, ...args) => await run(file, [...before, ...args], { ...variables, ...more }),
		stop,
	};
}

/**
 * Provides the images that the project's files name: those of the registries or, if they cannot be
 * reached, stand-ins made of Debian, the Node of the tests and their n8n.
 * @returns volumes that containers of n8n need
 */
export async function provideImages(engine: Engine): Promise<string[]> {
	const { docker } = engine;
	if (!(await isThere(engine, NODE_IMAGE))) {
		const folder = await mkdtemp(join(tmpdir(), 'node-image-'));
		try {
			await makeRoot(folder);
			const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
			const changes = ['CMD ["node"]', path, `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`];
			await run('tar', ['-C', folder, '-cf', `${folder}.tar`, '.']);
			await docker(
				'import',
				...changes.flatMap((change) => ['--change', change]),
				`${folder}.tar`,
				NODE_IMAGE,
			);
		} finally {
			await rm(folder, { recursive: true, force: true });
			await rm(`${folder}.tar`, { force: true });
		}
	}
	if (await isThere(engine, N8N_IMAGE)) return [];
	const folder = await mkdtemp(join(tmpdir(), 'n8n-image-'));
	try {
		const lines = [
			`FROM ${NODE_IMAGE}`,
			`RUN ln -s ${N8N_FOLDER}/n8n/bin/n8n /usr/local/bin/n8n \\`,
			' && mkdir /home/node/.n8n && chown node:node /home/node/.n8n',
			'WORKDIR /home/node',
			'USER node',
			'ENTRYPOINT ["n8n"]',
		];
		await writeFile(join(folder, 'Dockerfile'), lines.join('\n'));
		await docker('build', '--quiet', `--tag=${N8N_IMAGE}`, folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
	const { script } = await installN8n(PINNED_N8N);
	return [`${dirname(dirname(dirname(script)))}:${N8N_FOLDER}:ro`];
}

async function isThere({ docker }: Engine, image: string) {
	return (
		(await succeeds(docker('image', 'inspect', image))) || (await succeeds(docker('pull', '--quiet', image)))
	);
}

/** Fills a folder like the root of Node's image: Debian, Node, npm and the user `node`. */
async function makeRoot(folder: string) {
	await run('debootstrap', ['--variant=minbase', 'bookworm', folder]);
	const node = await nodeOfAtLeast(24);
	const modules = join(folder, 'usr', 'local', 'lib', 'node_modules');
	await mkdir(modules, { recursive: true });
	await cp(node, join(folder, 'usr', 'local', 'bin', 'node'));
	await run('npm', [
		'install',
		'--prefix',
		join(folder, 'usr', 'local'),
		'--global',
		'--ignore-scripts',
		'npm@11',
	]);
	await run('chroot', [folder, 'groupadd', '--gid', '1000', 'node']);
	await run('chroot', [folder, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node']);
	// Of this machine: those behind a proxy of their own trust its certificate.
	await mkdir(join(folder, dirname(CERTIFICATES)), { recursive: true });
	await cp(CERTIFICATES, join(folder, CERTIFICATES));
}
