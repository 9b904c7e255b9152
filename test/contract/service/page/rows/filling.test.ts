import type { Page } from 'playwright-core';
import { becomes, inBrowser, press } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' }, n: { name: 'integer' }, by: { name: 'createdby' } },
	rows: [{ title: 'A', n: 1 }, ...['B', 'C', 'D'].map((title, place) => ({ title, n: place + 2 }))],
	browser: { permissions: ['clipboard-read', 'clipboard-write'] },
});
const { dialog, notice, submit } = things;
let page: Page;
beforeAll(() => {
	({ page } = things);
});

const at = (row: number, column: number) => page.locator(`[data-row="${row}"] [data-column="${column}"]`);
/** The cell with the focus, as row and column. */
const place = () => page.evaluate('(({ parentElement, dataset }) => [parentElement.dataset.row, dataset.column].join())(document.activeElement)'); // prettier-ignore
const values = () => things.values('title', 'n');
const copy = async (row: number, column: number) => {
	await at(row, column).click();
	await page.keyboard.press('Control+C');
};

inBrowser('after an edit, Enter goes down, Tab goes right, and Shift goes back', async () => {
	await at(1, 0).click();
	for (const [key, next] of [
		['Enter', '2,0'],
		['Shift+Enter', '1,0'],
		['Tab', '1,1'],
		['Shift+Tab', '1,0'],
	] as const) {
		await page.keyboard.press('F2');
		await page.locator('.editor').press(key);
		await becomes(place, next);
	}
	await becomes(values, [['A', 1], ['B', 2], ['C', 3], ['D', 4]]); // prettier-ignore
});

inBrowser('Tab passes cells without an edit, and Enter goes to the column where it began', async () => {
	await at(0, 0).click();
	await page.keyboard.press('Tab');
	await becomes(place, '0,1');
	await page.keyboard.type('11');
	await page.keyboard.press('Enter');
	await becomes(place, '1,0');
	await becomes(async () => (await things.rowOf('A'))['n'], 11);
	await press(page, 'Undo');
	await notice('1 cell restored');
	// Another column than the one where Tab began counts once a cell was chosen otherwise.
	await at(0, 1).click();
	await page.keyboard.press('F2');
	await page.keyboard.press('Enter');
	await becomes(place, '1,1');
});

inBrowser('the table is reached by three Tabs, and left by Tab behind its last column', async () => {
	await page.keyboard.press('/');
	await becomes(() => page.evaluate('document.activeElement.id'), 'search');
	await page.keyboard.press('Tab');
	await becomes(() => page.evaluate('document.activeElement.parentElement.id'), 'toolbar');
	await page.keyboard.press('ArrowRight');
	await becomes(things.focused, 'More');
	await page.keyboard.press('Tab');
	await becomes(place, '1,1');
	await page.keyboard.press('Shift+Tab');
	await becomes(place, '1,0');
	await page.keyboard.press('Shift+Tab');
	await becomes(things.focused, 'More');
	await at(0, 2).click();
	await page.keyboard.press('Tab');
	await becomes(() => page.evaluate('document.activeElement.id'), 'close-changes');
	// From the start of the page, a link leads to the rows.
	await page.reload();
	await at(0, 0).waitFor();
	await page.keyboard.press('Tab');
	await becomes(things.focused, 'Go to the rows');
	await page.keyboard.press('Enter');
	await becomes(place, '0,0');
});

inBrowser('arrow keys reach the headings from the first row', async () => {
	await at(0, 0).click();
	await page.keyboard.press('ArrowUp');
	await becomes(async () => String(await things.focused()).trim(), 'TITLE');
	await page.keyboard.press('ArrowRight');
	await becomes(() => page.evaluate('document.activeElement.ariaLabel'), 'Column TITLE');
	await page.keyboard.press('ArrowRight');
	await becomes(async () => String(await things.focused()).trim(), 'N');
	await page.keyboard.press('ArrowDown');
	await becomes(place, '0,1');
});

inBrowser('one copied cell fills a selection, after a question, and Undo takes it back', async () => {
	await copy(0, 1);
	await at(1, 1).click();
	await at(3, 1).click({ modifiers: ['Shift'] });
	await page.keyboard.press('Control+V');
	await dialog().getByText('3 cells in 3 rows change, 0 rows are added.').waitFor();
	await submit('Write');
	await notice('Pasted: 3 cells changed');
	await becomes(values, [['A', 1], ['B', 1], ['C', 1], ['D', 1]]); // prettier-ignore
	await press(page, 'Undo');
	await notice('3 cells restored');
	await becomes(values, [['A', 1], ['B', 2], ['C', 3], ['D', 4]]); // prettier-ignore
});

inBrowser('Ctrl+D fills a selection from its first row, and a single cell from the one above', async () => {
	await at(1, 0).click();
	await at(3, 2).click({ modifiers: ['Shift'] });
	await page.keyboard.press('Control+d');
	await page.getByRole('heading', { name: 'Fill down' }).waitFor();
	// Somebody else is faster: that cell is not written, and it says so.
	await things.change('C', { n: 33 });
	await press(page, 'Write');
	await dialog().getByText('Row 3, N: “2” was changed to “33” in the meantime').waitFor();
	await press(page, 'Close');
	await becomes(values, [['A', 1], ['B', 2], ['B', 33], ['B', 2]]); // prettier-ignore
	await press(page, 'Undo');
	await notice('3 cells restored');
	await at(1, 1).click();
	await page.keyboard.press('Control+d');
	await submit('Write');
	await becomes(values, [['A', 1], ['B', 1], ['C', 33], ['D', 4]]); // prettier-ignore
	await at(0, 1).click();
	await page.keyboard.press('Control+d');
	await page.locator('#message', { hasText: 'There is no row above the first one' }).waitFor();
});

inBrowser('rows that are pasted below the last row are added', async () => {
	await page.evaluate('navigator.clipboard.writeText("d\\t5\\nE\\t6\\nF\\t7")');
	await at(3, 0).click();
	await page.keyboard.press('Control+V');
	await dialog().getByText('2 cells in 1 row change, 2 rows are added.').waitFor();
	await submit('Write');
	await becomes(async () => (await values()).slice(3), [['d', 5], ['E', 6], ['F', 7]]); // prettier-ignore
});
