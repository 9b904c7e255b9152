import type { Page } from 'playwright-core';
import { id } from '../../http';
import { becomes, inBrowser, press } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' }, n: { name: 'integer' }, late: { name: 'string' } },
	rows: [{ title: 'First' }],
});
const { owner, dialog, values } = things;
let page: Page;
let grid: string;
let link: string;
beforeAll(async () => {
	({ page, grid } = things);
	const inputs = ['title', 'n', 'late'].map((key) => ({
		field: id(things.context.ids, key),
		required: key === 'title',
	}));
	await owner.patch(grid, { properties: { form: { inputs } } });
	link = await owner.create(`${grid}/links`, { kind: 'form' });
});

const alert = (guest: Page, text: string) => guest.getByRole('alert').filter({ hasText: text }).waitFor();
const MAYBE = 'They may have arrived';

inBrowser('blanks are no answer to a required question, in the form and in the service', async () => {
	const guest = await things.guest(link);
	const title = guest.getByLabel('TITLE (required)');
	await title.fill('   ');
	await press(guest, 'Send');
	await alert(guest, 'TITLE: an answer is required');
	await becomes(() => title.getAttribute('aria-invalid'), 'true');
	const reply = await things.anonymous.post(link, { [id(things.context.ids, 'title')]: ' \n ' });
	expect(reply.status).toBe(400);
	expect(await values('title')).toEqual([['First']]);
	await guest.close();
});

inBrowser('a guest whose confirmation is lost learns that the answers may have arrived', async () => {
	const guest = await things.guest(link);
	await guest.getByLabel('TITLE (required)').fill('Once');
	await guest.route(`**${link}`, async (route) => {
		await route.fetch();
		await route.abort();
	});
	await press(guest, 'Send');
	await alert(guest, MAYBE);
	await becomes(() => values('title'), [['First'], ['Once']]);
	// What was typed is still there.
	await becomes(() => guest.getByLabel('TITLE (required)').inputValue(), 'Once');
	await guest.close();
});

inBrowser('without a connection a person reads what to do, and that a row may have been added', async () => {
	await page.route('**/entities?*', (route) => route.abort());
	await press(page, 'Add row');
	await dialog().getByLabel('TITLE').fill('Twice');
	await press(page, 'Add');
	await dialog().getByText('It may have been added: look for it before you add it again').waitFor();
	await press(page, 'Cancel');
	await page.getByLabel('Search rows').fill('x');
	await page.locator('#message', { hasText: 'The service cannot be reached' }).waitFor();
	await page.unroute('**/entities?*');
	await page.getByLabel('Search rows').fill('');
	await page.getByText('Rows 1–2 of 2').waitFor();
});

inBrowser('a column that was deleted meanwhile is named in the row form and in the public form', async () => {
	const guest = await things.guest(link);
	await guest.getByLabel('TITLE (required)').fill('Late');
	await guest.getByLabel('LATE').fill('too late');
	await press(page, 'Open row 1');
	await dialog().getByLabel('LATE').fill('too late');
	const adding = await things.loggedIn();
	await press(adding, 'Things');
	await press(adding, 'Add row');
	await adding.getByRole('dialog').getByLabel('LATE').fill('too late');
	await owner.post(`${grid}/ColumnRemove`, { fieldId: id(things.context.ids, 'late') });
	const words = 'The column “LATE” was deleted in the meantime';
	await press(guest, 'Send');
	await alert(guest, words);
	await press(page, 'Save');
	await dialog().getByText(words).waitFor();
	await press(adding, 'Add');
	await adding.getByRole('dialog').getByText(words).waitFor();
	await guest.close();
	await adding.close();
});
