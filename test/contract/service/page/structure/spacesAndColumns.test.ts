import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import type { Caller } from '../../http';
import { href, id, byKey } from '../../http';
import { becomes, cell, choose, inBrowser, open, press, row } from '../browser';
import { startGridPage, type GridPage } from '../gridPage';

let fixture: GridPage;
let owner: Caller;
let page: Page;
let grid: string;
let ids: Record<string, string>;

beforeAll(async () => {
	fixture = await startGridPage({
		columns: { title: { name: 'string' }, code: { name: 'string' } },
		rows: [{ title: 'One', code: '1' }, { title: 'Two', code: 'none' }, { title: 'Three' }],
	});
	({ owner, page, grid, ids } = fixture);
});
afterAll(() => fixture.stop());

const dialog = () => page.getByRole('dialog');
const fields = () => owner.fields(grid);
const spaces = () => owner.items(`${fixture.home}/spaces`);
const closed = () => dialog().waitFor({ state: 'detached' });

inBrowser('a space and a grid are created, and the grid is renamed', async () => {
	await press(page, '+ Space');
	await dialog().getByLabel('Name').fill('Garden');
	await press(page, 'Create');
	await closed();
	await page.getByRole('heading', { name: 'Garden' }).waitFor();
	await page.locator('h2:text("Garden") ~ p').first().getByRole('button', { name: '+ Grid' }).click();
	await dialog().getByLabel('Name').fill('Plants');
	await dialog().getByLabel('Key').fill('plants');
	await press(page, 'Create');
	await closed();
	await page.locator('#title').getByText('Plants', { exact: true }).waitFor();
	await page.getByText('No rows').waitFor();
	await choose(page, 'Edit grid');
	await dialog().getByLabel('Name').fill('Trees');
	await press(page, 'Save');
	await closed();
	await page.getByRole('button', { name: 'Trees', exact: true }).waitFor();
	const garden = (await spaces()).find(({ name }) => name === 'Garden') ?? {};
	const grids = await owner.items(href(garden, 'grids'));
	expect(grids.map(({ name, key }) => [name, key])).toEqual([['Trees', 'plants']]);
});

inBrowser('a name that is taken is refused in the dialog, which stays open', async () => {
	await press(page, '+ Space');
	await dialog().getByLabel('Name').fill('Garden');
	await press(page, 'Create');
	await dialog()
		.getByRole('alert')
		.filter({ hasText: /Garden|taken|unique/ })
		.waitFor();
	await press(page, 'Cancel');
	expect((await spaces()).filter(({ name }) => name === 'Garden')).toHaveLength(1);
});

inBrowser('a space is deleted after a confirmation that lists its grids', async () => {
	await press(page, 'Edit the space Garden');
	await press(page, 'Delete “Garden”');
	await dialog().getByText('Everything in it is deleted: “Trees”').waitFor();
	await press(page, 'Delete “Garden”');
	await closed();
	await page.getByRole('heading', { name: 'Garden' }).waitFor({ state: 'detached' });
	expect((await spaces()).filter(({ name }) => name === 'Garden')).toEqual([]);
	await page.getByRole('heading', { name: 'Choose a grid' }).waitFor();
});

inBrowser('a column is added with options, and renamed', async () => {
	await open(page, 'Things');
	await choose(page, 'Add column');
	await dialog().getByLabel('Name').fill('State');
	await becomes(() => dialog().getByLabel('Options').isVisible(), false);
	await dialog().getByLabel('Type').selectOption('enum');
	await dialog().getByLabel('Options').fill('new\nold');
	await press(page, 'Add');
	await closed();
	await page.getByRole('columnheader', { name: 'State' }).waitFor();
	await press(page, 'Column State');
	await dialog().getByLabel('Name').fill('Status');
	await dialog().getByLabel('More options, one per line').fill('lost');
	await press(page, 'Save');
	await closed();
	await page.getByRole('columnheader', { name: 'Status' }).waitFor();
	expect((await fields()).at(-1)).toMatchObject({
		name: 'Status',
		key: 'state',
		type: { name: 'enum', options: ['new', 'old', 'lost'] },
	});
});

inBrowser('a change of type first reports how many rows it may empty', async () => {
	await press(page, 'Column CODE');
	await dialog().getByLabel('Type').selectOption('integer');
	await press(page, 'Save');
	await dialog()
		.getByText('2 rows have a value in “CODE”: those that fit are converted, all others become empty')
		.waitFor();
	expect((await fields())[1]).toMatchObject({ type: { name: 'string' } });
	await press(page, 'Change the type');
	await closed();
	await row(page, 'One').locator('.right', { hasText: '1' }).waitFor();
	const list = await owner.items(`${grid}/entities`, byKey);
	expect(list.map(({ code }) => code)).toEqual([1, null, null]);
});

inBrowser('a column is deleted after a confirmation that counts its values', async () => {
	await press(page, 'Column CODE');
	await press(page, 'Delete this column');
	await dialog().getByText('1 row has a value in it. All of them are deleted').waitFor();
	await press(page, 'Delete “CODE”');
	await closed();
	await page.getByRole('columnheader', { name: 'CODE' }).waitFor({ state: 'detached' });
	expect((await fields()).map((field) => field['id'])).not.toContain(id(ids, 'code'));
});

inBrowser('a CSV file is previewed, imported with another column type, and exported', async () => {
	const file = {
		name: 'stock.csv',
		mimeType: 'text/csv',
		buffer: Buffer.from('Item,Count\nNails,010\nScrews,20\n'),
	};
	await press(page, 'Import CSV');
	await dialog().getByLabel('Name of the new grid').fill('Stock');
	await dialog().getByLabel('File').setInputFiles(file);
	await press(page, 'Preview');
	await page.getByText('2 rows, 2 columns').waitFor();
	await page.getByRole('cell', { name: '010 · 20' }).waitFor();
	await becomes(() => page.getByLabel('Type of Count').inputValue(), 'string');
	await page.getByLabel('Type of Count').selectOption('integer');
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	const stock = page.getByRole('button', { name: 'Stock', exact: true });
	await stock.waitFor();
	await closed();
	await stock.click();
	await cell(page, 'Screws').waitFor();
	const download = page.waitForEvent('download');
	await choose(page, 'Export CSV');
	const stream = await (await download).createReadStream();
	expect(await text(stream)).toBe('Item,Count\nNails,10\nScrews,20\n');
});

inBrowser(
	'a file proposes the name of its grid, numbers with decimals, and choices with its values',
	async () => {
		const buffer = Buffer.from('Price,Size,Note\n3.50,S,1.10\n12.00,M,2.5\n0.75,S,x\n');
		const name = 'prices_of_spring.csv';
		await press(page, 'Import CSV');
		await dialog().getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer });
		await becomes(() => dialog().getByLabel('Name of the new grid').inputValue(), 'prices of spring');
		await press(page, 'Preview');
		await page.getByText('3 rows, 3 columns').waitFor();
		await becomes(() => page.getByLabel('Type of Price').inputValue(), 'decimal');
		await becomes(() => page.getByLabel('Type of Note').inputValue(), 'string');
		const types = await page.getByLabel('Type of Size').locator('option').allInnerTexts();
		expect(types.filter((one) => /^(Created|Lookup|Formula)/.test(one))).toEqual([]);
		await page.getByLabel('Type of Size').selectOption({ label: 'Choice' });
		await page.getByRole('button', { name: 'Import', exact: true }).click();
		await closed();
		await page.locator('#title', { hasText: 'prices of spring' }).waitFor();
		await row(page, '3.5').getByText('S', { exact: true }).waitFor();
		const made = (await owner.items(`${fixture.space}/grids`)).find((one) => one['name'] === 'prices of spring'); // prettier-ignore
		const columns = await owner.fields(href(made ?? {}, 'self'));
		expect(columns.map(({ type }) => type)).toEqual([
			{ name: 'decimal' },
			{ name: 'enum', options: ['M', 'S'] },
			{ name: 'string' },
		]);
	},
);

inBrowser('rows of a file are added to a grid whose columns are matched, and Undo deletes them', async () => {
	await open(page, 'Stock');
	await cell(page, 'Screws').waitFor();
	const buffer = Buffer.from('\uFEFFcount;Article;Shelf\n30;"Bolts; ""long""";A\n4x;Nuts;B\n', 'utf8');
	await choose(page, 'Import rows');
	await dialog().getByLabel('File').setInputFiles({ name: 'more.csv', mimeType: 'text/csv', buffer });
	await press(page, 'Next');
	await dialog().getByLabel('Item').selectOption({ label: 'Article: Bolts; "long" · Nuts' });
	await becomes(() => dialog().getByLabel('Count').locator('option:checked').innerText(), 'count: 30 · 4x');
	await press(page, 'Preview');
	await dialog().getByText('2 rows are added. Not imported: “Shelf”.').waitFor();
	await dialog().getByText('Row 2, Count: “4x” is not a number').waitFor();
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await page.locator('#notice', { hasText: 'Imported: 0 cells changed, 2 rows added' }).waitFor();
	await row(page, 'Bolts; "long"').getByText('30').waitFor();
	await cell(page, 'Nuts').waitFor();
	await press(page, 'Undo');
	await page.locator('#notice', { hasText: '2 added rows deleted' }).waitFor();
	await cell(page, 'Nuts').waitFor({ state: 'detached' });
});

inBrowser('a file that is not UTF-8 is previewed in an encoding that its sample suggests', async () => {
	const buffer = Buffer.concat([Buffer.from('Ort;Preis\nK\xf6ln;5 ', 'latin1'), Buffer.from([0x80, 0x0a])]);
	await press(page, 'Import CSV');
	await dialog().getByLabel('Name of the new grid').fill('Western');
	await dialog().getByLabel('File').setInputFiles({ name: 'western.csv', mimeType: 'text/csv', buffer });
	await press(page, 'Preview');
	const encoding = page.getByLabel('Encoding, with a sample of the text');
	await encoding.waitFor();
	expect(await encoding.locator('option:checked').innerText()).toContain('Ort;Preis Köln;5 €');
	expect(await encoding.locator('option').allInnerTexts()).toContain(
		'Windows-1251 (Cyrillic): Ort;Preis Kцln;5 Ђ ',
	);
	await dialog().last().getByRole('button', { name: 'Preview' }).click();
	await page.getByRole('cell', { name: 'Köln' }).waitFor();
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	const made = page.getByRole('button', { name: 'Western', exact: true });
	await made.waitFor();
	await closed();
	await made.click();
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
		await press(page, 'Import CSV');
		await dialog().getByLabel('Name of the new grid').fill(name);
		await dialog().getByLabel('File').setInputFiles({ name: 'large.csv', mimeType: 'text/csv', buffer });
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
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await page.getByRole('button', { name: 'Large', exact: true }).waitFor();
	await closed();
	await open(page, 'Large');
	await page.getByText('of 10,000').waitFor();
});
