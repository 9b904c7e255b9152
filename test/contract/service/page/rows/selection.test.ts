import type { Page } from 'playwright-core';
import type { Caller } from '../../http';
import { href, id, type Json, byKey } from '../../http';
import { becomes, cell, choose, inBrowser, open, press } from '../browser';
import { startGridPage, type GridPage } from '../gridPage';

let fixture: GridPage;
let owner: Caller;
let page: Page;
let grid: string;

const TITLES = ['B', 'C', 'D', 'E', 'F'] as const;

beforeAll(async () => {
	fixture = await startGridPage({
		columns: { title: { name: 'string' }, n: { name: 'integer' }, by: { name: 'createdby' } },
		rows: [{ title: 'B', n: 1 }, ...TITLES.slice(1).map((title, place) => ({ title, n: place + 2 }))],
		browser: { permissions: ['clipboard-read', 'clipboard-write'] },
	});
	({ owner, page, grid } = fixture);
});
afterAll(() => fixture.stop());

const notice = (text: string) => page.locator('#notice', { hasText: text }).waitFor();
const at = (row: number, column: number) => page.locator(`[data-row="${row}"] [data-column="${column}"]`);
const rows = () => owner.items(`${grid}/entities`, byKey);
const values = async () => (await rows()).map(({ title, n }) => [title, n]);
const selected = () => page.locator('.body [aria-selected=true]').allInnerTexts();
const copied = async () => {
	await page.keyboard.press('Control+C');
	return page.evaluate('navigator.clipboard.readText()');
};
const rowOf = async (title: string): Promise<Json> => (await rows()).find((one) => one['title'] === title) ?? {}; // prettier-ignore

inBrowser('a drag of the mouse selects cells, which are copied as tab-separated text', async () => {
	await at(1, 0).hover();
	await page.mouse.down();
	await at(2, 1).hover();
	await page.mouse.up();
	await becomes(selected, ['C', '2', 'D', '3']);
	await page.locator('#position', { hasText: 'selected: 2 rows, 2 columns' }).waitFor();
	await becomes(copied, 'C\t2\nD\t3');
});

inBrowser('Shift extends the selection by clicks and arrow keys', async () => {
	await at(0, 0).click();
	await becomes(selected, ['B']);
	await at(1, 1).click({ modifiers: ['Shift'] });
	await becomes(selected, ['B', '1', 'C', '2']);
	await page.keyboard.press('Shift+ArrowDown');
	await becomes(selected, ['B', '1', 'C', '2', 'D', '3']);
	await page.keyboard.press('Shift+ArrowLeft');
	await becomes(selected, ['B', 'C', 'D']);
	await becomes(() => page.evaluate('document.activeElement.textContent'), 'D');
	await page.keyboard.press('ArrowDown');
	await becomes(selected, ['E']);
	await page.keyboard.press('Shift+Space');
	await becomes(async () => (await selected()).slice(0, 2), ['E', '4']);
	await page.keyboard.press('Escape');
	await becomes(async () => (await selected()).length, 1);
});

inBrowser('Delete empties the selected cells, and Undo restores them', async () => {
	await at(0, 0).click();
	await at(1, 2).click({ modifiers: ['Shift'] });
	await page.keyboard.press('Delete');
	await notice('Cleared: 4 cells.');
	await becomes(values, [[null, null], [null, null], ['D', 3], ['E', 4], ['F', 5]]); // prettier-ignore
	await page.keyboard.press('Control+z');
	await notice('Undone: 4 cells restored.');
	await becomes(values, [['B', 1], ['C', 2], ['D', 3], ['E', 4], ['F', 5]]); // prettier-ignore
});

inBrowser('a typed key edits the cell with the text that is typed', async () => {
	await at(2, 1).click();
	await page.keyboard.type('33');
	await becomes(() => page.locator('.editor').inputValue(), '33');
	await page.keyboard.press('Enter');
	await at(2, 1).getByText('33', { exact: true }).waitFor();
	await becomes(async () => (await rowOf('D'))['n'], 33);
});

inBrowser('selection and editor stay with their rows when another user adds rows above', async () => {
	const sorting = { [id(fixture.ids, 'title')]: { $order: 'ascending' } };
	const fields = [id(fixture.ids, 'title'), id(fixture.ids, 'n')];
	await owner.create(`${grid}/virtualgrids`, { name: 'Sorted', fields, filter: {}, sorting });
	await open(page, 'Sorted');
	await page.locator('#title', { hasText: 'Sorted' }).waitFor();
	await at(1, 0).getByText('C', { exact: true }).click();
	await at(2, 0).click({ modifiers: ['Shift'] });
	await becomes(selected, ['C', 'D']);
	await owner.create(`${grid}/entities`, { title: 'A', n: 0 }, byKey);
	await at(0, 0).getByText('A', { exact: true }).waitFor();
	await becomes(selected, ['C', 'D']);
	await becomes(() => page.evaluate('document.activeElement.textContent'), 'D');
	await cell(page, '33').dblclick();
	await page.locator('.editor').fill('34');
	await owner.create(`${grid}/entities`, { title: 'AA', n: 0 }, byKey);
	await at(1, 0).getByText('AA', { exact: true }).waitFor();
	await page.locator('[data-row="4"] .editor').press('Enter');
	await at(4, 1).getByText('34', { exact: true }).waitFor();
	await becomes(async () => (await rowOf('D'))['n'], 34);
	await becomes(async () => (await selected()).join(), '34');
});

inBrowser('selected rows are deleted after a question that counts them, and restored by Undo', async () => {
	await at(2, 0).click();
	await at(4, 0).click({ modifiers: ['Shift'] });
	await becomes(selected, ['B', 'C', 'D']);
	await choose(page, 'Delete selected rows');
	await page.getByRole('heading', { name: 'Delete 3 rows?' }).waitFor();
	await owner.put(href(await rowOf('C'), 'update'), { n: 22 }, byKey);
	await press(page, 'Delete 3 rows');
	await page.getByText('Row 4: The row was changed in the meantime: N').waitFor();
	await press(page, 'Close');
	await notice('Deleted: 2 rows.');
	await becomes(async () => (await rows()).map(({ title }) => title), ['C', 'E', 'F', 'A', 'AA']);
	await press(page, 'Undo');
	await notice('2 deleted rows added again as 2 new rows');
	await becomes(async () => (await rows()).map(({ title }) => title), ['C', 'E', 'F', 'A', 'AA', 'B', 'D']);
});
