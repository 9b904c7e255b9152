import type { Page } from 'playwright-core';
import { byKey, id, last } from '../../http';
import { becomes, choose, inBrowser, matches, open, press, row, submit } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' }, company: { name: 'reference' }, others: { name: 'references' } },
	rows: [{ title: 'First' }, { title: 'Second' }, { title: 'Third' }],
	browser: { permissions: ['clipboard-read', 'clipboard-write'] },
});
const { owner, dialog, guest, rowOf } = things;
let page: Page;
let companies: string;
const addresses: Record<string, string> = {};
const column = (key: string) => id(things.context.ids, key);
const at = (name: string) => ({ uri: addresses[name] });

beforeAll(async () => {
	({ page } = things);
	companies = await owner.create(`${things.context.space}/grids`, { name: 'Companies' });
	await owner.create(`${companies}/ColumnAdd`, { name: 'Name', key: 'name', type: { name: 'string' } });
	for (const name of ['Zorn', 'Müller AG', 'Abt', 'Double', 'Double'])
		addresses[name] = await owner.create(`${companies}/entities`, { name }, byKey);
	const linkedGrids = { [column('company')]: companies, [column('others')]: companies };
	await owner.patch(things.grid, { properties: { linkedGrids } });
	await things.change('First', { company: at('Zorn'), others: [at('Abt'), at('Müller AG')] });
	await things.change('Second', { company: at('Müller AG') });
	await things.change('Third', { company: at('Abt') });
	await page.reload();
	await row(page, 'Müller AG').first().waitFor();
});

const titles = () => page.locator('.body [data-column="0"]').allInnerTexts();
const shown = async () => (await titles()).sort();

inBrowser('rows are searched, filtered and sorted by the names of linked rows', async () => {
	const search = page.getByLabel('Search rows');
	await search.fill('müller');
	await becomes(shown, ['First', 'Second']);
	// A part of every address.
	await search.fill('entities');
	await becomes(shown, []);
	await search.fill('');
	await becomes(shown, ['First', 'Second', 'Third']);
	const filter = async (operator: string, text: string) => {
		await page.locator('#toolbar').getByRole('button', { name: 'Filter' }).click();
		await dialog().getByLabel('Column').selectOption('COMPANY');
		await dialog().getByLabel('Operator').selectOption(operator);
		await dialog().getByLabel('Value').fill(text);
		await submit(page, 'Show rows');
	};
	await filter('contains', 'MÜLLER');
	await becomes(shown, ['Second']);
	await choose(page, 'Save as view');
	await submit(page, 'Save', { Name: 'Müllers' });
	await things.isTitled('Müllers');
	await becomes(shown, ['Second']);
	await choose(page, 'Edit view');
	await becomes(() => dialog().getByLabel('Operator').locator('option:checked').innerText(), 'contains');
	await becomes(() => dialog().getByLabel('Value').inputValue(), 'MÜLLER');
	await submit(page, 'Save');
	await becomes(shown, ['Second']);
	await open(page, 'Things');
	await things.isTitled('Things');
	await filter('does not contain', 'müller');
	await becomes(shown, ['First', 'Third']);
	await page.locator('#toolbar').getByRole('button', { name: 'Filter' }).click();
	await press(page, 'Remove all');
	await submit(page, 'Show rows');
	await page.locator('.head .sort', { hasText: 'COMPANY' }).click();
	await becomes(titles, ['Third', 'Second', 'First']);
	await page.locator('.head .sort', { hasText: 'COMPANY' }).click();
	await becomes(titles, ['First', 'Second', 'Third']);
	await page.locator('.head .sort', { hasText: 'COMPANY' }).click();
});

const linkedFrom = () => dialog().locator('details', { hasText: 'Linked from' });

inBrowser('rows that link to a row are searched when a person asks for them', async () => {
	await open(page, 'Companies');
	await things.isTitled('Companies');
	const searches: string[] = [];
	page.on('request', (request) => {
		if (decodeURIComponent(request.url()).includes('"$search"')) searches.push(request.url());
	});
	await page.route('**/entities?*search*', (route) => route.abort(), { times: 1 });
	await press(page, 'Open row 2');
	await page.getByRole('dialog', { name: 'Müller AG' }).waitFor();
	await linkedFrom().getByText('Linked from').click();
	await linkedFrom().getByRole('alert').filter({ hasText: 'The service cannot be reached' }).waitFor();
	// Opened again, it searches again. Only one grid has columns that link.
	await linkedFrom().getByText('Linked from').click();
	await linkedFrom().getByText('Linked from').press('Enter');
	await becomes(() => linkedFrom().getByRole('listitem').allInnerTexts(), ['Things: First, Second']);
	expect(searches).toHaveLength(2);
	await press(page, 'Cancel');
	await press(page, 'Open row 4');
	await page.getByRole('dialog', { name: 'Double' }).waitFor();
	await linkedFrom().getByText('Linked from').click();
	await linkedFrom().getByText('No row of this space links to it.').waitFor();
	expect(searches).toHaveLength(3);
	await press(page, 'Cancel');
	await open(page, 'Things');
	await things.isTitled('Things');
});

inBrowser('a name opens its row, which names the rows that link to it', async () => {
	// The first click selects the cell.
	await row(page, 'Second').getByText('Müller AG').click();
	await row(page, 'Second').getByRole('link', { name: 'Müller AG' }).click();
	await page.getByRole('dialog', { name: 'Müller AG' }).waitFor();
	await things.isTitled('Companies');
	expect(new URL(page.url()).pathname).toBe(`/open${String(addresses['Müller AG'])}`);
	const linked = linkedFrom();
	await linked.getByText('Linked from').click();
	await becomes(() => linked.getByRole('listitem').allInnerTexts(), ['Things: First, Second']);
	await dialog().getByLabel('Name').fill('Typed');
	await linked.getByRole('link', { name: 'First' }).click();
	await dialog().getByText('Discard what you typed?').waitFor();
	await press(page, 'Discard');
	await page.getByRole('dialog', { name: 'First' }).waitFor();
	await things.isTitled('Things');
	// In the row, the linked ones are names as well.
	await dialog().getByRole('link', { name: 'Zorn' }).click();
	await page.getByRole('dialog', { name: 'Zorn' }).waitFor();
	await page.goBack();
	await page.getByRole('dialog', { name: 'First' }).waitFor();
	await press(page, 'Cancel');
	await things.isTitled('Things');
	const selected = page.locator('[data-row="1"] [data-column="1"]');
	await page.locator('[data-row="0"] [data-column="0"]').click();
	await selected.click({ modifiers: ['Shift'] });
	await page.getByText('selected: 2 rows, 2 columns').waitFor();
	await becomes(() => page.getByRole('dialog').count(), 0);
});

inBrowser('guests see names of linked rows if the maker of the link chose so, else no IDs', async () => {
	const make = async (names: boolean) => {
		await choose(page, 'Public links');
		await press(page, 'Create a link');
		await dialog().getByLabel('What it opens').selectOption('view');
		await dialog().getByLabel('Show the names of linked rows').setChecked(names);
		await press(page, 'Create');
		const made = page.getByRole('listitem').filter({ hasText: 'with the names of linked rows' });
		await made.waitFor({ state: names ? 'visible' : 'detached' });
		await submit(page, 'Close');
		const links = await owner.items(`${things.grid}/links`);
		return String(links.at(-1)?.['href']);
	};
	for (const names of [false, true]) {
		const reader = await guest(await make(names));
		const first = reader.getByRole('row').filter({ hasText: 'First' });
		const expected = names ? ['First', 'Zorn', 'Abt, Müller AG'] : ['First', 'A linked row', 'A linked row, A linked row']; // prettier-ignore
		await becomes(() => first.getByRole('cell').allInnerTexts(), expected);
		await reader.close();
	}
	const { _id: entityId } = await rowOf('First');
	for (const names of [false, true]) {
		const writer = await guest(await owner.create(`${things.grid}/links`, { kind: 'edit', entityId, names }));
		await writer.getByText(names ? 'Abt, Müller AG' : 'A linked row, A linked row').waitFor();
		await writer.getByLabel('TITLE').fill('First');
		await becomes(() => writer.locator('#public textarea').count(), 0);
		await writer.close();
	}
});

test('the names of linked rows leave their grid only through a link whose maker chose so', async () => {
	const { anonymous } = things;
	const reply = async (link: string) => (await anonymous.read(`${link}/names`))['names'];
	const { grid } = things;
	const fields = [column('company')];
	const view = await owner.view(grid, fields, { [column('title')]: { $eq: 'Second' } }, { name: 'One' });
	const links = `${view}/links`;
	expect(await reply(await owner.create(links, { kind: 'view' }))).toEqual({});
	const open = await owner.create(links, { kind: 'view', names: true });
	// Of linked rows in the columns and rows that are shown.
	const named = { [last(String(addresses['Müller AG']))]: 'Müller AG' };
	expect(await reply(open)).toEqual(named);
	const elsewhere = { filter: JSON.stringify({ [column('others')]: { $empty: false } }) };
	expect((await anonymous.get(`${open}/names`, elsewhere)).status).toBe(400);
	const { _id: entityId } = await rowOf('Third');
	expect(await reply(await owner.create(`${grid}/links`, { kind: 'edit', entityId }))).toEqual({});
	const abt = { [last(String(addresses['Abt']))]: 'Abt' };
	expect(await reply(await owner.create(`${grid}/links`, { kind: 'edit', entityId, names: true }))).toEqual(abt); // prettier-ignore
	const form = await owner.create(`${grid}/links`, { kind: 'form', names: true });
	expect((await anonymous.get(`${form}/names`)).status).toBe(403);
	await matches(() => owner.read(view), { name: 'One' });
});

test('a view shows the names of linked rows that it contains itself', async () => {
	const { ids, grid, anonymous } = things.context;
	const parent = last(await owner.create(`${grid}/ColumnAdd`, { name: 'Parent', key: 'parent', type: { name: 'reference' } })); // prettier-ignore
	const rowAt = async (title: string) => `${grid}/entities/${String((await rowOf(title))['_id'])}`;
	await things.change('Second', { parent: { uri: await rowAt('Third') } });
	await things.change('Third', { parent: { uri: await rowAt('First') } });
	const filter = { [id(ids, 'title')]: { $in: ['Second', 'Third'] } };
	const names = async (fields: string[], name: string) => {
		const view = await owner.view(grid, fields, filter, { name });
		const link = await owner.create(`${view}/links`, { kind: 'view' });
		return (await anonymous.read(`${link}/names`))['names'];
	};
	const third = last(await rowAt('Third'));
	expect(await names([id(ids, 'title'), parent], 'Family')).toEqual({ [third]: 'Third' });
	// A name that the view does not show.
	expect(await names([parent], 'Parents')).toEqual({});
});
