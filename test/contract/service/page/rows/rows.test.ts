import type { Page } from 'playwright-core';
import type { Caller } from '../../http';
import { href, makeGrid, objects, startWithOwner, byKey } from '../../http';
import { becomes, cell, inBrowser, open, Pages, press, row } from '../browser';

let context: Awaited<ReturnType<typeof startWithOwner>>;
let owner: Caller;
let page: Page;
const pages = new Pages(() => context.service);

beforeAll(async () => {
	context = await startWithOwner({ seed: 'demo' });
	owner = context.owner;
});
afterAll(() => pages.close(context.service));

/** The grid Orders of the demo data, over the API. */
async function orders() {
	const [space] = await owner.items(`${context.home}/spaces`);
	const grids = await owner.items(href(space ?? {}, 'grids'));
	const grid = grids.find((one) => one['key'] === 'orders') ?? {};
	const [first] = await owner.items(href(grid, 'entities'), byKey);
	return { grid, first: first ?? {} };
}

inBrowser('a person logs in, edits a cell, and the service has the new value', async () => {
	page = await pages.page();
	await page.goto(context.service.url);
	await page.getByLabel('Key').fill(context.service.key);
	await page.getByLabel('Secret').fill('wrong');
	await press(page, 'Log in');
	await page.getByText('Unknown key, or wrong secret').waitFor();
	await page.getByLabel('Secret').fill(context.service.secret);
	await press(page, 'Log in');
	await open(page, 'Orders');
	await becomes(() => page.getByRole('button', { name: 'Log in again' }).count(), 0);
	await row(page, 'A-1001').locator('[role=gridcell]').nth(1).dblclick();
	const input = page.locator('.editor');
	await input.fill('A changed customer');
	await input.press('Enter');
	await page.locator('#changes li', { hasText: 'A changed customer' }).waitFor();
	expect((await orders()).first).toMatchObject({ order: 'A-1001', customer: 'A changed customer' });
});

inBrowser('changes by another user appear in the table and in the list of changes', async () => {
	const { first } = await orders();
	await owner.put(href(first, 'update'), { customer: 'Changed elsewhere' }, byKey);
	await row(page, 'A-1001').locator('[role=gridcell]', { hasText: 'Changed elsewhere' }).waitFor();
	await page.locator('#changes li', { hasText: 'A changed customer → Changed elsewhere' }).waitFor();
	await owner.delete(href(first, 'self'));
	await page.locator('#changes li', { hasText: 'deleted' }).waitFor();
	await row(page, 'A-1001').waitFor({ state: 'detached' });
});

inBrowser('a row is added with all its values', async () => {
	await press(page, 'Add row');
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Order').fill('Z-1');
	await dialog.getByLabel('Amount').fill('12.5');
	await dialog.getByLabel('Paid').selectOption('yes');
	await press(page, 'Add');
	await dialog.waitFor({ state: 'detached' });
	await row(page, 'Z-1').waitFor();
	const { grid } = await orders();
	const list = await owner.get(href(grid, 'entities'), byKey);
	expect(objects(list.json()['items']).at(-1)).toMatchObject({
		order: 'Z-1',
		amount: 12.5,
		paid: true,
		due: null,
	});
});

inBrowser(
	'a row shows its history with both values and the user; it is deleted after a confirmation',
	async () => {
		await page.getByRole('grid').press('Control+Home');
		await press(page, 'Open row 1');
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Customer').fill('Other Bikes');
		await press(page, 'Save');
		await dialog.waitFor({ state: 'detached' });
		await press(page, 'Open row 1');
		await dialog.getByText('History', { exact: true }).click();
		await dialog.locator('li', { hasText: 'Customer: Birchwood Bikes → Other Bikes' }).waitFor();
		expect(await dialog.locator('li').first().innerText()).toContain('you, ');
		await press(page, 'Delete this row');
		await page.getByText('Delete “A-1002”?').waitFor();
		await press(page, 'Delete the row');
		await row(page, 'A-1002').waitFor({ state: 'detached' });
	},
);

inBrowser('rows are sorted by several columns, filtered by conditions and searched', async () => {
	const head = (name: string) => page.locator('.head .sort', { hasText: name });
	await head('Status').click();
	await head('Amount').click({ modifiers: ['Shift'] });
	await head('Amount').click({ modifiers: ['Shift'] });
	await page.locator('[aria-sort=descending]', { hasText: 'Amount ▼2' }).waitFor();
	const { grid } = await orders();
	const fields = await owner.fields(href(grid, 'self'));
	const fieldOf = (key: string) => String(fields.find((one) => one['key'] === key)?.['id']);
	const sorting = JSON.stringify({
		[fieldOf('status')]: { $order: 'ascending' },
		[fieldOf('amount')]: { $order: 'descending' },
	});
	const sorted = await owner.items(href(grid, 'entities'), { sorting, layout: 'key' });
	await page.locator('.body [data-row="0"]', { hasText: String(sorted[0]?.['order']) }).waitFor();

	await press(page, 'Filter');
	await page.getByLabel('Column', { exact: true }).selectOption('Amount');
	await page.getByLabel('Operator').selectOption('is at least');
	await page.getByLabel('Value').fill('800');
	await press(page, 'Add condition');
	await page.getByLabel('Operator').nth(1).selectOption('does not contain');
	await page.getByLabel('Value').nth(1).fill('A-1025');
	await press(page, 'Show rows');
	const large = sorted.filter((one) => Number(one['amount']) >= 800 && one['order'] !== 'A-1025');
	await page.getByText(`of ${large.length}`).waitFor();
	await page.getByLabel('Search rows').fill('COPPER');
	const found = large.filter((one) => String(one['customer']).includes('Copper'));
	expect(found.length).toBeGreaterThan(0);
	await page.getByText(new RegExp(`of ${found.length}$`)).waitFor();
	await page.getByLabel('Search rows').fill('');
	await press(page, 'Filter (2)');
	await press(page, 'Remove all');
	await press(page, 'Show rows');
	await page.getByText(`of ${sorted.length}`).waitFor();
});

inBrowser('a reader gets no editor and no buttons to add or change rows', async () => {
	const made = (await owner.post(`${context.home}/accessKeys`, { name: 'r', role: 'reader' })).json();
	const reader = await pages.loggedIn({}, { key: String(made['key']), secret: String(made['secret']) });
	await open(reader, 'Orders');
	await cell(reader, 'A-1003').dblclick();
	await reader.getByRole('dialog').waitFor();
	await becomes(() => reader.locator('dialog input, dialog select, .editor').count(), 0);
	await press(reader, 'Close');
	const names = await reader.getByRole('button').allInnerTexts();
	expect(names.filter((name) => /add|delete|edit|import|\+|people|links|⋮/i.test(name))).toEqual([]);
});

inBrowser('every row of a large grid is reachable, and only the visible rows are drawn', async () => {
	const { space } = await makeGrid(owner, { n: { name: 'integer' } });
	const file = `N\n${Array.from({ length: 30_000 }, (_, n) => n + 1).join('\n')}\n`;
	await owner.create(`${space}/uploadCSV`, { name: 'Numbers', file });
	const large = await pages.loggedIn();
	await open(large, 'Numbers');
	await large.getByText('of 30,000').waitFor();
	await cell(large, '1').first().click();
	await large.keyboard.press('Control+End');
	await large.locator('.body [data-row="29999"]', { hasText: '30000' }).waitFor();
	expect(await large.locator('.body [role=row]').count()).toBeLessThan(60);
	await large.keyboard.press('Control+Home');
	await large.keyboard.press('ArrowDown');
	await becomes(() => large.evaluate('document.activeElement.textContent'), '2');
	await large.keyboard.press('Enter');
	await large.keyboard.type('7');
	await large.keyboard.press('Tab');
	await large.locator('.body [data-row="1"]', { hasText: '7' }).waitFor();
});
