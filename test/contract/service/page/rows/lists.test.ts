import { buffer, text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { becomes, choose, fillIn, inBrowser, matches, press, submit } from '../browser';
import { testGridPage } from '../gridPage';

const words = ['one, two', 'three'];
const tags = ['red', 'blue'];
const things = testGridPage({
	columns: {
		title: { name: 'string' },
		words: { name: 'stringcollection' },
		tags: { name: 'enumcollection', options: tags },
	},
	rows: [{ title: 'A', words, tags }, { title: ' B ' }],
	browser: { permissions: ['clipboard-read', 'clipboard-write'] },
});
const { change, dialog, notice, rowOf, values } = things;
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
			[' B ', words, tags],
		],
	);
});

inBrowser('exported lists and texts are imported as they were', async () => {
	const download = page.waitForEvent('download');
	await choose(page, 'Export CSV');
	await submit(page, 'Export');
	const content = Buffer.from(await text(await (await download).createReadStream()));
	const before = await values('title', 'words', 'tags');
	await choose(page, 'Import rows');
	await dialog()
		.getByLabel('File')
		.setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: content });
	await press(page, 'Next');
	await press(page, 'Preview');
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await notice('2 rows added, 0 cells refused');
	await becomes(() => values('title', 'words', 'tags'), [...before, ...before]);
});

inBrowser('an element of a list keeps its line breaks and spaces when another one is edited', async () => {
	await change('A', { title: 'C', words: ['two\nlines', ' x', 'old'] });
	await press(page, 'Open row 1');
	const words = dialog().getByLabel('WORDS');
	await words.fill((await words.inputValue()).replace('old', 'new'));
	await submit(page, 'Save');
	await matches(() => rowOf('C'), { words: ['two\nlines', ' x', 'new'] });
	await press(page, 'Open row 1');
	await words.fill('["half');
	await press(page, 'Save');
	await dialog().getByText('WORDS: this is not valid JSON').waitFor();
	await fillIn(page, { WORDS: 'a\n[b]' });
	await submit(page, 'Save');
	await matches(() => rowOf('C'), { words: ['a', '[b]'] });
});

inBrowser(
	'an export escapes formulas unless one chooses otherwise, and an import restores them',
	async () => {
		for (const title of ['=1+1', "'=2"]) await things.add({ title });
		const exported = async () => {
			const download = page.waitForEvent('download');
			await dialog().getByRole('button', { name: 'Export' }).click();
			const file = await (await download).createReadStream();
			return (await buffer(file)).toString();
		};
		await choose(page, 'Export CSV');
		await fillIn(page, { Separator: ';' });
		await dialog().getByLabel('Byte order mark').check();
		await dialog().getByLabel('Escape formulas').uncheck();
		expect(await exported()).toMatch(/^\ufeffTITLE;WORDS;TAGS\n(.*\n)*=1\+1;;\n'=2;;\n$/);
		await things.closed();
		await choose(page, 'Export CSV');
		const file = await exported();
		expect(file).toMatch(/^TITLE,WORDS,TAGS\n(.*\n)*'=1\+1,,\n''=2,,\n$/);
		const formulas = async () =>
			(await values('title')).flat().filter((title) => String(title).includes('='));
		await choose(page, 'Import rows');
		await dialog().getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(file) }); // prettier-ignore
		await press(page, 'Next');
		await press(page, 'Preview');
		await page.getByRole('button', { name: 'Import', exact: true }).click();
		await notice('0 cells refused');
		await becomes(formulas, ['=1+1', "'=2", '=1+1', "'=2"]);
		await press(page, 'Import CSV');
		await dialog().getByLabel('File').setInputFiles({ name: 'Sums.csv', mimeType: 'text/csv', buffer: Buffer.from("A\n'=1\n'x\n") }); // prettier-ignore
		await press(page, 'Preview');
		await dialog().getByText("=1 · 'x").waitFor();
		await page.getByRole('button', { name: 'Import', exact: true }).click();
		await things.isTitled('Sums');
		await page.getByRole('gridcell', { name: "'x" }).waitFor();
		await page.getByRole('gridcell', { name: '=1', exact: true }).waitFor();
	},
);
