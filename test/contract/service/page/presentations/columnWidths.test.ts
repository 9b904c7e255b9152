import type { Page } from 'playwright-core';
import { z } from 'zod/v4';
import { becomes, inBrowser } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: {
		title: { name: 'string' },
		n: { name: 'integer' },
		price: { name: 'currency' },
		...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`more${n}`, { name: 'string' }])),
	},
	rows: [
		{ title: 'A', n: 1, price: 0.1 },
		{ title: 'B', n: 2, price: 0.2 },
	],
});
let page: Page;
beforeAll(() => {
	({ page } = things);
});

const head = (name: string) => page.locator('.head .cell', { has: page.locator('.sort', { hasText: name }) });
const widthOf = async (name: string) => Math.round((await head(name).boundingBox())?.width ?? 0);
const at = (row: number, column: number) => page.locator(`[data-row="${row}"] [data-column="${column}"]`);
const leftOf = async (row: number, column: number) => z.number().parse((await at(row, column).boundingBox())?.x); // prettier-ignore

inBrowser('the width of a column is dragged and changed by keys, and remembered in the browser', async () => {
	const before = await widthOf('N');
	const edge = await head('N').locator('.edge').boundingBox();
	if (!edge) throw new Error('The heading has no edge');
	await page.mouse.move(edge.x + 2, edge.y + 10);
	await page.mouse.down();
	await page.mouse.move(edge.x + 62, edge.y + 10, { steps: 3 });
	await page.mouse.up();
	await becomes(() => widthOf('N'), before + 60);
	await head('N').locator('.sort').press('Alt+Shift+ArrowLeft');
	await becomes(() => widthOf('N'), before + 45);
	expect(await at(0, 1).boundingBox()).toMatchObject({ width: before + 45 });
	await page.reload();
	await at(0, 0).waitFor();
	await becomes(() => widthOf('N'), before + 45);
	await head('N').locator('.edge').dblclick();
	await becomes(() => widthOf('N'), before);
	// A drag of the edge moves no column.
	expect(await page.locator('.head .sort').first().innerText()).toContain('TITLE');
});

inBrowser('the first column stays while the others are scrolled', async () => {
	const before = await leftOf(0, 0);
	await page.evaluate('document.querySelector(".grid").scrollLeft = 600');
	await becomes(() => leftOf(0, 0), before);
	expect(await leftOf(0, 1)).toBeLessThan(before);
	// A cell that is reached by keys is not behind the first column.
	await at(0, 9).click();
	for (let n = 0; n < 6; n++) await page.keyboard.press('ArrowLeft');
	await page.locator('[data-row="0"] [data-column="3"]:focus').waitFor();
	const frozen = await at(0, 0).boundingBox();
	expect(await leftOf(0, 3)).toBeGreaterThanOrEqual((frozen?.x ?? 0) + (frozen?.width ?? 0) - 1);
});

inBrowser('a phone has room for the first column, but not for the numbers of the rows', async () => {
	await page.setViewportSize({ width: 390, height: 844 });
	await becomes(() => page.locator('.grid').getAttribute('data-frozen'), 'first');
	await page.setViewportSize({ width: 1400, height: 900 });
	await becomes(() => page.locator('.grid').getAttribute('data-frozen'), 'both');
});

inBrowser('the status line counts the selected cells and sums their numbers', async () => {
	await at(0, 0).click();
	await at(1, 2).click({ modifiers: ['Shift'] });
	await page.getByText('selected: 2 rows, 3 columns, 6 filled cells, sum 3.3').waitFor();
	await at(0, 2).click();
	await at(1, 2).click({ modifiers: ['Shift'] });
	await page.getByText('selected: 2 rows, 1 column, 2 filled cells, sum 0.30').waitFor();
	await things.change('B', { price: 1000 });
	await page.getByText('2 filled cells, sum 1,000.10').waitFor();
	await at(0, 3).click();
	await at(1, 3).click({ modifiers: ['Shift'] });
	await becomes(() => page.locator('#position').innerText(), 'Rows 1–2 of 2, selected: 2 rows, 1 column, 0 filled cells'); // prettier-ignore
});
