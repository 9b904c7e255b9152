import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { becomes, choose, inBrowser, press, submit } from '../browser';
import { testGridPage } from '../gridPage';

const words = ['one, two', 'three'];
const tags = ['red', 'blue'];
const things = testGridPage({
	columns: {
		title: { name: 'string' },
		words: { name: 'stringcollection' },
		tags: { name: 'enumcollection', options: tags },
	},
	rows: [{ title: 'A', words, tags }, { title: 'B' }],
	browser: { permissions: ['clipboard-read', 'clipboard-write'] },
});
const { dialog, notice, values } = things;
let page: Page;
beforeAll(() => {
	({ page } = things);
});

const at = (row: number, column: number) => page.locator(`[data-row="${row}"] [data-column="${column}"]`);

inBrowser('copied lists are pasted as they were, also elements with a comma', async () => {
	await at(0, 1).click();
	await at(0, 2).click({ modifiers: ['Shift'] });
	await page.keyboard.press('Control+C');
	await becomes(
		() => page.evaluate('navigator.clipboard.readText()'),
		`${JSON.stringify(words)}\t${tags.join(', ')}`,
	);
	await at(1, 1).click();
	await page.keyboard.press('Control+V');
	await submit(page, 'Write');
	await becomes(
		() => values('title', 'words', 'tags'),
		[
			['A', words, tags],
			['B', words, tags],
		],
	);
});

inBrowser('exported lists are imported as they were', async () => {
	const download = page.waitForEvent('download');
	await choose(page, 'Export CSV');
	const buffer = Buffer.from(await text(await (await download).createReadStream()));
	const before = await values('title', 'words', 'tags');
	await choose(page, 'Import rows');
	await dialog().getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer });
	await press(page, 'Next');
	await press(page, 'Preview');
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await notice('2 rows added, 0 cells refused');
	await becomes(() => values('title', 'words', 'tags'), [...before, ...before]);
});
