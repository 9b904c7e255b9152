import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { withDemo, type Demo } from '../../testbed/demo/session';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { logIn, pictureFolder, withBrowser, type Browsing } from '../../testbed/browser';
import { freePort } from '../../scripts/setup/ports.mjs';
import { until } from '../../testbed/until';

/** What the panel shows: n8n joins the trigger to the node of the same type name. */
const NODES = [
	'or start the workflow when they change',
	'DataGrid Form',
	'DataGrid Grid',
	'DataGrid Space',
	'DataGrid Public Link',
	'DataGrid Push Notification',
];

test(`a new user's first ten minutes in the editor of n8n ${PINNED_N8N}`, async (t) => {
	const install = await installN8n(PINNED_N8N);
	const folder = await mkdtemp(join(tmpdir(), 'n8n-browser-'));
	const options = { install, folder, n8nPort: await freePort(), servicePort: 0, pollSeconds: 10 };
	try {
		await withDemo(options, (demo) => withBrowser((browsing) => firstTenMinutes(t, demo, browsing)));
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
	t.diagnostic(`The pictures of each step are in ${pictureFolder}`);
});

async function firstTenMinutes(t: TestContext, demo: Demo, browsing: Browsing) {
	/** @param name of the step and of its picture */
	const step = (name: string, act: () => Promise<void>) =>
		t.test(name, async () => {
			const file = name.replace(/[^a-z]+/gi, '-').toLowerCase();
			try {
				await act();
			} catch (error) {
				await browsing.picture(`failed-${file}`);
				throw error;
			}
			await browsing.picture(file);
		});

	await step('logs in', () => logIn(browsing, demo.n8n.url, demo.owner));
	await step('sees the example workflow', () => seeWorkflow(demo, browsing));
	await step('makes a credential with a wrong secret and is told', () => makeWrongCredential(demo, browsing));
	await step('corrects it', () => correctCredential(demo, browsing));
	await step('finds the nodes by searching for datagrid', () => findNodes(browsing));
	await step('takes the operation that creates an entity', () => takeCreate(browsing));
	await step('picks space and grid from their lists', () => pickGrid(demo, browsing));
	await step('maps columns, runs it and sees the row', () => mapAndRun(demo, browsing));
	await step('takes the trigger from the panel', () => takeTrigger(browsing));
	await step('picks the grid that it watches', () => pickWatched(demo, browsing));
	await step('fetches a test event', () => fetchTestEvent(browsing));
	await step('publishes the workflow', () => publish(browsing));
	await step('changes a row and sees the execution', () => seeExecution(demo, browsing));
	await step('sees what the example workflow wrote', () => seeExample(demo, browsing));
	assert.deepEqual(browsing.pageErrors, []);
}

async function seeWorkflow({ workflow }: Demo, { page, open, byId }: Browsing): Promise<void> {
	await open(`/workflow/${workflow.id}`);
	await page.getByText('Production Checklist').locator('..').locator('svg').first().click();
	await byId('zoom-to-fit').click();
	await page.mouse.move(700, 160);
	await byId('canvas-node').filter({ hasText: 'Any Change · Orders' }).waitFor();
	const nodes = workflow.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	await byId('canvas-node')
		.nth(nodes.length - 1)
		.waitFor();
	assert.equal(await byId('canvas-node').count(), nodes.length);
}

async function makeWrongCredential({ service }: Demo, { page, open, byId }: Browsing): Promise<void> {
	await open('/home/credentials');
	await byId('add-resource-credential').click();
	await page.getByPlaceholder('Search for app...').click();
	await page.keyboard.type('DataGrid');
	await page
		.getByRole('option', { name: 'DataGrid API' })
		.or(page.locator('.el-select-dropdown__item'))
		.first()
		.waitFor();
	await page.keyboard.press('Enter');
	await byId('new-credential-type-button').click();
	await byId('parameter-input-baseUrl').locator('input').fill(service.url);
	await byId('parameter-input-key').locator('input').fill(service.key);
	await byId('parameter-input-secret').locator('input').fill('wrong');
	await byId('credential-save-button').click();
	await page.getByText('More details').click();
	await page.getByText('rejected the credentials').first().waitFor();
}

async function correctCredential({ service }: Demo, { byId }: Browsing): Promise<void> {
	await byId('parameter-input-secret').locator('input').fill(service.secret);
	await byId('credential-save-button').click();
	await byId('credentials-config-container-test-success').getByText('tested successfully').waitFor();
}

async function findNodes({ page, newWorkflow, byId }: Browsing): Promise<void> {
	await page.keyboard.press('Escape');
	await byId('credential-save-button').waitFor({ state: 'hidden' });
	await newWorkflow();
	await byId('node-creator-plus-button').first().click();
	await byId('node-creator-search-bar').fill('datagrid');
	const found = byId('node-creator-node-item').or(byId('item-iterator-item'));
	for (const text of NODES) await found.filter({ hasText: text }).first().waitFor();
}

async function takeCreate({ byId }: Browsing): Promise<void> {
	const found = byId('node-creator-node-item').or(byId('item-iterator-item'));
	await found.filter({ hasText: 'DataGrid' }).first().click();
	// Beside an empty canvas n8n offers triggers first and keeps the actions folded.
	const action = byId('node-creator-item-name').filter({ hasText: 'Create row' }).first();
	const folded = byId('node-creator-category-item').filter({ hasText: 'Actions' });
	await action.or(folded).first().waitFor();
	if (!(await action.isVisible())) await folded.click();
	await action.click();
	await byId('resource-locator-grid').waitFor();
}

async function pickGrid({ grids: { space, activity } }: Demo, browsing: Browsing): Promise<void> {
	await pick(browsing, { space: space.name, grid: activity.name });
	await browsing.byId('mapping-fields-container').waitFor();
}

/**
 * Chooses from the lists of the open node.
 * @param wanted names by input
 */
async function pick({ byId }: Browsing, wanted: Record<string, string>) {
	for (const [input, name] of Object.entries(wanted)) {
		const list = byId(`resource-locator-${input}`).locator('input').last();
		await list.click();
		await byId('rlc-item').filter({ hasText: name }).first().click();
		// n8n never fills a list that was opened before the choice above it was stored.
		await until(`the choice of ${name}`, async () => (await list.inputValue()).includes(name));
	}
}

async function mapAndRun({ client, grids: { activity } }: Demo, { byId }: Browsing): Promise<void> {
	const keys = new Map((await client.fields.of(activity)).map(({ name, key }) => [name, key]));
	for (const [name, value] of [
		['Event', 'by hand'],
		['Details', 'written in the browser'],
	] as const) {
		await byId(`parameter-input-${keys.get(name) ?? name}`)
			.locator('input')
			.first()
			.fill(value);
	}
	await byId('node-execute-button').click();
	await byId('output-panel').getByText('written in the browser').first().waitFor();
	const rows = (await client.entities.page(activity, { layout: 'property' })).items;
	assert.equal(rows.filter((row) => row['Event'] === 'by hand').length, 1);
}

async function takeTrigger({ newWorkflow, byId }: Browsing): Promise<void> {
	await newWorkflow();
	await byId('node-creator-plus-button').first().click();
	await byId('node-creator-search-bar').fill('datagrid');
	const found = byId('node-creator-node-item').or(byId('item-iterator-item'));
	await found.filter({ hasText: 'DataGrid' }).first().click();
	await byId('node-creator-item-name').filter({ hasText: 'On row created' }).first().click();
	await byId('resource-locator-grid').waitFor();
}

async function pickWatched({ grids: { space, orders } }: Demo, browsing: Browsing): Promise<void> {
	await pick(browsing, { space: space.name, grid: orders.name });
}

async function fetchTestEvent({ byId }: Browsing): Promise<void> {
	await byId('node-execute-button').click();
	await byId('output-panel').getByText('changedAt').first().waitFor();
}

async function publish({ page, byId }: Browsing): Promise<void> {
	await page.keyboard.press('Escape');
	await byId('workflow-open-publish-modal-button').click();
	await byId('workflow-publish-button').click();
	await page.waitForURL(/\/workflow\/(?!new)/);
	await byId('workflow-publish-button').waitFor({ state: 'hidden' });
}

/** The trigger looks at once when it is published, and then each minute. */
async function seeExecution(
	{ client, grids: { orders }, rest }: Demo,
	{ page, open }: Browsing,
): Promise<void> {
	const { id } = /\/workflow\/(?<id>[^/?]+)/.exec(page.url())?.groups ?? {};
	assert.ok(id);
	const isWatching = async () => Object.keys((await rest.workflow(id)).staticData ?? {}).length > 0;
	await until('the first look of the trigger', isWatching);
	await client.entities.create(orders, { Order: 'B-1', Status: 'new' }, 'property');
	// The test event made an execution too, which must not be taken for this one.
	const hasRun = async () =>
		(await rest.executions(id)).some(({ mode, status }) => mode === 'trigger' && status === 'success');
	await until('the execution that the change has started', hasRun);
	await open(`/workflow/${id}/executions`);
	await page.getByText('Succeeded').nth(1).waitFor();
}

async function seeExample(
	{ client, grids: { activity }, n8n, workflow }: Demo,
	{ page }: Browsing,
): Promise<void> {
	// Loads the editor anew, so that no execution of the other workflow is on the page.
	await page.goto(`${n8n.url}/workflow/${workflow.id}/executions`);
	await page.getByText('Succeeded').first().waitFor();
	const rows = (await client.entities.page(activity, { layout: 'property' })).items;
	assert.equal(rows.filter(({ Order }) => Order === 'B-1').length, 1);
}
