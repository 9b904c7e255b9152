import type { Page } from 'playwright-core';
import { fieldIds, href, id } from '../http';
import { becomes, cell, choose, edit, inBrowser, open, press, row } from './browser';
import { testGridPage } from './gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' }, n: { name: 'integer' } },
	rows: [{ title: 'One', n: 1 }, { title: 'Two' }],
});
const { owner, dialog, closed, focused, isTitled, rowOf } = things;
let page: Page;
let grid: string;
beforeAll(async () => {
	({ page, grid } = things);
	const view = { name: 'Numbered', fields: [id(things.context.ids, 'n')], filter: {} };
	await owner.create(`${grid}/virtualgrids`, view);
});

/** The address of the page, without that of the service. */
const address = () => Promise.resolve(page.url().slice(things.service.url.length));

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
	const colleague = await things.reader(`/open${self}`);
	await colleague.getByRole('dialog').getByText('One').first().waitFor();
	await becomes(() => colleague.locator('#title').innerText(), 'Things');
	await colleague.close();
	await page.goto(`${things.service.url}/open${grid}x`);
	await page.locator('#message', { hasText: /not found|no role/ }).waitFor();
});

inBrowser('Back returns from a view to its grid, and Forward to the view', async () => {
	await page.goto(things.service.url);
	await open(page, 'Things');
	await isTitled('Things');
	await open(page, 'Numbered');
	await isTitled('Numbered');
	await page.goBack();
	await isTitled('Things');
	await row(page, 'One').waitFor();
	await page.goForward();
	await isTitled('Numbered');
	await open(page, 'Things');
	await isTitled('Things');
	await press(page, 'Open row 2');
	await dialog().waitFor();
	await page.goBack();
	await closed();
	await isTitled('Things');
});

inBrowser('what others add, rename and delete is shown without a reload, and changes name it', async () => {
	const path = await owner.create(`${things.context.space}/grids`, { name: 'Doomed' });
	await owner.create(`${grid}/ColumnAdd`, { name: 'Color', key: 'color', type: { name: 'string' } });
	await things.change('Two', { color: 'red' });
	await page.locator('#changes li', { hasText: 'Color: empty → red' }).getByText('Two').waitFor();
	await page.getByRole('columnheader', { name: 'Color' }).waitFor();
	await cell(page, 'red').waitFor();
	await owner.post(`${grid}/ColumnRename`, { oldName: 'Color', newName: 'Colour' });
	await page.getByRole('columnheader', { name: 'Colour' }).waitFor();
	await open(page, 'Doomed');
	await isTitled('Doomed');
	await owner.delete(path);
	await page.getByText('“Doomed” was deleted, or is no longer shared with you.').waitFor();
	await isTitled('Choose a grid');
	await open(page, 'Things');
});

inBrowser('the search works in a grid with 1,000 columns, in its views and on its boards', async () => {
	const header = Array.from({ length: 999 }, (_, n) => `C${n}`);
	const line = (texts: readonly string[]) => `${texts.join(',')}\n`;
	const file =
		line(['State', ...header]) +
		line(['a', ...header.map((_, n) => (n === 998 ? 'Needle' : 'hay'))]) +
		line(['b', ...header.map(() => 'hay')]);
	const wide = await owner.create(`${things.context.space}/uploadCSV`, { name: 'Wide', file });
	const fieldId = id(await fieldIds(owner, wide, 'name'), 'State');
	await owner.post(`${wide}/ColumnTypeChange`, { fieldId, type: { name: 'enum', options: ['a', 'b'] } });
	await owner.create(`${wide}/sviews`, { type: 'kanban', properties: { name: 'Lanes', fieldId } });
	await open(page, 'Wide');
	await page.getByText('Rows 1–2 of 2').waitFor();
	await page.getByLabel('Search rows').fill('needle');
	await page.getByText('Rows 1–1 of 1').waitFor();
	await choose(page, 'Save as view');
	await things.submit('Save', { Name: 'Needles' });
	await isTitled('Needles');
	await page.getByText('Rows 1–1 of 1').waitFor();
	await page.getByLabel('Search rows').fill('nothing');
	await page.getByText('No rows').waitFor();
	// What a view searches for is shown and can be changed.
	await choose(page, 'Edit view');
	await things.submit('Save', { 'and contain in some column': 'HAY' });
	await page.getByText('Rows 1–2 of 2').waitFor();
	await open(page, 'Wide');
	await isTitled('Wide');
	await page.getByLabel('Show rows as').selectOption('Lanes');
	await page.getByText('2 rows in 2 lanes').waitFor();
	await page.getByLabel('Search rows').fill('needle');
	await page.getByText('1 row in 2 lanes').waitFor();
	await becomes(() => page.locator('#message').textContent(), '');
	await open(page, 'Things');
	await isTitled('Things');
});

inBrowser('three buttons and a menu, which works with the keyboard; the list of changes closes', async () => {
	const shown = page.locator('#toolbar > button:visible');
	await becomes(() => shown.allInnerTexts(), ['Add row', 'Filter', 'Undo', 'More']);
	const more = page.getByRole('button', { name: 'More', exact: true });
	await more.press('Enter');
	await becomes(() => more.getAttribute('aria-expanded'), 'true');
	await page.keyboard.press('ArrowDown');
	await becomes(focused, 'Add column');
	await page.keyboard.press('Escape');
	await becomes(focused, 'More');
	await becomes(() => more.getAttribute('aria-expanded'), 'false');
	await choose(page, 'Add column');
	const options = dialog().getByLabel('Type').locator('option');
	await options.first().waitFor({ state: 'attached' });
	const names = await options.allInnerTexts();
	expect(names.slice(0, 3)).toEqual(['Text', 'Rich Text', 'Whole Number']);
	expect(names).toEqual(expect.arrayContaining(['Choice', 'Several Choices', 'Linked Row', 'Date and Time']));
	await page.keyboard.press('Escape');
	await closed();
	await becomes(focused, 'More');
	await press(page, 'Close changes');
	await page.locator('#changes').waitFor({ state: 'hidden' });
	await press(page, 'Changes');
	await page.locator('#changes').waitFor();
});

inBrowser(
	'a user whose key was deleted logs in again and stays in the grid; the own key is deleted by a question',
	async () => {
		const mine = await things.loggedIn(await things.newLogin('Mine', 'admin'));
		await open(mine, 'Things');
		await cell(mine, 'One').waitFor();
		await becomes(() => mine.getByRole('button', { name: 'Log in again' }).count(), 0);
		const { key, secret } = await things.newLogin('Next', 'admin');
		const keys = `${things.home}/accessKeys`;
		const stale = (await owner.items(keys)).find(({ name }) => name === 'Mine') ?? {};
		await owner.delete(href(stale, 'remove'));
		await press(mine, 'Log in again');
		await mine.getByRole('dialog').getByLabel('Key').fill(key);
		await mine.getByRole('dialog').getByLabel('Secret').fill(secret);
		await press(mine, 'Log in');
		await mine.getByRole('dialog').waitFor({ state: 'detached' });
		await becomes(() => mine.locator('#title').innerText(), 'Things');
		await mine.locator('#live', { hasText: 'live' }).waitFor();
		await edit(cell(mine, 'One'), 'Written after');
		await cell(mine, 'Written after').waitFor();
		await becomes(() => mine.getByRole('button', { name: 'Log in again' }).count(), 0);
		await press(mine, 'Access keys');
		const line = mine.locator('.records li', { hasText: 'Next: admin' });
		await line.getByText('This page is logged in with it.').waitFor();
		await line.getByRole('button', { name: 'Delete' }).click();
		await mine.getByRole('heading', { name: 'Delete your own key “Next” and log out?' }).waitFor();
		await press(mine, 'Delete and log out');
		await mine.getByLabel('Secret').waitFor();
		expect((await owner.get(keys)).text).not.toContain('"Next"');
		await mine.close();
	},
);
