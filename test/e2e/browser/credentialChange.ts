import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Demo } from '../../../testbed/demo/session';
import { until } from '../../../testbed/until';
import { credentialOf } from '../nodeScreens';
import type { Job } from './jobs';
import type { Person } from './person';

const DEMO = 'DataGrid demo';
const READER = 'Reader of the demo';

/** Chooses another credential for the open node, and waits until its lists were asked for. */
async function choose(person: Person, credential: string): Promise<void> {
	const { page } = person.browsing;
	const answers: Array<Promise<unknown>> = [];
	page.on('request', (request) => {
		if (request.url().endsWith('/resource-locator-results')) answers.push(request.response());
	});
	await person.click(person.byId('node-credentials-select').first());
	await person.click(page.locator('.el-select-dropdown__item:visible', { hasText: credential }).first());
	await until('both lists to be read again', () => answers.length >= 2);
	await Promise.all(answers);
	await page.waitForLoadState('networkidle');
}

/** A key that may only read, and back: both lists keep their grid. */
async function changed(person: Person, demo: Demo) {
	const { rest, client, grids, service } = demo;
	const { key, secret } = await client.accessKeys.create({ name: 'Reader', role: 'reader' });
	await rest.putCredential({
		...{ name: READER, type: 'dataGridApi' },
		data: { baseUrl: service.url, authentication: 'apiKey', key, secret },
	});
	const picked = ({ id, name, address, _links }: (typeof grids)['orders']) => ({
		...{
			__rl: true,
			mode: 'list',
			value: `${address.spaceId}/${id}`,
			cachedResultName: `${name} (${grids.space.name})`,
		},
		cachedResultUrl: new URL(_links.get('self')?.href ?? '', service.url).href,
	});
	const node = {
		...{ id: randomUUID(), name: 'Update', type: 'n8n-nodes-datagrid.entity', typeVersion: 1 },
		position: [0, 0],
		credentials: { dataGridApi: await credentialOf(rest, DEMO) },
		parameters: {
			...{ resource: 'entity', operation: 'update', grid: picked(grids.orders) },
			options: {
				findLinkedRowsBy: { rule: [{ column: 'customer|key', linkedGrid: picked(grids.activity) }] },
			},
		},
	};
	const workflow = { name: 'Two lists', nodes: [node], connections: {} };
	await person.browsing.open(`/workflow/${(await rest.createWorkflow(workflow)).id}/${node.id}`);
	await person.byId('resource-locator-linkedGrid').waitFor();
	const shown = async () =>
		await Promise.all(
			['grid', 'linkedGrid'].map(
				async (input) => await person.byId(`resource-locator-${input}`).locator('input').last().inputValue(),
			),
		);
	const before = await shown();
	assert.match(before.join(), /^Orders.*,Activity/);
	for (const credential of [READER, DEMO]) {
		await choose(person, credential);
		await person.browsing.picture(`credential-${credential.replace(/\W+/g, '-')}`);
		assert.deepEqual(await shown(), before, `with the credential ${credential}`);
	}
}

export const credentialChange: Job = { name: 'credential changed and back', clicks: 4, build: changed };
