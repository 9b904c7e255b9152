import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { href, id, byKey } from '../../http';
import { becomes, cell, choose, fillIn, inBrowser, open, press, row } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' }, code: { name: 'string' } },
	rows: [{ title: 'One', code: '1' }, { title: 'Two', code: 'none' }, { title: 'Three' }],
});
const { owner, dialog, closed, notice, submit } = things;
let page: Page;
let grid: string;
beforeAll(() => {
	({ page, grid } = things);
});

const fields = () => owner.fields(grid);
const spaces = () => owner.items(`${things.home}/spaces`);

inBrowser('a space and a grid are created, and the grid is renamed', async () => {
	await press(page, '+ Space');
	await submit('Create', { Name: 'Garden' });
	await page.getByRole('heading', { name: 'Garden' }).waitFor();
	await page.locator('h2:text("Garden") ~ p').first().getByRole('button', { name: '+ Grid' }).click();
	await submit('Create', { Name: 'Plants', Key: 'plants' });
	await things.isTitled('Plants');
	await page.getByText('No rows').waitFor();
	await choose(page, 'Edit grid');
	await submit('Save', { Name: 'Trees' });
	await page.getByRole('button', { name: 'Trees', exact: true }).waitFor();
	const garden = (await spaces()).find(({ name }) => name === 'Garden') ?? {};
	const grids = await owner.items(href(garden, 'grids'));
	expect(grids.map(({ name, key }) => [name, key])).toEqual([['Trees', 'plants']]);
	// A name that is taken is refused in the dialog, which stays open.
	await press(page, '+ Space');
	await fillIn(page, { Name: 'Garden' });
	await press(page, 'Create');
	await dialog().getByRole('alert').filter({ hasText: /Garden|taken|unique/ }).waitFor(); // prettier-ignore
	await submit('Cancel');
	expect((await spaces()).filter(({ name }) => name === 'Garden')).toHaveLength(1);
});

inBrowser('a space is deleted after a confirmation that lists its grids', async () => {
	await press(page, 'Edit the space Garden');
	await press(page, 'Delete “Garden”');
	await dialog().getByText('Everything in it is deleted: “Trees”').waitFor();
	await submit('Delete “Garden”');
	await page.getByRole('heading', { name: 'Garden' }).waitFor({ state: 'detached' });
	expect((await spaces()).filter(({ name }) => name === 'Garden')).toEqual([]);
	await page.getByRole('heading', { name: 'Choose a grid' }).waitFor();
});

inBrowser('a column is added with options, and renamed', async () => {
	await open(page, 'Things');
	await choose(page, 'Add column');
	await dialog().getByLabel('Name').fill('State');
	await becomes(() => dialog().getByLabel('Options').isVisible(), false);
	await submit('Add', { Type: 'enum', 'Options, one per line': 'new\nold' });
	await page.getByRole('columnheader', { name: 'State' }).waitFor();
	await press(page, 'Column State');
	await submit('Save', { Name: 'Status', 'More options, one per line': 'lost' });
	await page.getByRole('columnheader', { name: 'Status' }).waitFor();
	expect((await fields()).at(-1)).toMatchObject({
		name: 'Status',
		key: 'state',
		type: { name: 'enum', options: ['new', 'old', 'lost'] },
	});
});

inBrowser('options are put into another order', async () => {
	await press(page, 'Column Status');
	for (let n = 0; n < 3; n++) await press(page, 'Move the option lost up');
	await press(page, 'Move the option old up');
	await submit('Save');
	await becomes(async () => JSON.stringify((await fields()).at(-1)?.['type']), '{"name":"enum","options":["lost","old","new"]}'); // prettier-ignore
});

inBrowser('a change of type first reports how many rows it may empty', async () => {
	await press(page, 'Column CODE');
	await dialog().getByLabel('Type').selectOption('integer');
	await press(page, 'Save');
	await dialog()
		.getByText('2 rows have a value in “CODE”: those that fit are converted, all others become empty')
		.waitFor();
	expect((await fields())[1]).toMatchObject({ type: { name: 'string' } });
	await submit('Change the type');
	await row(page, 'One').locator('.right', { hasText: '1' }).waitFor();
	const list = await owner.items(`${grid}/entities`, byKey);
	expect(list.map(({ code }) => code)).toEqual([1, null, null]);
});

inBrowser('a column is deleted after a confirmation that counts its values', async () => {
	await press(page, 'Column CODE');
	await press(page, 'Delete this column');
	await dialog().getByText('1 row has a value in it. All of them are deleted').waitFor();
	await submit('Delete “CODE”');
	await page.getByRole('columnheader', { name: 'CODE' }).waitFor({ state: 'detached' });
	expect((await fields()).map((field) => field['id'])).not.toContain(id(things.context.ids, 'code'));
});

/** Chooses a file to import as a new grid. */
async function importFile(name: string, buffer: Buffer) {
	await press(page, 'Import CSV');
	await dialog().getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

inBrowser('a German file becomes a grid of numbers, days and truth values', async () => {
	const lines = [
		'Amount;Count;When;Paid;Code',
		'1.234,50;1.000;31.12.2026;ja;007',
		'0,5;20;1.2.2026;nein;12',
	];
	await importFile('bills.csv', Buffer.from(`${lines.join('\n')}\n`));
	await fillIn(page, { 'Name of the new grid': 'Bills' });
	await press(page, 'Preview');
	await page.getByText('2 rows, 5 columns').waitFor();
	const chosen = (label: string) => page.getByLabel(label, { exact: true }).locator('option:checked');
	const read = async (column: string) => [
		await chosen(`Type of ${column}`).innerText(),
		await chosen(`How ${column} is written`).innerText(),
	];
	expect(await read('Amount')).toEqual(['Decimal Number', 'Decimal comma: 1.234,50 is 1234.5']);
	expect(await read('Count')).toEqual(['Whole Number', 'Decimal comma: 1.000 is 1000']);
	expect(await read('When')).toEqual(['Date', 'Day first: 31.12.2026 is Dec 31, 2026']);
	expect(await read('Paid')).toEqual(['Yes or No', 'Yes and no: ja is yes']);
	expect(await page.getByLabel('How Code is written').count()).toBe(0);
	await page.getByLabel('How Count is written').selectOption({ label: 'As it is' });
	expect(await chosen('Type of Count').innerText()).toBe('Text');
	await submit('Import');
	await things.isTitled('Bills');
	const made = (await owner.items(`${things.context.space}/grids`)).find(({ name }) => name === 'Bills');
	const rows = await owner.items(href(made ?? {}, 'entities'), { layout: 'property' });
	expect(rows).toMatchObject([
		{ Amount: 1234.5, Count: '1.000', When: '2026-12-31', Paid: true, Code: '007' },
		{ Amount: 0.5, Count: '20', When: '2026-02-01', Paid: false, Code: '12' },
	]);
});

inBrowser('a CSV file proposes names and types, is imported with others, and exported', async () => {
	const file = 'Item,Count,Price,Size,Note\nNails,010,3.50,S,1.10\nScrews,20,12.00,M,x\n';
	await importFile('stock_of_spring.csv', Buffer.from(file));
	await becomes(() => dialog().getByLabel('Name of the new grid').inputValue(), 'stock of spring');
	await fillIn(page, { 'Name of the new grid': 'Stock' });
	await press(page, 'Preview');
	await page.getByText('2 rows, 5 columns').waitFor();
	await page.getByRole('cell', { name: '010 · 20' }).waitFor();
	const type = (column: string) => page.getByLabel(`Type of ${column}`);
	for (const [column, proposed] of [['Count', 'string'], ['Price', 'decimal'], ['Note', 'string']] as const)
		await becomes(() => type(column).inputValue(), proposed); // prettier-ignore
	const types = await type('Size').locator('option').allInnerTexts();
	expect(types.filter((one) => /^(Created|Lookup|Formula)/.test(one))).toEqual([]);
	await type('Count').selectOption('integer');
	await type('Size').selectOption({ label: 'Choice' });
	await submit('Import');
	await things.isTitled('Stock');
	await cell(page, 'Screws').waitFor();
	const made = (await owner.items(`${things.context.space}/grids`)).find(({ name }) => name === 'Stock');
	expect((await owner.fields(href(made ?? {}, 'self'))).map((field) => field['type'])).toEqual([
		{ name: 'string' },
		{ name: 'integer' },
		{ name: 'decimal' },
		{ name: 'enum', options: ['M', 'S'] },
		{ name: 'string' },
	]);
	const download = page.waitForEvent('download');
	await choose(page, 'Export CSV');
	await submit('Export');
	const exported = await text(await (await download).createReadStream());
	expect(exported).toBe('Item,Count,Price,Size,Note\nNails,10,3.5,S,1.10\nScrews,20,12,M,x\n');
});

inBrowser('rows of a file are added to a grid whose columns are matched, and Undo deletes them', async () => {
	const buffer = Buffer.from('\uFEFFcount;Article;Shelf\n30;"Bolts; ""long""";A\n4x;Nuts;B\n', 'utf8');
	await choose(page, 'Import rows');
	await dialog().getByLabel('File').setInputFiles({ name: 'more.csv', mimeType: 'text/csv', buffer });
	await press(page, 'Next');
	await dialog().getByLabel('Item').selectOption({ label: 'Article: Bolts; "long" · Nuts' });
	await becomes(
		() => dialog().getByLabel('Count', { exact: true }).locator('option:checked').innerText(),
		'count: 30 · 4x',
	);
	await press(page, 'Preview');
	await dialog().getByText('2 rows are added. Not imported: “Shelf”.').waitFor();
	await dialog().getByText('Row 2, Count: “4x” is not a number').waitFor();
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await notice('Imported: 0 cells changed, 2 rows added');
	await row(page, 'Bolts; "long"').getByText('30').waitFor();
	await cell(page, 'Nuts').waitFor();
	await press(page, 'Undo');
	await notice('2 added rows deleted');
	await cell(page, 'Nuts').waitFor({ state: 'detached' });
});

inBrowser('a file that is not UTF-8 is previewed in an encoding that its sample suggests', async () => {
	const buffer = Buffer.concat([Buffer.from('Ort;Preis\nK\xf6ln;5 ', 'latin1'), Buffer.from([0x80, 0x0a])]);
	await importFile('western.csv', buffer);
	await press(page, 'Preview');
	const encoding = page.getByLabel('Encoding, with a sample of the text');
	await encoding.waitFor();
	expect(await encoding.locator('option:checked').innerText()).toContain('Ort;Preis Köln;5 €');
	expect(await encoding.locator('option').allInnerTexts()).toContain(
		'Windows-1251 (Cyrillic): Ort;Preis Kцln;5 Ђ ',
	);
	await dialog().last().getByRole('button', { name: 'Preview' }).click();
	await page.getByRole('cell', { name: 'Köln' }).waitFor();
	await submit('Import');
	await things.isTitled('western');
	await cell(page, '5 €').waitFor();
});

inBrowser('the import of a large file shows its progress and is canceled', async () => {
	const network = await page.context().newCDPSession(page);
	const send = (uploadThroughput: number) =>
		network.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput }); // prettier-ignore
	const lines = Array.from({ length: 10_000 }, (_, n) => `${n},Some text that makes the line long`).join(
		'\n',
	);
	const buffer = Buffer.from(`N,Text\n${lines}\n`);
	const begin = async (name: string) => {
		await importFile(`${name}.csv`, buffer);
		await press(page, 'Preview');
		await page.getByText('10,000 rows, 2 columns').waitFor();
	};
	await begin('Cancelled');
	await send(100_000);
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await page.getByText(/[1-9]\d? % of the file sent/).waitFor();
	const aborted = page.waitForEvent('requestfailed');
	await dialog().last().getByRole('button', { name: 'Cancel' }).click();
	expect((await aborted).url()).toContain('uploadCSV');
	await closed();
	await network.detach();
	await begin('Large');
	await submit('Import');
	await page.getByText('of 10,000').waitFor();
});
