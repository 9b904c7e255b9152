import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { href, id, object, version2, type Json } from '../../http';
import { becomes, cell, choose, focused, inBrowser, open, press } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' }, n: { name: 'integer' }, code: { name: 'string' } },
	rows: [
		{ title: 'One', n: 1, code: 'x' },
		{ title: 'Two', n: 2, code: 'y' },
		{ title: 'Three', n: 3, code: 'z' },
		{ title: 'Four', n: 4, code: 'x' },
	],
});
const { owner, dialog, submit } = things;
let page: Page;
let grid: string;
let title: string;
let n: string;
let code: string;
beforeAll(() => {
	({ page, grid } = things);
	const { ids } = things.context;
	[title, n, code] = [id(ids, 'title'), id(ids, 'n'), id(ids, 'code')];
});

const headsOf = (one: Page) => one.locator('.head .sort').allInnerTexts();
const heads = () => headsOf(page);
const head = (name: string) => page.locator('.head .sort', { hasText: name });
const firstColumn = () => page.locator('.body [data-column="0"]').allInnerTexts();
const heading = (name: string) => page.getByRole('heading', { name }).waitFor();

/** The first view of the grid as the service stores it, with the IDs of its columns. */
async function stored(): Promise<Json> {
	const [first = {}] = await owner.items(`${grid}/virtualgrids`);
	const address = href(first, 'self');
	const fields = (await owner.fields(address)).map((field) => field['id']);
	return { ...(await owner.read(address, undefined, version2)), fields };
}

async function exported() {
	const download = page.waitForEvent('download');
	await choose(page, 'Export CSV');
	await submit('Export');
	return text(await (await download).createReadStream());
}

async function addCondition(column: string, operator: string, value: string) {
	await page.getByLabel('Column', { exact: true }).last().selectOption(column);
	await page.getByLabel('Operator').last().selectOption(operator);
	await page.getByLabel('Value').last().fill(value);
}

inBrowser(
	'a column is moved by dragging and the keyboard, and the order is stored for everyone',
	async () => {
		await head('CODE').dragTo(head('TITLE'));
		await becomes(heads, ['CODE', 'TITLE', 'N']);
		await head('CODE').press('Alt+ArrowRight');
		await becomes(heads, ['TITLE', 'CODE', 'N']);
		await becomes(async () => String(await focused(page)).trim(), 'CODE');
		const order = async () => object((await owner.read(grid))['properties'])['columnOrder'];
		await becomes(order, [title, code, n]);
		const reader = await things.reader();
		await open(reader, 'Things');
		await cell(reader, 'One').waitFor();
		await becomes(() => headsOf(reader), ['TITLE', 'CODE', 'N']);
		await becomes(firstColumn, ['One', 'Two', 'Three', 'Four']);
		// Readers move columns for themselves, and get no button to save a view.
		await reader.locator('.head .sort', { hasText: 'TITLE' }).press('Alt+ArrowRight');
		await becomes(() => headsOf(reader), ['CODE', 'TITLE', 'N']);
		await becomes(() => reader.locator('#message').innerText(), '');
		const buttons = () => reader.locator('#toolbar button').allTextContents();
		await becomes(buttons, ['Filter', 'Undo', 'More', 'Columns', 'Export CSV', 'Connect']);
		await becomes(order, [title, code, n]);
		await reader.close();
	},
);

inBrowser('the visible columns, rows and order are exported, and saved as a view, which opens', async () => {
	await choose(page, 'Columns');
	await dialog().getByLabel('CODE', { exact: true }).uncheck();
	await press(page, 'Move N up');
	await press(page, 'Move N up');
	await submit('Show');
	await becomes(heads, ['N', 'TITLE']);
	await press(page, 'Filter');
	await addCondition('CODE', 'is', 'x');
	await submit('Show rows');
	await head('N').click();
	await head('N').click();
	await page.locator('[aria-sort=descending]').waitFor();
	await page.getByText('of 2').waitFor();
	expect(await exported()).toBe('N,TITLE\n4,Four\n1,One\n');
	await choose(page, 'Save as view');
	await dialog().getByText('1 condition, sorted by N (descending), 2 of 3 columns').waitFor();
	await submit('Save', { Name: 'Those with x' });
	await heading('Those with x');
	await becomes(firstColumn, ['4', '1']);
	const [filter, sorting] = [{ [code]: { $eq: 'x' } }, { [n]: { $order: 'descending' } }];
	expect(await stored()).toMatchObject({ name: 'Those with x', fields: [n, title], filter, sorting });
	expect(await exported()).toBe('N,TITLE\n4,Four\n1,One\n');
});

inBrowser('the filter and the name of a view are edited', async () => {
	await choose(page, 'Edit view');
	await becomes(() => dialog().getByLabel('Operator').inputValue(), '$eq');
	await becomes(() => dialog().getByLabel('Value').inputValue(), 'x');
	await dialog().getByLabel('Rows meet').selectOption('at least one condition');
	await press(page, 'Add condition');
	await addCondition('N', 'is less than', '3');
	await submit('Save', { Name: 'Small or x' });
	await page.getByRole('button', { name: 'Small or x', exact: true }).waitFor();
	await becomes(firstColumn, ['4', '2', '1']);
	expect((await stored())['filter']).toEqual({ $or: [{ [code]: { $eq: 'x' } }, { [n]: { $lt: 3 } }] });
});

inBrowser(
	'changes of an open view are saved in it; its dialog keeps a filter that it cannot show',
	async () => {
		await head('N').click();
		await head('TITLE').click();
		await page.locator('[aria-sort=ascending]', { hasText: 'TITLE' }).waitFor();
		await choose(page, 'Columns');
		await dialog().getByLabel('CODE', { exact: true }).check();
		await submit('Show');
		await cell(page, 'x').first().waitFor();
		await press(page, 'Filter');
		await addCondition('N', 'is more than', '1');
		await submit('Show rows');
		await page.getByText('of 2').waitFor();
		await choose(page, 'Save view');
		await submit('Save');
		await press(page, 'Filter');
		await becomes(() => dialog().getByLabel('Value').inputValue(), '');
		await submit('Cancel');
		await becomes(firstColumn, ['4', '2']);
		const before = await stored();
		expect(object(before['filter'])['$and']).toHaveLength(2);
		const expected = { fields: [n, title, code], sorting: { [title]: { $order: 'ascending' } } };
		expect(before).toEqual(expect.objectContaining(expected));
		await choose(page, 'Edit view');
		await dialog().getByText('The filter of this view cannot be shown here').waitFor();
		await submit('Save', { Name: 'Kept' });
		await heading('Kept');
		expect(await stored()).toMatchObject({ ...expected, name: 'Kept', filter: before['filter'] });
	},
);

inBrowser('views are listed below their grid; one is deleted after a confirmation', async () => {
	await owner.create(`${things.context.space}/grids`, { name: 'Another grid' });
	await owner.create(`${grid}/virtualgrids`, { name: 'Late view', fields: [title], filter: {} });
	const listed = () => page.locator('#spaces li').allInnerTexts();
	await becomes(listed, ['Things', 'Kept', 'Late view', 'Another grid']);
	await choose(page, 'Edit view');
	await press(page, 'Delete “Kept”');
	await dialog().getByText('The rows remain in their grid.').waitFor();
	await submit('Delete “Kept”');
	await heading('Choose a grid');
	expect((await owner.items(`${grid}/virtualgrids`)).map(({ name }) => name)).toEqual(['Late view']);
	expect((await owner.read(`${grid}/entities`))['numberOfItems']).toBe(4);
	await open(page, 'Late view');
	await page.getByText('of 4').waitFor();
	await becomes(heads, ['TITLE']);
});

inBrowser('rows are sorted by several columns, filtered by several conditions and searched', async () => {
	await open(page, 'Things');
	await cell(page, 'y').waitFor();
	await head('CODE').click();
	await head('N').click({ modifiers: ['Shift'] });
	await head('N').click({ modifiers: ['Shift'] });
	await page.locator('[aria-sort=descending]', { hasText: 'N ▼2' }).waitFor();
	await becomes(firstColumn, ['4', '1', '2', '3']);
	await press(page, 'Filter');
	await addCondition('N', 'is at least', '2');
	await press(page, 'Add condition');
	await addCondition('TITLE', 'does not contain', 'Two');
	await submit('Show rows');
	await becomes(firstColumn, ['4', '3']);
	await page.getByLabel('Search rows').fill('THR');
	await becomes(firstColumn, ['3']);
	await page.getByLabel('Search rows').fill('');
	await press(page, 'Filter (2)');
	await press(page, 'Remove all');
	await submit('Show rows');
	await becomes(firstColumn, ['4', '1', '2', '3']);
});
