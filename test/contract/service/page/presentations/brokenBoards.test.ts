import type { Page } from 'playwright-core';
import { id } from '../../http';
import { becomes, inBrowser, matches, open, press } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: {
		title: { name: 'string' },
		kind: { name: 'enum', options: ['k1', 'k2'] },
		state: { name: 'enum', options: ['new', 'old'] },
		first: { name: 'date' },
		due: { name: 'date' },
	},
	rows: [{ title: 'One', kind: 'k1', state: 'new', first: '2027-03-01', due: '2027-03-05' }],
});
const { owner, dialog, rowOf, submit } = things;
let page: Page;
let grid: string;
let ids: Record<string, string>;
beforeAll(async () => {
	({ page, grid } = things);
	({ ids } = things.context);
	const board = (name: string, type: string, key: string) =>
		owner.create(`${grid}/sviews`, { type, properties: { name, fieldId: id(ids, key) } });
	await board('Work', 'kanban', 'state');
	await board('Dates', 'calendar', 'due');
	await page.reload();
	await page.getByLabel('Show rows as').waitFor();
});

const alert = (text: string) => page.locator('#table').getByRole('alert').filter({ hasText: text }).waitFor();
const showAs = (name: string) => page.getByLabel('Show rows as').selectOption(name);
const mend = () => press(page, 'Choose another column, or delete it');

inBrowser(
	'a board whose column was deleted says so, moves no card, and is given another column',
	async () => {
		await showAs('Work');
		await page.locator('.card', { hasText: 'One' }).waitFor();
		await owner.post(`${grid}/ColumnRemove`, { fieldId: id(ids, 'state') });
		await alert('“Work” groups rows by “STATE”, which was deleted. “Deleted columns” restores it.');
		await becomes(() => page.locator('.card').count(), 0);
		await mend();
		await press(page, 'Save');
		await dialog().getByText('Choose what it shows').waitFor();
		await submit('Save', { 'What it shows': 'Board: a lane for each option, by “KIND”' });
		await page.locator('.lane', { hasText: 'k1' }).locator('.card', { hasText: 'One' }).waitFor();
		await matches(() => rowOf('One'), { kind: 'k1' });
		const [restored = {}] = await owner.items(`${grid}/removedFields`);
		expect(restored['name']).toBe('STATE');
	},
);

inBrowser('a calendar whose column has another type shows no other dates', async () => {
	await owner.post(`${grid}/ColumnTypeChange`, { fieldId: id(ids, 'due'), type: { name: 'string' } });
	await showAs('Dates');
	await alert(
		'“Dates” groups rows by “DUE”, which is now of the type Text. It needs a column of the type Date',
	);
	const reader = await things.reader();
	await open(reader, 'Things');
	await reader.getByLabel('Show rows as').selectOption('Dates');
	await reader.locator('#table').getByRole('alert').waitFor();
	await becomes(() => reader.locator('#table button').count(), 0);
	await reader.close();
});

inBrowser('a board is renamed and deleted though no column suits it', async () => {
	for (const key of ['kind', 'first'])
		await owner.post(`${grid}/ColumnTypeChange`, { fieldId: id(ids, key), type: { name: 'string' } });
	await page.reload();
	await showAs('Work');
	await alert('“Work” groups rows by “KIND”, which is now of the type Text.');
	await mend();
	await submit('Save', { Name: 'Later' });
	await becomes(() => page.getByLabel('Show rows as').locator('option').allInnerTexts(), ['Table', 'Later', 'Dates']); // prettier-ignore
	await matches(
		() => owner.items(`${grid}/sviews`),
		[{ type: 'kanban', properties: { name: 'Later', fieldId: id(ids, 'kind') } }, {}],
	);
	await mend();
	await press(page, 'Delete “Later”');
	await submit('Delete “Later”');
	await page.getByRole('grid').waitFor();
	await becomes(() => page.getByLabel('Show rows as').locator('option').allInnerTexts(), ['Table', 'Dates']);
});

inBrowser('the history offers to restore only values that still fit, and names the others', async () => {
	const size = await owner.create(`${grid}/ColumnAdd`, {
		name: 'SIZE',
		key: 'size',
		type: { name: 'enum', options: ['S', 'M'] },
	});
	await things.change('One', { size: 'S' });
	await things.change('One', { size: 'M', kind: 'text' });
	await things.change('One', { size: null });
	await things.change('One', { size: 'S' });
	await owner.patch(size, { type: { name: 'enum', options: ['S'] } });
	await page.reload();
	await page.getByRole('grid').waitFor();
	await press(page, 'Open row 1');
	await dialog().getByText('History').click();
	const change = (text: string) => dialog().locator('.history li', { hasText: text });
	// M is no option any more.
	await change('SIZE: M → empty (“M” cannot be restored: it no longer fits)').waitFor();
	await becomes(() => change('SIZE: M → empty').getByRole('button').count(), 0);
	await change('KIND: k1 → text').getByRole('button', { name: 'Restore' }).click();
	await page.locator('#notice', { hasText: 'Restored: ' }).waitFor();
	await matches(() => rowOf('One'), { size: 'S', kind: 'k1' });
});
