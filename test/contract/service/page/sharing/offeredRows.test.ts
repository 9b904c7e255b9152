import type { Page } from 'playwright-core';
import { byKey, id } from '../../http';
import { violationsOf } from '../axe';
import { becomes, choose, inBrowser, press, submit } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' }, company: { name: 'reference' }, others: { name: 'references' } },
	rows: [{ title: 'First' }],
});
const { owner, dialog } = things;
let page: Page;
let companies: string;
const addresses: Record<string, string> = {};
const column = (key: string) => id(things.context.ids, key);
const at = (name: string) => ({ uri: addresses[name] });

beforeAll(async () => {
	({ page } = things);
	companies = await owner.create(`${things.context.space}/grids`, { name: 'Companies' });
	await owner.create(`${companies}/ColumnAdd`, { name: 'Name', key: 'name', type: { name: 'string' } });
	for (const name of ['Zorn', 'Müller AG', 'Abt', 'Abel'])
		addresses[name] = await owner.create(`${companies}/entities`, { name }, byKey);
	const linkedGrids = { [column('company')]: companies, [column('others')]: companies };
	await owner.patch(things.grid, { properties: { linkedGrids } });
	await page.reload();
});

/** Creates a link to the form on the page. */
async function makeLink(isOffered: boolean) {
	await choose(page, 'Public links');
	await press(page, 'Create a link');
	await dialog().getByLabel('Let people pick linked rows by their names').setChecked(isOffered);
	await press(page, 'Create');
	const made = page.getByRole('listitem').filter({ hasText: 'with lists of rows to pick from' });
	await made.first().waitFor({ state: isOffered ? 'visible' : 'detached' });
	await submit(page, 'Close');
	return String((await owner.items(`${things.grid}/links`)).at(-1)?.['href']);
}

inBrowser('guests enter addresses unless the maker of form and link lets them pick rows', async () => {
	const plain = await makeLink(false);
	// A design without lists.
	const undesigned = await things.guest(await makeLink(true));
	await becomes(() => undesigned.locator('#public textarea').count(), 2);
	await undesigned.close();
	await choose(page, 'Form');
	const line = dialog().getByRole('listitem').filter({ hasText: 'COMPANY' });
	await line.getByLabel('Guests pick from a list of the names').check();
	const title = dialog().getByRole('listitem').filter({ hasText: 'TITLE' });
	await becomes(() => title.getByLabel('Guests pick').count(), 0);
	await submit(page, 'Save');
	await choose(page, 'Form');
	await becomes(() => line.getByLabel('Guests pick').isChecked(), true);
	await press(page, 'Cancel');
	const guest = await things.guest(plain);
	await becomes(() => guest.locator('#public textarea').count(), 2);
	await guest.close();
	const offered = await things.guest(await makeLink(true));
	await offered.getByLabel('Search rows for COMPANY').waitFor();
	await becomes(() => offered.locator('#public textarea').count(), 1);
	await offered.close();
});

inBrowser('a guest picks one row, or several, by the keyboard', async () => {
	const inputs = ['title', 'company', 'others'].map((key) => ({
		field: column(key),
		required: key === 'company',
		offerRows: true,
	}));
	await owner.patch(things.grid, {
		properties: {
			linkedGrids: { [column('company')]: companies, [column('others')]: companies },
			form: { inputs },
		},
	});
	const link = await owner.create(`${things.grid}/links`, { kind: 'form', names: true });
	const guest = await things.guest(link);
	const company = guest.getByRole('group', { name: 'COMPANY (required)' });
	const others = guest.getByRole('group', { name: 'OTHERS' });
	const offered = (group = company) => group.locator('.found button').allInnerTexts();
	const picked = (group = company) => group.locator('ul').first().locator('span').allInnerTexts();
	await guest.getByLabel('TITLE').fill('Picked');
	await press(guest, 'Send');
	await guest.getByRole('alert').filter({ hasText: 'COMPANY: an answer is required' }).waitFor();
	// The focus is in the input that lacks an answer.
	await guest.keyboard.type('a');
	await becomes(offered, ['Abel', 'Abt']);
	await company.getByRole('status').filter({ hasText: '2 rows' }).waitFor();
	expect(await violationsOf(guest, 'the open list')).toEqual([]);
	await guest.keyboard.press('Enter');
	await becomes(picked, ['Abel']);
	await becomes(offered, []);
	await guest.keyboard.press('ArrowDown');
	await becomes(offered, ['Abel', 'Abt', 'Müller AG', 'Zorn']);
	for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter'])
		await guest.keyboard.press(key);
	await becomes(picked, ['Abt']);
	await others.getByRole('searchbox').click();
	await others.getByRole('button', { name: 'Zorn' }).click();
	await guest.keyboard.type('mül');
	await becomes(() => offered(others), ['Müller AG']);
	await guest.keyboard.press('Enter');
	await guest.keyboard.type('nobody');
	await others.getByText('No row has this name.').waitFor();
	await becomes(() => picked(others), ['Zorn', 'Müller AG']);
	await becomes(() => others.getByRole('link').count(), 0);
	expect(await violationsOf(guest, 'picked rows')).toEqual([]);
	await press(guest, 'Send');
	await guest.getByText('Your answers were saved').waitFor();
	const expected = { title: 'Picked', company: at('Abt'), others: [at('Zorn'), at('Müller AG')] };
	expect(await things.rowOf('Picked')).toMatchObject(expected);
	// A row that is gone when the answers arrive.
	await press(guest, 'Send another');
	await guest.getByLabel('TITLE').fill('Late');
	await company.getByRole('searchbox').click();
	await company.getByRole('button', { name: 'Abel' }).click();
	await becomes(picked, ['Abel']);
	await owner.delete(addresses['Abel'] ?? '');
	await press(guest, 'Send');
	await guest
		.getByRole('alert')
		.filter({ hasText: 'The value of “COMPANY” is no row of its list' })
		.waitFor();
	expect(await violationsOf(guest, 'a refused row')).toEqual([]);
	await guest.close();
});
