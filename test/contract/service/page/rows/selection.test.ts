import type { Page } from 'playwright-core';
import { id } from '../../http';
import { becomes, cell, choose, inBrowser, open, press } from '../browser';
import { testGridPage } from '../gridPage';

const TITLES = ['B', 'C', 'D', 'E', 'F'] as const;
const things = testGridPage({
	columns: { title: { name: 'string' }, n: { name: 'integer' }, by: { name: 'createdby' } },
	rows: [{ title: 'B', n: 1 }, ...TITLES.slice(1).map((title, place) => ({ title, n: place + 2 }))],
	browser: { permissions: ['clipboard-read', 'clipboard-write'] },
});
const { owner, notice, focused, rows, rowOf } = things;
let page: Page;
let grid: string;
beforeAll(() => {
	({ page, grid } = things);
});

const at = (row: number, column: number) => page.locator(`[data-row="${row}"] [data-column="${column}"]`);
const values = async () => (await rows()).map(({ title, n }) => [title, n]);
const selected = () => page.locator('.body [aria-selected=true]').allInnerTexts();
const copied = async () => {
	await page.keyboard.press('Control+C');
	return page.evaluate('navigator.clipboard.readText()');
};

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
	await becomes(focused, 'D');
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
	const sorting = { [id(things.context.ids, 'title')]: { $order: 'ascending' } };
	const fields = [id(things.context.ids, 'title'), id(things.context.ids, 'n')];
	await owner.create(`${grid}/virtualgrids`, { name: 'Sorted', fields, filter: {}, sorting });
	await open(page, 'Sorted');
	await page.locator('#title', { hasText: 'Sorted' }).waitFor();
	await at(1, 0).getByText('C', { exact: true }).click();
	await at(2, 0).click({ modifiers: ['Shift'] });
	await becomes(selected, ['C', 'D']);
	await things.add({ title: 'A', n: 0 });
	await at(0, 0).getByText('A', { exact: true }).waitFor();
	await becomes(selected, ['C', 'D']);
	await becomes(focused, 'D');
	await cell(page, '33').dblclick();
	await page.locator('.editor').fill('34');
	await things.add({ title: 'AA', n: 0 });
	await at(1, 0).getByText('AA', { exact: true }).waitFor();
	await page.locator('[data-row="4"] .editor').press('Enter');
	await at(4, 1).getByText('34', { exact: true }).waitFor();
	await becomes(async () => (await rowOf('D'))['n'], 34);
	await becomes(async () => (await selected()).join(), '4');
});

inBrowser('selected rows are deleted after a question that counts them, and restored by Undo', async () => {
	await at(2, 0).click();
	await at(4, 0).click({ modifiers: ['Shift'] });
	await becomes(selected, ['B', 'C', 'D']);
	await choose(page, 'Delete selected rows');
	await page.getByRole('heading', { name: 'Delete 3 rows?' }).waitFor();
	await things.change('C', { n: 22 });
	await press(page, 'Delete 3 rows');
	await page.getByText('Row 4: The row was changed in the meantime: N').waitFor();
	await press(page, 'Close');
	await notice('Deleted: 2 rows.');
	await becomes(async () => (await rows()).map(({ title }) => title), ['C', 'E', 'F', 'A', 'AA']);
	await press(page, 'Undo');
	await notice('2 deleted rows restored');
	await becomes(async () => (await rows()).map(({ title }) => title), ['C', 'E', 'F', 'A', 'AA', 'B', 'D']);
});
