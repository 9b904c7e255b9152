import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { object, objects } from '../../http';
import { becomes, cell, choose, fillIn, inBrowser, open, press, submit } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: Object.fromEntries(
		Array.from({ length: 20 }, (_, n) => [n ? `c${n}` : 'title', { name: 'string' }]),
	),
	rows: [{ title: "Ann's" }],
	browser: { permissions: ['clipboard-read', 'clipboard-write'] },
});
const { owner, dialog } = things;
let page: Page;
beforeAll(() => {
	({ page } = things);
});

const first = () => page.locator('#first');

inBrowser('a new grid says what to do next until it has columns and rows', async () => {
	await becomes(() => first().isVisible(), false);
	const space = page.locator('h2:text("Space of Things") ~ p').first();
	await space.getByRole('button', { name: '+ Grid' }).click();
	await submit(page, 'Create', { Name: 'New' });
	await things.isTitled('New');
	await first().getByText('This grid has no columns yet').waitFor();
	await first().getByText('Choose a CSV file').waitFor();
	await first().getByRole('button', { name: 'Add the first column' }).click();
	await submit(page, 'Add', { Name: 'Fruit' });
	await first().getByText('This grid has no rows yet').waitFor();
	await page.evaluate("navigator.clipboard.writeText('Apple\\nPear\\n')");
	await page.locator('.grid').click();
	await page.keyboard.press('Control+V');
	await submit(page, 'Write');
	await cell(page, 'Pear').waitFor();
	await becomes(() => first().isVisible(), false);
	// A search without a match is no new grid.
	await page.getByLabel('Search rows').fill('plum');
	await page.getByText('No rows').waitFor();
	await becomes(() => first().isVisible(), false);
	await page.getByLabel('Search rows').fill('');
	await cell(page, 'Pear').waitFor();
});

inBrowser('Escape asks before it discards what was typed, and closes a dialog as it was opened', async () => {
	await open(page, 'Things');
	await things.isTitled('Things');
	await press(page, 'Add row');
	await page.keyboard.press('Escape');
	await things.closed();
	await press(page, 'Add row');
	await fillIn(page, { TITLE: 'Half' });
	const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
	for (let times = 0; times < 2; times++) {
		await page.keyboard.press('Escape');
		await question.waitFor();
		await page.keyboard.press('Escape');
		await question.waitFor({ state: 'detached' });
		await becomes(() => dialog().getByLabel('TITLE').inputValue(), 'Half');
	}
	await page.keyboard.press('Escape');
	await question.getByRole('button', { name: 'Discard' }).click();
	await things.closed();
	expect(await things.values('title')).toEqual([["Ann's"]]);
});

inBrowser(
	'the buttons of a long row stay on a screen of 900 pixels, with the reason of a refusal',
	async () => {
		await press(page, 'Open row 1');
		const save = dialog().getByRole('button', { name: 'Save', exact: true });
		const bottom = async () => {
			const box = await save.boundingBox();
			return box !== null && box.y > 0 && box.y + box.height <= 900;
		};
		await becomes(bottom, true);
		await dialog().evaluate('document.querySelector("dialog").scrollTop = 1e6');
		await becomes(bottom, true);
		await press(page, 'Cancel');
		await things.closed();
	},
);

inBrowser('a grid shows its address, and examples for n8n and curl that work', async () => {
	await choose(page, 'Connect');
	const [address = '', workflow = '', read = '', add = ''] = await dialog().locator('code').allInnerTexts();
	expect(address).toBe(page.url());
	const nodes = objects(object(JSON.parse(workflow))['nodes']);
	expect(nodes[1]).toMatchObject({
		type: 'n8n-nodes-datagrid.entity',
		parameters: { operation: 'getMany', grid: { mode: 'url', value: address } },
	});
	const { key, secret } = things.service;
	const run = (command: string) =>
		promisify(execFile)('sh', ['-c', `${command.replace('KEY:SECRET', `${key}:${secret}`)} --silent`]);
	expect(JSON.parse((await run(read)).stdout)).toMatchObject({ items: [{ title: "Ann's" }] });
	await run(add);
	await becomes(() => things.values('title'), [["Ann's"], ['From curl']]);
	await submit(page, 'Close');
	expect(await owner.items(`${things.grid}/entities`)).toHaveLength(2);
});
