import type { Page } from 'playwright-core';
import type { Caller } from '../http';
import { href, type Json, byKey } from '../http';
import { becomes, cell, choose, inBrowser, open, press, row } from './browser';
import { startGridPage, type GridPage } from './gridPage';

let fixture: GridPage;
let owner: Caller;
let page: Page;
let grid: string;

beforeAll(async () => {
	fixture = await startGridPage({
		columns: { title: { name: 'string' }, n: { name: 'integer' } },
		rows: [{ title: 'One', n: 1 }, { title: 'Two' }],
	});
	({ owner, page, grid } = fixture);
	await owner.create(`${grid}/virtualgrids`, { name: 'Numbered', fields: [String(fixture.ids['n'])], filter: {} }); // prettier-ignore
});
afterAll(() => fixture.stop());

const dialog = () => page.getByRole('dialog');
const closed = () => dialog().waitFor({ state: 'detached' });
const title = (text: string) => page.locator('#title').getByText(text, { exact: true }).waitFor();
const rows = () => owner.items(`${grid}/entities`, byKey);
const rowOf = async (name: string): Promise<Json> => (await rows()).find((one) => one['title'] === name) ?? {}; // prettier-ignore
/** The address of the page, without that of the service. */
const address = () => Promise.resolve(page.url().slice(fixture.url.length));

inBrowser('a grid and a row have addresses that survive a reload and open for a colleague', async () => {
	await becomes(address, `/open${grid}`);
	await page.reload();
	await row(page, 'One').waitFor();
	await press(page, 'Open row 1');
	await dialog().getByLabel('TITLE').waitFor();
	const self = href(await rowOf('One'), 'self');
	await becomes(address, `/open${self}`);
	await page.reload();
	await becomes(() => dialog().getByLabel('TITLE').inputValue(), 'One');
	await press(page, 'Cancel');
	await closed();
	await becomes(address, `/open${grid}`);
	const colleague = await fixture.reader(`/open${self}`);
	await colleague.getByRole('dialog').getByText('One').first().waitFor();
	await becomes(() => colleague.locator('#title').innerText(), 'Things');
	await colleague.close();
});

inBrowser('Back returns from a view to its grid, and Forward to the view', async () => {
	await open(page, 'Numbered');
	await title('Numbered');
	await page.goBack();
	await title('Things');
	await row(page, 'One').waitFor();
	await page.goForward();
	await title('Numbered');
	await open(page, 'Things');
	await title('Things');
	await press(page, 'Open row 2');
	await dialog().waitFor();
	await page.goBack();
	await closed();
	await title('Things');
});

inBrowser('an address that leads nowhere says so', async () => {
	await page.goto(`${fixture.url}/open${grid}x`);
	await page.locator('#message', { hasText: /not found|no role/ }).waitFor();
	await page.goto(fixture.url);
	await open(page, 'Things');
	await title('Things');
});

inBrowser('grids and columns that others add appear, and changes name them', async () => {
	await owner.create(`${fixture.space}/grids`, { name: 'Of a colleague' });
	await page.getByRole('button', { name: 'Of a colleague', exact: true }).waitFor();
	await owner.create(`${grid}/ColumnAdd`, { name: 'Color', key: 'color', type: { name: 'string' } });
	await owner.put(href(await rowOf('Two'), 'update'), { color: 'red' }, byKey);
	await page.locator('#changes li', { hasText: 'Color: empty → red' }).getByText('Two').waitFor();
	await page.getByRole('columnheader', { name: 'Color' }).waitFor();
	await cell(page, 'red').waitFor();
	await owner.post(`${grid}/ColumnRename`, { oldName: 'Color', newName: 'Colour' });
	await page.getByRole('columnheader', { name: 'Colour' }).waitFor();
});

inBrowser('a grid that another user deletes is closed with a message', async () => {
	const path = await owner.create(`${fixture.space}/grids`, { name: 'Doomed' });
	await open(page, 'Doomed');
	await title('Doomed');
	await owner.delete(path);
	await page.getByText('“Doomed” was deleted, or is no longer shared with you.').waitFor();
	await title('Choose a grid');
	await open(page, 'Things');
});

inBrowser('three buttons and a menu; the menu works with the keyboard', async () => {
	const shown = page.locator('#toolbar > button:visible');
	await becomes(() => shown.allInnerTexts(), ['Add row', 'Filter', 'Undo', 'More']);
	const more = page.getByRole('button', { name: 'More', exact: true });
	await more.press('Enter');
	await becomes(() => more.getAttribute('aria-expanded'), 'true');
	await page.keyboard.press('ArrowDown');
	await becomes(() => page.evaluate('document.activeElement.textContent'), 'Add column');
	await page.keyboard.press('Escape');
	await becomes(() => page.evaluate('document.activeElement.textContent'), 'More');
	await becomes(() => more.getAttribute('aria-expanded'), 'false');
	await choose(page, 'Columns');
	await page.keyboard.press('Escape');
	await closed();
	await becomes(() => page.evaluate('document.activeElement.textContent'), 'More');
});

inBrowser('the list of changes can be closed and opened', async () => {
	await press(page, 'Close changes');
	await page.locator('#changes').waitFor({ state: 'hidden' });
	await press(page, 'Changes');
	await page.locator('#changes').waitFor();
});

inBrowser('types have the names of the nodes', async () => {
	await choose(page, 'Add column');
	const options = dialog().getByLabel('Type').locator('option');
	await options.first().waitFor({ state: 'attached' });
	const names = await options.allInnerTexts();
	expect(names.slice(0, 3)).toEqual(['Text', 'Rich Text', 'Whole Number']);
	expect(names).toEqual(expect.arrayContaining(['Choice', 'Several Choices', 'Linked Row', 'Date and Time']));
	await page.keyboard.press('Escape');
	await closed();
});

inBrowser("one's own key is deleted by a question of its own", async () => {
	const made = (await owner.post(`${fixture.home}/accessKeys`, { name: 'Mine', role: 'admin' })).json();
	const login = { key: String(made['key']), secret: String(made['secret']) };
	const mine = await fixture.loggedIn(login);
	await press(mine, 'Access keys');
	const line = mine.locator('.records li', { hasText: 'Mine: admin' });
	await line.getByText('This page is logged in with it.').waitFor();
	await line.getByRole('button', { name: 'Delete' }).click();
	await mine.getByRole('heading', { name: 'Delete your own key “Mine” and log out?' }).waitFor();
	await press(mine, 'Delete and log out');
	await mine.getByLabel('Secret').waitFor();
	expect((await owner.get(`${fixture.home}/accessKeys`)).text).not.toContain('"Mine"');
	await mine.close();
});
