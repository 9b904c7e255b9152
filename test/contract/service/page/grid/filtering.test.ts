import type { Page } from 'playwright-core';
import { id } from '../../http';
import { becomes, choose, inBrowser, open, press, row } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: {
		title: { name: 'string' },
		kind: { name: 'enum', options: ['small, red', { value: 'b', label: 'Big' }, 'none'] },
		n: { name: 'integer' },
		at: { name: 'date-time' },
	},
	rows: [
		{ title: 'a, "b"', kind: 'small, red', n: 1, at: '2027-03-05T14:30:10.250Z' },
		{ title: 'c', kind: 'b', n: 2, at: '2027-03-05T14:30:11Z' },
		{ title: 'Blank' },
	],
	browser: { timezoneId: 'Etc/UTC', locale: 'en-GB' },
});
const { owner, dialog, submit } = things;
let page: Page;
beforeAll(() => {
	({ page } = things);
});

const value = () => dialog().getByLabel('Value');
const titles = async () => (await page.locator('.body [data-column="0"]').allInnerTexts()).sort();

/** Asks for a condition; a text is filled in, options are checked. */
async function ask(column: string, operator: string, asked: string | string[]) {
	await page.locator('#toolbar').getByRole('button', { name: 'Filter' }).click();
	await press(page, 'Remove all');
	await press(page, 'Add condition');
	await dialog().getByLabel('Column').selectOption(column);
	await dialog().getByLabel('Operator').selectOption(operator);
	if (typeof asked === 'string') await value().fill(asked);
	else for (const option of asked) await value().getByLabel(option, { exact: true }).check();
	await dialog().getByRole('button', { name: 'Show rows' }).click();
}
const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' });

inBrowser('an option and a text with a comma can be asked for, by the name that people see', async () => {
	await ask('KIND', 'is one of', ['small, red', 'Big']);
	await closed();
	await becomes(titles, ['a, "b"', 'c']);
	await ask('KIND', 'is one of', []);
	await dialog().getByText('KIND: name at least one value').waitFor();
	await press(page, 'Cancel');
	await ask('TITLE', 'is one of', '"a, ""b""" , x');
	await closed();
	await becomes(titles, ['a, "b"']);
});

inBrowser('a list of values finds no blank rows, and refuses what is no value', async () => {
	await ask('N', 'is one of', '1, x');
	await dialog().getByText('N: “x” is not a number').waitFor();
	await value().fill('1, , ');
	await press(page, 'Show rows');
	await closed();
	await becomes(titles, ['a, "b"']);
	await ask('N', 'is one of', ' , ');
	await dialog().getByText('N: name at least one value').waitFor();
	await press(page, 'Cancel');
});

inBrowser('a time that is shown to the second finds its row, whatever its milliseconds', async () => {
	const moment = '2027-03-05T14:30:10';
	for (const [operator, expected] of [
		['is', ['a, "b"']],
		['is not', ['Blank', 'c']],
		['is more than', ['c']],
		['is at least', ['a, "b"', 'c']],
		['is less than', []],
		['is at most', ['a, "b"']],
	] as const) {
		await ask('AT', operator, moment);
		await closed();
		await becomes(titles, [...expected]);
	}
	await ask('AT', 'is one of', '2027-03-05 14:30:10, 2027-03-05 14:30:11');
	await closed();
	await becomes(titles, ['a, "b"', 'c']);
	await ask('AT', 'is one of', 'noon');
	await dialog().getByText('AT: “noon” is not a date and time').waitFor();
	await press(page, 'Cancel');
});

inBrowser('what a view asks for is shown again as it was chosen', async () => {
	const fields = Object.values(things.context.ids);
	const conditions = [
		[{ [id(things.context.ids, 'kind')]: { $in: ['small, red', 'b'] } }, 'is one of'],
		[{ [id(things.context.ids, 'title')]: { $in: ['a, "b"', 'x'] } }, 'is one of'],
		[{ [id(things.context.ids, 'at')]: { $gte: '2027-03-05T14:30:10.000Z', $lt: '2027-03-05T14:30:11.000Z' } }, 'is'],
		[{ $not: { [id(things.context.ids, 'at')]: { $gte: '2027-03-05T14:30:10.000Z', $lt: '2027-03-05T14:30:11.000Z' } } }, 'is not'],
		[{ [id(things.context.ids, 'at')]: { $empty: true } }, 'is empty'],
	] as const; // prettier-ignore
	const filter = { $or: conditions.map(([condition]) => condition) };
	const view = await owner.create(`${things.grid}/virtualgrids`, { name: 'Asked', fields, filter });
	await open(page, 'Asked');
	await things.isTitled('Asked');
	await row(page, 'Blank').waitFor();
	await choose(page, 'Edit view');
	const chosen = dialog().getByLabel('Operator').locator('option:checked');
	await becomes(() => chosen.allInnerTexts(), conditions.map(([, operator]) => operator)); // prettier-ignore
	await submit('Save');
	expect(await owner.read(view)).toMatchObject({ filter });
});
