import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { z } from 'zod/v4';
import { freePort } from '../../scripts/setup/ports.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { provideImages, startEngine, type Engine } from '../../testbed/containers';
import { connectDataGrid, openDemoGrids, type Connection } from '../../testbed/demo/dataGrid';
import { until } from '../../testbed/until';
import { readList } from '../../client';

const IMAGE = `datagrid-test-${randomUUID().slice(0, 8)}`;
const ownerSchema = z.object({ url: z.string(), key: z.string(), secret: z.string() });

let engine: Engine;
/** Volumes that n8n's containers need here. */
let volumesOfN8n: string[] = [];
before(async () => {
	engine = await startEngine();
	volumesOfN8n = await provideImages(engine);
	await engine.docker('build', '--quiet', '--target=service', `--tag=${IMAGE}`, root);
});
after(async () => {
	await engine.docker('image', 'rm', '--force', IMAGE);
	await engine.stop();
});

const healthOf = async (container: string) =>
	(await engine.docker('inspect', '--format={{.State.Health.Status}}', container)).trim();

/** Starts the image as deploy/ does: read-only, without privileges, with two volumes. */
async function startContainer(name: string, port: number): Promise<Connection> {
	const limits = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL'];
	const volumes = [`--volume=${name}-data:/data`, `--volume=${name}-backup:/backup`];
	await engine.docker(
		'run',
		'--detach',
		`--name=${name}`,
		...limits,
		...volumes,
		`--publish=127.0.0.1:${String(port)}:8080`,
		IMAGE,
	);
	await until('the container to be healthy', async () => (await healthOf(name)) === 'healthy', {
		everyMs: 500,
	});
	return await connectionOf(name, port);
}

async function connectionOf(name: string, port: number): Promise<Connection> {
	const [line = ''] = (await engine.docker('logs', name)).trim().split('\n').slice(-1);
	return { ...ownerSchema.parse(JSON.parse(line)), url: `http://127.0.0.1:${String(port)}` };
}

test('the image serves, stops in order, and restores a backup', async (t) => {
	const name = `${IMAGE}-service`;
	const port = await freePort();
	t.after(async () => {
		await engine.docker('rm', '--force', name);
		await engine.docker('volume', 'rm', '--force', `${name}-data`, `${name}-backup`);
	});
	const client = connectDataGrid(await startContainer(name, port));
	const names = async () => (await readList(client.spaces.list())).items.map((space) => space.name).sort();
	await client.spaces.create({ name: 'Before' });
	assert.equal((await engine.docker('exec', name, 'id', '-u')).trim(), '1000');
	await assert.rejects(engine.docker('exec', name, 'touch', '/app/file'), /Read-only file system/);

	await engine.docker('exec', name, 'node', '/app/dist-service/main.js', 'backup', '/backup/monday.db');
	await client.spaces.create({ name: 'After' });
	assert.deepEqual(await names(), ['After', 'Before']);

	// Docker kills what does not stop: the exit code is then 137.
	await engine.docker('stop', '--time=15', name);
	assert.equal((await engine.docker('inspect', '--format={{.State.ExitCode}}', name)).trim(), '0');
	const volumes = ['--volumes-from', name];
	await engine.docker('run', '--rm', ...volumes, IMAGE, 'restore', '/backup/monday.db', '--force');
	await engine.docker('start', name);
	await until('the restored service', async () => (await healthOf(name)) === 'healthy', { everyMs: 500 });
	assert.deepEqual(await names(), ['Before']);
});

test('`docker compose up` gives an n8n in which the example answers to a change', async (t) => {
	const project = `${IMAGE}-trial`;
	const ports = { N8N_PORT: String(await freePort()), DATAGRID_PORT: String(await freePort()) };
	const override = join(tmpdir(), `${project}.yaml`);
	const image = { volumes: volumesOfN8n };
	await writeFile(override, stringify({ services: { trial: image, n8n: image } }));
	const compose = async (...args: string[]) =>
		await engine.compose(ports, '-p', project, '-f', join(root, 'compose.yaml'), '-f', override, ...args);
	t.after(async () => {
		await compose('down', '--volumes', '--rmi', 'local');
		await rm(override);
	});
	await compose('up', '--detach');
	const isReady = async () => {
		const response = await fetch(`http://127.0.0.1:${ports.N8N_PORT}/rest/settings`).catch(() => undefined);
		return (await response?.text())?.includes('"data"');
	};
	await until('n8n', isReady, { everyMs: 500 });
	const container = (await compose('ps', '--quiet', 'datagrid')).trim();
	const client = connectDataGrid(await connectionOf(container, Number(ports.DATAGRID_PORT)));
	const { orders, activity } = await openDemoGrids(client);
	const [order] = (await client.entities.page(orders, { pageSize: 1, layout: 'property' })).items;
	assert.ok(order);
	const written = async () => {
		// The trigger emits what changes after its first poll, within a minute.
		await client.entities.update(orders, order._id, { Notes: randomUUID() }, 'property');
		await wait(5_000);
		const { items } = await client.entities.page(activity, { layout: 'property' });
		return items.some(({ Details }) => String(Details).includes(order._id));
	};
	await until('the workflow to write into Activity', written);

	await compose('up', '--detach');
	assert.match(await compose('logs', 'trial'), /The examples are there already/);
});
