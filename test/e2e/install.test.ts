import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { test, type TestContext } from 'node:test';
import { z } from 'zod/v4';
import { checkEveryChange } from '../../testbed/demo/once';
import { withDemo, type Demo } from '../../testbed/demo/session';
import { installN8n, PINNED_N8N, type N8nInstall } from '../../scripts/setup/n8n.mjs';
import { builderDefinition, builderSearch } from '../../testbed/n8n/builderSearch';
import { errorOf, outputOf } from '../../testbed/n8n/execution';
import { patternsIn } from '../../scripts/patterns.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { freePort } from '../../scripts/setup/ports.mjs';
import { gridLocator, newestFinished, OPERATION, post, webhookWorkflow } from '../../testbed/n8n/webhook';

/** As the runner was asked; default: the one that `npm start` uses. */
const version = env['E2E_N8N_VERSION'] ?? PINNED_N8N;

const searchSchema = z.object({ results: z.array(z.object({ name: z.string(), value: z.string() })) });
const columnsSchema = z.object({
	fields: z.array(z.looseObject({ displayName: z.string(), type: z.string() })),
});
const optionsSchema = z.array(z.object({ name: z.string(), value: z.string() }));

test(`n8n ${version}: the package works as installed by n8n`, async (t) => {
	const install = await installN8n(version);
	const folder = await mkdtemp(join(tmpdir(), `n8n-${version}-`));
	const options = { install, folder, n8nPort: await freePort(), servicePort: 0, pollSeconds: 1 };
	try {
		await withDemo(options, (demo) => checkInstalled(t, demo, install));
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
});

async function checkInstalled(t: TestContext, demo: Demo, install: N8nInstall) {
	const { rest, service, grids, n8n, client } = demo;
	const credential = (await rest.credentials()).find(({ name }) => name === 'DataGrid demo');
	assert.ok(credential);

	await t.test('nodes and credential have loaded, with icons and categories', async () => {
		const types = [...(await rest.types('nodes')), ...(await rest.types('credentials'))];
		const ours = types.filter(({ name }) => name.startsWith('n8n-nodes-datagrid.') || name === 'dataGridApi');
		const names = ours.map(({ name }) => name);
		for (const name of ['n8n-nodes-datagrid.entity', 'n8n-nodes-datagrid.entityTrigger', 'dataGridApi']) {
			assert.ok(names.includes(name), `${name} is not among ${names.join(', ')}`);
		}
		for (const { name, iconUrl, codex } of ours) {
			assert.ok(typeof iconUrl === 'object', `${name} has no light and dark icon`);
			for (const path of [iconUrl.light, iconUrl.dark]) {
				const icon = await rest.icon(path);
				assert.equal(icon.status, 200);
				assert.match(icon.type ?? '', /svg/);
				assert.match(icon.text, /<svg/);
			}
			if (name !== 'dataGridApi')
				assert.ok((codex?.categories ?? []).length > 0, `${name} has no categories`);
		}
	});

	// Older versions have no such search.
	if (install.version === PINNED_N8N)
		await t.test('the AI builder of n8n finds the node for a job', async () => {
			const found = builderSearch(install, await rest.types('nodes'));
			for (const [phrase, type] of [
				['datagrid rows', 'n8n-nodes-datagrid.entity'],
				['datagrid trigger', 'n8n-nodes-datagrid.entityTrigger'],
				['datagrid form', 'n8n-nodes-datagrid.form'],
			] as const) {
				const match = found(phrase).find(({ name }) => name === type);
				assert.ok(match?.builderHintMessage, `"${phrase}" does not lead to ${type}`);
			}
		});

	if (install.version === PINNED_N8N)
		await t.test('the AI builder of n8n reads the patterns of the examples', async () => {
			const patterns = await patternsIn(join(root, 'examples'));
			const definition = builderDefinition(install);
			const types = await rest.types('nodes');
			for (const [name, ofType] of patterns) {
				const read = definition(types.find((type) => type.name === name));
				for (const line of ofType.flatMap(({ content }) => content.split('\n')))
					assert.ok(read.includes(line), `${name}: ${line}`);
			}
		});

	await t.test('the editor finds what an operation outputs, before it has run', async () => {
		for (const path of ['entity/1.0.0/entity/upsert', 'entityTrigger/1.0.0']) {
			const schema = await rest.schema(`n8n-nodes-datagrid.${path}`);
			assert.ok('event' in schema.properties || '_outcome' in schema.properties, path);
		}
	});

	await t.test('the credential is tested: right, and with a wrong secret', async () => {
		const data = { baseUrl: service.url, authentication: 'apiKey', key: service.key, secret: service.secret };
		assert.equal((await rest.testCredential(credential, data)).status, 'OK');
		const wrong = await rest.testCredential(credential, { ...data, secret: 'wrong' });
		assert.equal(wrong.status, 'Error');
		assert.match(wrong.message, /credential|key|secret/i);
		assert.doesNotMatch(wrong.message, new RegExp(service.secret));
	});

	await t.test('spaces, grids and columns come in lists', async () => {
		const node = 'n8n-nodes-datagrid.entity';
		const space = { __rl: true, mode: 'list', value: grids.space.id };
		const asked = { node, credential, parameters: { resource: 'entity', operation: 'create', space } };
		const spaces = await rest.list(searchSchema, 'resource-locator-results', {
			...asked,
			path: 'parameters.space',
			methodName: 'searchSpaces',
		});
		assert.ok(spaces.results.some(({ name }) => name === grids.space.name));
		const found = await rest.list(searchSchema, 'resource-locator-results', {
			...asked,
			path: 'parameters.grid',
			methodName: 'searchGrids',
		});
		const orders = found.results.find(({ name }) => name.startsWith('Orders'));
		assert.ok(orders, `"Orders" is not among ${found.results.map(({ name }) => name).join(', ')}`);
		const columns = await rest.list(columnsSchema, 'resource-mapper-fields', {
			...asked,
			parameters: { ...asked.parameters, grid: { __rl: true, mode: 'list', value: orders.value } },
			path: 'parameters.columns',
			methodName: 'getColumns',
		});
		const types = new Map(columns.fields.map(({ displayName, type }) => [displayName, type]));
		assert.equal(types.get('Order'), 'string');
		assert.equal(types.get('Amount'), 'number');
		assert.equal(types.get('Status'), 'options');
		const watched = await rest.list(optionsSchema, 'options', {
			credential,
			node: 'n8n-nodes-datagrid.entityTrigger',
			parameters: { grid: { __rl: true, mode: 'list', value: orders.value } },
			path: 'parameters.options.watched',
			methodName: 'getFields',
		});
		assert.ok(watched.some(({ name }) => name === 'Status'));
	});

	await t.test('an operation of the Entity node works on the service', async () => {
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const parameters = { resource: 'entity', operation: 'create', grid: gridLocator(grids.orders), columns };
		const workflow = await rest.createWorkflow(
			webhookWorkflow({ name: 'Smoke', path: 'smoke', credential, parameters }),
		);
		await rest.activate(workflow);
		await post(n8n.url, 'smoke', [{ Order: 'S-1', Amount: 0 }]);
		const { id, status } = await newestFinished(rest, workflow.id, 1);
		const { data } = await rest.execution(id);
		assert.equal(status, 'success', errorOf(data));
		const [row] = outputOf(data, OPERATION);
		assert.equal(row?.['Order'], 'S-1');
		const written = await client.entities.get(grids.orders, String(row['_id']), 'property');
		assert.equal(written['Order'], 'S-1');
		assert.equal(written['Amount'], 0);
	});

	await t.test('the example workflow handles each change of a row, once', async () => {
		assert.equal(await checkEveryChange(demo), true);
	});
}
