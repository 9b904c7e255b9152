import type { Page } from 'playwright-core';
import { byKey, last } from '../../http';
import { becomes, cell, choose, edit, inBrowser, open, press, row } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' } },
	rows: [{ title: 'Alder' }, { title: 'Birch' }],
});
const { owner, dialog, notice, rowOf, submit } = things;
let page: Page;
let orders: string;
const links: Record<string, string> = {};
beforeAll(async () => {
	({ page } = things);
	orders = await owner.create(`${things.context.space}/grids`, { name: 'Orders' });
	for (const [key, name] of [['name', 'string'], ['tree', 'reference'], ['trees', 'references']]) // prettier-ignore
		await owner.create(`${orders}/ColumnAdd`, { name: key, key, type: { name } });
	for (const title of ['Alder', 'Birch'])
		links[title] = `${things.grid}/entities/${String((await rowOf(title))['_id'])}`;
	const [alder, birch] = [{ uri: links['Alder'] }, { uri: links['Birch'] }];
	await owner.create(`${orders}/entities`, { name: 'A', tree: alder }, byKey);
	await owner.create(`${orders}/entities`, { name: 'B', tree: birch, trees: [birch, alder] }, byKey);
});

inBrowser(
	'a deletion says how many rows link to the row, and Undo makes their links work again',
	async () => {
		await press(page, 'Open row 1');
		await press(page, 'Delete this row');
		await dialog().getByText('2 rows link to it, and their links lead nowhere until then.').waitFor();
		await submit('Delete the row');
		await row(page, 'Alder').waitFor({ state: 'detached' });
		await press(page, 'Undo');
		await notice('Undone: 1 deleted row restored.');
		expect((await rowOf('Alder'))['_id']).toBe(last(String(links['Alder'])));
		await open(page, 'Orders');
		await row(page, 'A').getByText('Alder', { exact: true }).waitFor();
		await row(page, 'B').getByText('Birch, Alder', { exact: true }).waitFor();
		await open(page, 'Things');
		await things.isTitled('Things');
		await page.getByText('Rows 1–2 of 2').waitFor();
		await page.locator('[data-row="0"] [data-column="0"]').click();
		await page.locator('[data-row="1"] [data-column="0"]').click({ modifiers: ['Shift'] });
		await choose(page, 'Delete selected rows');
		await dialog().getByText('2 rows link to them').waitFor();
		await press(page, 'Cancel');
		await owner.put(`${orders}/entities/${String((await owner.items(`${orders}/entities`, byKey))[1]?.['_id'])}`, { tree: null, trees: null }, byKey); // prettier-ignore
		await press(page, 'Open row 1');
		await press(page, 'Delete this row');
		await dialog().getByText('No row of this space links to it.').waitFor();
		await press(page, 'Cancel');
	},
);

inBrowser('a row that others see deleted comes back once in their list of changes', async () => {
	const other = await things.loggedIn();
	await open(other, 'Things');
	await row(other, 'Alder').waitFor();
	const { _id } = await rowOf('Alder');
	await things.remove('Alder');
	await row(other, 'Alder').waitFor({ state: 'detached' });
	await page.locator('#changes li', { hasText: 'deleted' }).first().getByRole('button', { name: 'Restore Alder' }).click(); // prettier-ignore
	await notice('The deleted row was restored.');
	await row(other, 'Alder').waitFor();
	await becomes(() => other.locator('#changes li').first().locator('strong').innerText(), 'created');
	expect((await rowOf('Alder'))['_id']).toBe(_id);
	await other.close();
});

inBrowser('rows of a deleted grid are shown by their IDs, and the other cells stay editable', async () => {
	const [, birch = ''] = /(.{6})$/.exec(String(links['Birch'])) ?? [];
	// Not a letter of hexadecimal IDs: their cells would be found as well.
	const linked = await owner.create(
		`${orders}/entities`,
		{ name: 'Yew', tree: { uri: links['Birch'] } },
		byKey,
	);
	await owner.delete(things.grid);
	await page.reload();
	await open(page, 'Orders');
	await row(page, 'Yew').getByText(`row …${birch}`).waitFor();
	await edit(cell(page, 'Yew'), 'Elm');
	await row(page, 'Elm').getByText(`row …${birch}`).waitFor();
	expect(await owner.read(linked, byKey)).toMatchObject({ name: 'Elm', tree: { uri: links['Birch'] } });
});
