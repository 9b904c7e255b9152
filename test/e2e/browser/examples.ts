import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Demo } from '../../../testbed/demo/session';
import type { Browsing } from '../../../testbed/browser';
import { until } from '../../../testbed/until';

/** Examples that run by a click; the others wait for a request, a file or a model. */
const STARTED_BY_CLICK = new Set([
	'customers-from-another-system.json',
	'deletions-reported.json',
	'history-and-restore.json',
	'batch-by-batch.json',
	'nightly-mirror.json',
	'order-activity.json',
	'reader-key-report.json',
]);
/** Nodes that need a credential which the demo does not have. */
const WITHOUT_CREDENTIAL = new Set([
	'@n8n/n8n-nodes-langchain.lmChatOpenAi',
	'@n8n/n8n-nodes-langchain.mcpTrigger',
	'n8n-nodes-base.wooCommerce',
]);

/** Opens each example, runs it where a click does, and looks for red. */
export async function lookAtExamples({ n8n, examples }: Demo, browsing: Browsing): Promise<void> {
	const { byId } = browsing;
	const marked = byId('canvas-node').filter({ has: byId('node-issues') });
	for (const [file, { id, nodes }] of examples) {
		await browsing.page.goto(`${n8n.url}/workflow/${id}`);
		await byId('canvas-node').first().waitFor();
		const allowed = nodes.map(({ type }) => type).filter((type) => WITHOUT_CREDENTIAL.has(type));
		if (allowed.length > 0) await marked.nth(allowed.length - 1).waitFor();
		const types = async () => {
			const nodes = await marked.all();
			return (await Promise.all(nodes.map((node) => node.getAttribute('data-node-type')))).sort();
		};
		// A node is marked until its credential is loaded.
		const isSo = async () => isDeepStrictEqual(await types(), allowed.sort());
		await until(`nodes of ${file} without issues`, isSo);
		if (STARTED_BY_CLICK.has(file)) await run(file, browsing);
	}
}

async function run(file: string, browsing: Browsing) {
	const { page, byId, picture } = browsing;
	await byId('execute-workflow-button').first().click();
	const done = page.getByText('Workflow executed successfully').first();
	const failed = page.locator('.el-notification', { hasText: 'Problem in' }).first();
	await done.or(failed).waitFor({ timeout: 60_000 });
	// Before the picture, which may outlast a message of success.
	const failures = await failed.allInnerTexts();
	await picture(`example-${file.replace('.json', '')}`);
	assert.deepEqual(failures, [], file);
	assert.equal(await byId('canvas-node-status-error').count(), 0, `${file} has a node that failed`);
	const ran = byId('canvas-node').filter({ has: byId('canvas-node-status-success') });
	await ran.first().waitFor();
	// By name: an opened node loses its mark of success.
	const nodes = await ran.all();
	const names = await Promise.all(nodes.map(async (node) => await node.getAttribute('data-node-name')));
	for (const name of names) await lookAtOutputs(file, name ?? '', browsing);
}

/** n8n shows "undefined" where the items of a table have different members. */
async function lookAtOutputs(file: string, name: string, { byId, page }: Browsing) {
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
	const output = byId('output-panel');
	await output.waitFor();
	const cells = await output.locator('td, [class*="value"]').allInnerTexts();
	assert.deepEqual(
		cells.filter((text) => text.trim() === 'undefined'),
		[],
		`${name} of ${file} outputs undefined`,
	);
	await page.keyboard.press('Escape');
	await output.waitFor({ state: 'hidden' });
}
