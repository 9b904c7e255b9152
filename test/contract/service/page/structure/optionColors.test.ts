import type { Locator, Page } from 'playwright-core';
import { violationsOf } from '../axe';
import { becomes, cell, choose, inBrowser, press } from '../browser';
import { testGridPage } from '../gridPage';

const GREEN = '#bde5bf';
const OTHER = '#123456';
const things = testGridPage({
	columns: {
		title: { name: 'string' },
		state: { name: 'enum', options: ['new', 'old', { value: 'at', label: 'At work', color: 'plaid' }] },
		tags: { name: 'enumcollection', options: ['plain', { value: 'g', label: 'Navy', color: OTHER }] },
	},
	rows: [
		{ title: 'One', state: 'new', tags: ['g', 'plain'] },
		{ title: 'Two', state: 'old', tags: ['plain'] },
		{ title: 'Three', state: 'at' },
	],
});
const { owner, dialog } = things;
let page: Page;
beforeAll(() => {
	({ page } = things);
});

const typeOf = async (key: string) => {
	const field = (await owner.fields(things.grid)).find((one) => one['key'] === key);
	return JSON.stringify(field?.['type']);
};
const edit = (column: string) => press(page, `Column ${column}`);
const option = (within: Page | Locator, text: string) =>
	within.locator('.option').getByText(text, { exact: true });
/** Background and color of a text, as the page sets them. */
const colorsOf = (at: Locator) => at.getAttribute('style');
const PAINTED = 'background: rgb(189, 229, 191); color: rgb(0, 0, 0);';
const NAVY = 'background: rgb(18, 52, 86); color: rgb(255, 255, 255);';

inBrowser('an option gets a color of the palette, which changes no row', async () => {
	const before = await owner.items(`${things.grid}/updates`, { since: '2020-01-01T00:00:00Z' });
	await edit('STATE');
	const colors = dialog().getByLabel('Color of the option new');
	await becomes(() => colors.locator('option:checked').innerText(), 'No color');
	await colors.selectOption('Green');
	await becomes(() => colorsOf(colors), PAINTED);
	// What another client stored stays.
	await becomes(() => dialog().getByLabel('Color of the option At work').locator('option:checked').innerText(), 'Other color'); // prettier-ignore
	expect(await violationsOf(page, 'the palette')).toEqual([]);
	await things.submit('Save');
	await becomes(() => colorsOf(option(cell(page, 'new'), 'new')), PAINTED);
	expect(await typeOf('state')).toBe(
		JSON.stringify({
			name: 'enum',
			options: [{ value: 'new', label: 'new', color: GREEN }, 'old', { value: 'at', label: 'At work', color: 'plaid' }], // prettier-ignore
		}),
	);
	expect(await owner.items(`${things.grid}/updates`, { since: '2020-01-01T00:00:00Z' })).toEqual(before);
	await becomes(() => cell(page, 'old').locator('.option').count(), 0);
	await becomes(() => cell(page, 'At work').locator('.option').count(), 0);
});

inBrowser(
	'colored options are readable in cells, lists, cards and public views, in light and dark',
	async () => {
		// The text is white on a dark color.
		await becomes(() => colorsOf(option(cell(page, 'Navy'), 'Navy')), NAVY);
		await becomes(() => cell(page, 'Navy').innerText(), 'Navy plain');
		await edit('STATE');
		const colors = dialog().getByLabel('Color of the option new');
		await colors.waitFor();
		const choices = await colors.locator('option').all();
		const palette = await Promise.all(choices.map((one) => one.getAttribute('value')));
		await press(page, 'Cancel');
		expect(palette.length).toBeGreaterThan(6);
		const options = palette.map((color, n) => ({ value: `option ${n}`, color }));
		const all = options.map(({ value }) => value);
		await owner.post(`${things.grid}/ColumnAdd`, { name: 'ALL', key: 'all', type: { name: 'enumcollection', options } }); // prettier-ignore
		await things.change('One', { all });
		await option(page, 'option 1').waitFor();
		expect(await violationsOf(page, 'cells')).toEqual([]);
		await press(page, 'Open row 1');
		await becomes(() => colorsOf(option(dialog(), 'Navy')), NAVY);
		await becomes(
			() => colorsOf(dialog().getByLabel('STATE').locator('option', { hasText: 'new' })),
			PAINTED,
		);
		expect(await violationsOf(page, 'a row')).toEqual([]);
		await press(page, 'Cancel');
		await choose(page, 'Add board or calendar');
		await things.submit('Add', { Name: 'Work' });
		await becomes(() => colorsOf(page.locator('.lane h2 .option', { hasText: 'new' })), PAINTED);
		await becomes(() => page.locator('.lane h2').allInnerTexts(), ['new 1', 'old 1', 'At work 1']);
		await becomes(() => colorsOf(option(page.locator('.card'), 'option 5')), PAINTED);
		expect(await violationsOf(page, 'cards')).toEqual([]);
		await page.getByLabel('Show rows as').selectOption('Table');
		const guest = await things.guest(await owner.create(`${things.grid}/links`, { kind: 'view' }));
		await becomes(() => colorsOf(option(guest, 'new')), PAINTED);
		expect(await violationsOf(guest, 'a public view')).toEqual([]);
		await guest.close();
	},
);

inBrowser('a color is taken away again, and survives a new name', async () => {
	await edit('STATE');
	await dialog().getByLabel('Option 1', { exact: true }).fill('fresh');
	await dialog().getByLabel('Option 3', { exact: true }).fill('Working');
	await things.submit('Save');
	await becomes(() => colorsOf(option(page, 'fresh')), PAINTED);
	await edit('STATE');
	await dialog().getByLabel('Color of the option fresh').selectOption('No color');
	await things.submit('Save');
	await becomes(() => cell(page, 'fresh').locator('.option').count(), 0);
	const options = [{ value: 'new', label: 'fresh' }, 'old', { value: 'at', label: 'Working', color: 'plaid' }]; // prettier-ignore
	expect(await typeOf('state')).toBe(JSON.stringify({ name: 'enum', options }));
	expect(await things.rowOf('One')).toMatchObject({ state: 'new' });
});
