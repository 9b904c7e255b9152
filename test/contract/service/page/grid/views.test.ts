import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import type { Caller } from '../../http';
import { href, id, object, objects, version2 } from '../../http';
import { becomes, cell, choose, inBrowser, open, press } from '../browser';
import { startGridPage, type GridPage } from '../gridPage';

let fixture: GridPage;
let owner: Caller;
let page: Page;
let space: string;
let grid: string;
let ids: Record<string, string>;

beforeAll(async () => {
	fixture = await startGridPage({
		columns: { title: { name: 'string' }, n: { name: 'integer' }, code: { name: 'string' } },
		rows: [
			{ title: 'One', n: 1, code: 'x' },
			{ title: 'Two', n: 2, code: 'y' },
			{ title: 'Three', n: 3, code: 'z' },
			{ title: 'Four', n: 4, code: 'x' },
		],
	});
	({ owner, page, space, grid, ids } = fixture);
});
afterAll(() => fixture.stop());

const dialog = () => page.getByRole('dialog');
const closed = () => dialog().waitFor({ state: 'detached' });
const heads = () => page.locator('.head .sort').allInnerTexts();
const firstColumn = () => page.locator('.body [data-column="0"]').allInnerTexts();
const head = (name: string) => page.locator('.head .sort', { hasText: name });

/** The views of the grid as the service stores them. */
async function views() {
	const listed = await owner.items(`${grid}/virtualgrids`);
	return Promise.all(listed.map((one) => owner.read(href(one, 'self'), undefined, version2)));
}
const fieldIds = (view: Record<string, unknown>) => objects(view['fields']).map((field) => field['id']);

async function exported() {
	const download = page.waitForEvent('download');
	await choose(page, 'Export CSV');
	return text(await (await download).createReadStream());
}

async function addCondition(column: string, operator: string, value: string) {
	await page.getByLabel('Column', { exact: true }).last().selectOption(column);
	await page.getByLabel('Operator').last().selectOption(operator);
	await page.getByLabel('Value').last().fill(value);
}

inBrowser(
	'a column is moved by dragging and by the keyboard, and the order is stored for everyone',
	async () => {
		await head('CODE').dragTo(head('TITLE'));
		await page.locator('.head .cell:nth-child(2)', { hasText: 'CODE' }).waitFor();
		await becomes(heads, ['CODE', 'TITLE', 'N']);
		await head('CODE').press('Alt+ArrowRight');
		await page.locator('.head .cell:nth-child(3)', { hasText: 'CODE' }).waitFor();
		await becomes(() => page.evaluate('document.activeElement.textContent.trim()'), 'CODE');
		const order = ['title', 'code', 'n'].map((key) => id(ids, key));
		await becomes(async () => object((await owner.read(grid))['properties'])['columnOrder'], order);
		const other = await fixture.loggedIn();
		await open(other, 'Things');
		await cell(other, 'One').waitFor();
		await becomes(() => other.locator('.head .sort').allInnerTexts(), ['TITLE', 'CODE', 'N']);
		await becomes(firstColumn, ['One', 'Two', 'Three', 'Four']);
	},
);

inBrowser(
	'columns are hidden and moved in a dialog, and the export has the visible columns and rows',
	async () => {
		await choose(page, 'Columns');
		await dialog().getByLabel('CODE', { exact: true }).uncheck();
		await press(page, 'Move N up');
		await press(page, 'Move N up');
		await press(page, 'Show');
		await closed();
		await becomes(heads, ['N', 'TITLE']);
		await press(page, 'Filter');
		await addCondition('CODE', 'is', 'x');
		await press(page, 'Show rows');
		await closed();
		await head('N').click();
		await head('N').click();
		await page.locator('[aria-sort=descending]').waitFor();
		await page.getByText('of 2').waitFor();
		expect(await exported()).toBe('N,TITLE\n4,Four\n1,One\n');
	},
);

inBrowser('the visible columns, the filter and the sorting are saved as a view, which opens', async () => {
	await choose(page, 'Save as view');
	await dialog().getByText('1 condition, sorted by N (descending), 2 of 3 columns').waitFor();
	await dialog().getByLabel('Name').fill('Those with x');
	await press(page, 'Save');
	await closed();
	await page.getByRole('heading', { name: 'Those with x' }).waitFor();
	await becomes(firstColumn, ['4', '1']);
	const [view = {}] = await views();
	expect(view).toMatchObject({
		name: 'Those with x',
		filter: { [id(ids, 'code')]: { $eq: 'x' } },
		sorting: { [id(ids, 'n')]: { $order: 'descending' } },
	});
	expect(fieldIds(view)).toEqual([id(ids, 'n'), id(ids, 'title')]);
	expect(await exported()).toBe('N,TITLE\n4,Four\n1,One\n');
});

inBrowser('the filter and the name of a view are edited', async () => {
	await choose(page, 'Edit view');
	await becomes(() => dialog().getByLabel('Operator').inputValue(), '$eq');
	await becomes(() => dialog().getByLabel('Value').inputValue(), 'x');
	await dialog().getByLabel('Name').fill('Small or x');
	await dialog().getByLabel('Rows meet').selectOption('at least one condition');
	await press(page, 'Add condition');
	await addCondition('N', 'is less than', '3');
	await press(page, 'Save');
	await closed();
	await page.getByRole('button', { name: 'Small or x', exact: true }).waitFor();
	await becomes(firstColumn, ['4', '2', '1']);
	const [view = {}] = await views();
	expect(view['filter']).toEqual({ $or: [{ [id(ids, 'code')]: { $eq: 'x' } }, { [id(ids, 'n')]: { $lt: 3 } }] }); // prettier-ignore
});

inBrowser('changes to the filter, sorting and columns of an open view are saved in it', async () => {
	await head('N').click();
	await head('TITLE').click();
	await page.locator('[aria-sort=ascending]', { hasText: 'TITLE' }).waitFor();
	await choose(page, 'Columns');
	await dialog().getByLabel('CODE', { exact: true }).check();
	await press(page, 'Show');
	await closed();
	await cell(page, 'x').first().waitFor();
	await press(page, 'Filter');
	await addCondition('N', 'is more than', '1');
	await press(page, 'Show rows');
	await closed();
	await page.getByText('of 2').waitFor();
	await choose(page, 'Save view');
	await press(dialog().page(), 'Save');
	await closed();
	await press(page, 'Filter');
	await becomes(() => dialog().getByLabel('Value').inputValue(), '');
	await press(page, 'Cancel');
	await becomes(firstColumn, ['4', '2']);
	const [view = {}] = await views();
	expect(object(view['filter'])['$and']).toHaveLength(2);
	expect(view['sorting']).toEqual({ [id(ids, 'title')]: { $order: 'ascending' } });
	expect(fieldIds(view)).toEqual([id(ids, 'n'), id(ids, 'title'), id(ids, 'code')]);
});

inBrowser('an edited view keeps a filter that the dialog cannot show', async () => {
	const [before = {}] = await views();
	await choose(page, 'Edit view');
	await dialog().getByText('The filter of this view cannot be shown here').waitFor();
	await dialog().getByLabel('Name').fill('Kept');
	await press(page, 'Save');
	await closed();
	await page.getByRole('heading', { name: 'Kept' }).waitFor();
	const [after = {}] = await views();
	expect(after).toMatchObject({ name: 'Kept', filter: before['filter'], sorting: before['sorting'] });
});

inBrowser('views are listed below their grid and open from there', async () => {
	await owner.create(`${space}/grids`, { name: 'Another grid' });
	await owner.create(`${grid}/virtualgrids`, { name: 'Late view', fields: [id(ids, 'title')], filter: {} });
	const other = await fixture.loggedIn();
	const listed = () => other.locator('#spaces li').allInnerTexts();
	await becomes(listed, ['Things', 'Kept', 'Late view', 'Another grid']);
	await open(other, 'Late view');
	await other.getByText('of 4').waitFor();
	await becomes(() => other.locator('.head .sort').allInnerTexts(), ['TITLE']);
});

inBrowser('a view is deleted after a confirmation; its rows remain', async () => {
	await choose(page, 'Edit view');
	await press(page, 'Delete “Kept”');
	await dialog().getByText('The rows remain in their grid.').waitFor();
	await press(page, 'Delete “Kept”');
	await closed();
	await page.getByRole('heading', { name: 'Choose a grid' }).waitFor();
	expect((await views()).map(({ name }) => name)).toEqual(['Late view']);
	expect((await owner.read(`${grid}/entities`))['numberOfItems']).toBe(4);
});

inBrowser('a reader moves columns without storing the order, and gets no button to save a view', async () => {
	const reader = await fixture.reader();
	await open(reader, 'Things');
	await cell(reader, 'One').waitFor();
	await reader.locator('.head .sort', { hasText: 'TITLE' }).press('Alt+ArrowRight');
	await reader.locator('.head .cell:nth-child(4)', { hasText: 'TITLE' }).waitFor();
	await becomes(() => reader.locator('#message').innerText(), '');
	const buttons = () => reader.locator('#toolbar button').allTextContents();
	await becomes(buttons, ['Filter', 'Undo', 'More', 'Columns', 'Export CSV']);
	const { properties } = await owner.read(grid);
	expect(object(properties)['columnOrder']).toHaveLength(3);
});
