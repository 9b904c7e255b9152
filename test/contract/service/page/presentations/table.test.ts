import type { Page } from 'playwright-core';
import { z } from 'zod/v4';
import { until } from '../../../../../testbed/until';
import { makeGrid, startWithOwner } from '../../http';
import { becomes, focused, inBrowser, open, Pages } from '../browser';

let context: Awaited<ReturnType<typeof startWithOwner>>;
let page: Page;
const pages = new Pages(() => context.service);

beforeAll(async () => {
	context = await startWithOwner();
	const { space } = await makeGrid(context.owner, { title: { name: 'string' } });
	const rows = Array.from({ length: 30_000 }, (_, n) => `Row ${n},${n}`);
	await context.owner.create(`${space}/uploadCSV`, { name: 'Tall', file: `Name,N\n${rows.join('\n')}\n` });
	const columns = Array.from({ length: 500 }, (_, n) => n);
	const lines = [columns.map((n) => `C${n}`), columns, columns].map((one) => one.join(','));
	await context.owner.create(`${space}/uploadCSV`, { name: 'Wide', file: `${lines.join('\n')}\n` });
	page = await pages.loggedIn();
});
afterAll(() => pages.close(context.service));

const cell = (on: Page, text: string) => on.getByRole('gridcell', { name: text, exact: true });
const scrollTo = (top: number) => page.evaluate(`document.querySelector('.grid').scrollTop = ${top}`);

const rowNumbers = async () =>
	z.array(z.number()).parse(await page.evaluate('[...document.querySelectorAll(".body [role=row]")].map((row) => Number(row.ariaRowIndex))')); // prettier-ignore

/** Counts the row elements that are added after it runs. */
const watchRows = `
	const body = document.querySelector('.body');
	const count = (changes) => {
		const made = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => !node.dataset.known);
		body.dataset.made = String(Number(body.dataset.made ?? 0) + made.length);
	};
	new MutationObserver(count).observe(body, { childList: true });
	for (const row of body.children) row.dataset.known = 'yes';
	body.dataset.made = '0';`;

inBrowser('scrolling reuses the row elements and keeps their order', async () => {
	await open(page, 'Tall');
	await cell(page, 'Row 0').waitFor();
	await scrollTo(500);
	await cell(page, 'Row 30').waitFor();
	await page.evaluate(watchRows);
	for (const top of [900, 3600, 7200, 1250]) {
		await scrollTo(top);
		await cell(page, `Row ${Math.floor(top / 36) + 3}`).waitFor();
	}
	// The number of partly visible rows depends on the position, so a few elements are added.
	expect(Number(await page.locator('.body').getAttribute('data-made'))).toBeLessThan(5);
	await until('rows in their order', async () => {
		const numbers = await rowNumbers();
		return numbers.length > 20 && numbers.every((number, place) => number === (numbers[0] ?? 0) + place);
	});
});

inBrowser('the selected cell keeps the focus while it is scrolled away; keys reach every row', async () => {
	await scrollTo(0);
	await cell(page, 'Row 3').click();
	await scrollTo(9000);
	await cell(page, 'Row 252').waitFor();
	await becomes(() => page.evaluate('document.activeElement.role'), 'grid');
	await page.keyboard.press('ArrowDown');
	await cell(page, 'Row 4').waitFor();
	await becomes(() => focused(page), 'Row 4');
	await page.keyboard.press('Control+End');
	await page.locator('.body [data-row="29999"] [data-column="1"]:focus', { hasText: '29999' }).waitFor();
	expect(await page.locator('.body [role=row]').count()).toBeLessThan(60);
	await page.keyboard.press('Control+Home');
	await becomes(() => focused(page), 'Row 0');
});

inBrowser('a cell that is being edited stays while the rows around it change', async () => {
	await cell(page, 'Row 5').dblclick();
	await page.locator('.editor').fill('Row 5 and more');
	await scrollTo(3000);
	await cell(page, 'Row 85').waitFor();
	await page.locator('.editor').press('Enter');
	await cell(page, 'Row 5 and more').waitFor();
	await until('the focus below the changed cell', async () => (await focused(page)) === 'Row 6');
});

inBrowser(
	'only the visible ones of 500 columns are drawn; the last is reached by keyboard and edited',
	async () => {
		await open(page, 'Wide');
		await page.locator('[data-row="1"] [data-column="3"]').click();
		expect(await page.locator('[data-row="0"] [role=gridcell]').count()).toBeLessThan(60);
		await page.keyboard.press('End');
		await page.locator('[data-row="1"] [data-column="499"]:focus').waitFor();
		await becomes(() => focused(page), '499');
		await page.keyboard.press('Enter');
		await page.locator('.editor').fill('7');
		await page.keyboard.press('Tab');
		await page.locator('[data-row="1"] [data-column="499"]', { hasText: /^7$/ }).waitFor();
		await page.keyboard.press('Home');
		await page.locator('[data-row="1"] [data-column="0"]:focus').waitFor();
	},
);

inBrowser('a tap selects a cell, and a tap on the selected one edits it', async () => {
	const phone = await pages.loggedIn({ viewport: { width: 390, height: 844 }, hasTouch: true });
	await open(phone, 'Tall');
	await cell(phone, 'Row 2').tap();
	await phone.locator('[role=gridcell]:focus', { hasText: 'Row 2' }).waitFor();
	await becomes(() => phone.locator('.editor').count(), 0);
	await phone.keyboard.press('ArrowDown');
	await cell(phone, 'Row 3').tap();
	await phone.locator('.editor').waitFor();
	await phone.close();
});
