import type { Page } from 'playwright-core';
import { Caller, makeGrid, type Json } from '../../http';
import { becomes, choose, dialogOn, fillIn, inBrowser, matches, open, press, submit } from '../browser';
import { testGridPage } from '../gridPage';
import { holdBack } from '../heldBack';

const things = testGridPage({
	columns: { title: { name: 'string' }, n: { name: 'decimal' }, on: { name: 'boolean' } },
	rows: [{ title: 'First', n: 1, on: true }],
	browser: { permissions: ['clipboard-read', 'clipboard-write'] },
});
const { owner, dialog, guest, rows } = things;
let page: Page;
let grid: string;
let space: string;
beforeAll(() => {
	({ page, grid } = things);
	({ space } = things.context);
});

const pressInDialog = (name: string) => dialog().getByRole('button', { name }).click();
const first = async () => (await rows())[0] ?? {};
const login = { 'User name': 'guest', Password: 'long enough' };

/** Enters the password of a link, the wrong one first. */
async function logInTo(stranger: Page) {
	await press(stranger, 'Log in to this link');
	await fillIn(stranger, { 'User name or key': 'guest', 'Password or secret': 'wrong password' });
	await press(stranger, 'Open');
	await dialogOn(stranger).getByText('The name or the password of this link is wrong').waitFor();
	await submit(stranger, 'Open', { 'Password or secret': 'long enough' });
}

inBrowser('a form link is created, opens a form that adds one row, and is revoked', async () => {
	await choose(page, 'Public links');
	await press(page, 'Create a link');
	await fillIn(page, { 'What it opens': 'form', Protection: 'none' });
	await becomes(() => dialog().getByLabel('Password', { exact: true }).isVisible(), false);
	await press(page, 'Create');
	const address = (await page.getByRole('link', { name: 'Open' }).getAttribute('href')) ?? '';
	const stranger = await things.context.pages.page();
	await stranger.goto(address);
	await stranger.getByLabel('TITLE').fill('From outside');
	await stranger.getByLabel('N', { exact: true }).fill('7.5');
	// However often its button is pressed.
	const held = await holdBack(stranger, 'POST', new URL(address).searchParams.get('link') ?? '');
	const send = stranger.getByRole('button', { name: 'Send' });
	await send.click();
	await held.arrived;
	await send.dispatchEvent('click');
	await stranger.keyboard.press('Enter');
	await held.release();
	await stranger.getByText('Your answers were saved').waitFor();
	expect(await rows()).toMatchObject([{ title: 'First' }, { title: 'From outside', n: 7.5, on: null }]);
	await press(page, 'Revoke');
	await dialog().getByText('stops working at once').waitFor();
	await pressInDialog('Revoke');
	await page.getByText('There are no links yet.').waitFor();
	await becomes(() => owner.items(`${grid}/links`), []);
	await stranger.goto(address);
	await stranger.getByText('Link not found').waitFor();
	await stranger.close();
});

inBrowser('a protected view link asks for user name and password', async () => {
	await press(page, 'Create a link');
	await fillIn(page, { 'What it opens': 'view', Protection: 'link', ...login });
	await press(page, 'Create');
	const stranger = await things.context.pages.page();
	await stranger.goto((await page.getByRole('link', { name: 'Open' }).getAttribute('href')) ?? '');
	await logInTo(stranger);
	await stranger.getByRole('cell', { name: 'From outside' }).waitFor();
	await stranger.close();
	await submit(page, 'Close');
});

inBrowser('a protected edit link opens one row for editing; one for a reader has no inputs', async () => {
	await press(page, 'Open row 1');
	await press(page, 'Create an edit link');
	await fillIn(page, { Protection: 'link', ...login });
	await pressInDialog('Create');
	await page.getByRole('heading', { name: 'The link to this row' }).waitFor();
	const stranger = await things.context.pages.page();
	await stranger.goto(await dialog().locator('code').innerText());
	await page.keyboard.press('Escape');
	await submit(page, 'Cancel');
	await logInTo(stranger);
	await stranger.getByRole('heading', { name: 'Things' }).waitFor();
	await becomes(() => stranger.getByLabel('TITLE').inputValue(), 'First');
	await stranger.getByLabel('N', { exact: true }).fill('12');
	await press(stranger, 'Save');
	await stranger.getByText('Saved.').waitFor();
	await matches(first, { title: 'First', n: 12, on: true });
	await things.change('First', { n: 13 });
	await stranger.getByLabel('N', { exact: true }).fill('14');
	await press(stranger, 'Save');
	await stranger.getByText('N: was changed to “13” in the meantime').waitFor();
	await matches(first, { n: 13 });
	await stranger.close();
	const link = { kind: 'edit', entityId: (await first())['_id'], role: 'reader' };
	const reader = await guest(await owner.create(`${grid}/links`, link));
	await reader.getByText('First').waitFor();
	await becomes(() => reader.locator('#public').locator('input, select, button').count(), 0);
	await reader.close();
});

inBrowser('an access key is created, shows its secret once, and is deleted', async () => {
	const { url } = things.service;
	await press(page, 'Access keys');
	await press(page, 'Create a key');
	await fillIn(page, { Name: 'For n8n' });
	await press(page, 'Create');
	await page.getByText('The secret is shown only once.').waitFor();
	const [address, key = '', secret = ''] = await dialog().locator('code').allInnerTexts();
	expect(address).toBe(url);
	await dialog().locator('li', { hasText: 'Secret' }).getByRole('button', { name: 'Copy' }).click();
	await dialog().getByRole('button', { name: 'Copied' }).waitFor();
	await becomes(() => page.evaluate('navigator.clipboard.readText()'), secret);
	expect((await Caller.basic(url, owner.userId, key, secret).get(things.home)).status).toBe(200);
	await pressInDialog('Close');
	const line = page.locator('li', { hasText: 'For n8n: reader' });
	await line.getByRole('button', { name: 'Delete' }).click();
	await dialog().getByText('Everything that uses the key “For n8n” stops working.').waitFor();
	await pressInDialog('Delete');
	await line.waitFor({ state: 'detached' });
	expect((await owner.get(`${things.home}/accessKeys`)).text).not.toContain('For n8n');
	await press(page, 'Close');
});

inBrowser('a space is shared with a link to join, and the share is removed', async () => {
	await press(page, 'People');
	await page.getByText('owner: also deletes the space').waitFor();
	await press(page, 'Share');
	await fillIn(page, { 'Email address': 'new@example.com', Role: 'writer' });
	await pressInDialog('Share');
	await page.getByRole('heading', { name: 'Invitation for new@example.com' }).waitFor();
	const address = await dialog().locator('code').innerText();
	expect(address).toMatch(new RegExp(`^${things.service.url}/#join=[\\w-]+$`));
	const mail = await page.getByRole('link', { name: 'Write the email' }).getAttribute('href');
	expect(decodeURIComponent(mail ?? '')).toBe(`mailto:new@example.com?subject=Invitation&body=${address}`);
	const invited = [{ email: 'new@example.com', role: 'writer' }];
	expect(await owner.items(`${space}/invitations`)).toMatchObject(invited);
	await pressInDialog('Close');
	await page.getByLabel('Role of new@example.com').waitFor();
	expect(await page.getByLabel('Role of new@example.com').inputValue()).toBe('writer');
	await page.getByText('Has not joined yet').waitFor();
	await press(page, 'Remove');
	await pressInDialog('Remove');
	await page.getByText('Has not joined yet').waitFor({ state: 'detached' });
	expect(await owner.items(`${space}/shares`)).toEqual([]);
	await submit(page, 'Close');
});

inBrowser('the maker of a form chooses its columns, order, labels and required inputs', async () => {
	const columns = { title: { name: 'string' }, mail: { name: 'email' }, n: { name: 'integer' } };
	const asked = await makeGrid(owner, columns, 'Asked');
	await open(page, 'Asked');
	await choose(page, 'Form');
	await page.getByRole('checkbox', { name: 'N', exact: true }).uncheck();
	await press(page, 'Move MAIL up');
	await page.locator('.lines li').filter({ hasText: 'MAIL' }).getByLabel('Required').check();
	await submit(page, 'Save', {
		'Label of MAIL': 'Your address',
		'Description of MAIL': 'We answer there',
	});
	const stranger = await guest(await owner.create(`${asked.grid}/links`, { kind: 'form' }));
	const labels = () => stranger.locator('#public label').allInnerTexts();
	await becomes(labels, ['Your address (required)', 'TITLE']);
	await stranger.getByText('We answer there').waitFor();
	await stranger.getByLabel('TITLE').fill('Without an address');
	await press(stranger, 'Send');
	await becomes(() => stranger.locator('#public input:invalid').count(), 1);
	await stranger.getByLabel('Your address').fill('ada@example.com');
	await press(stranger, 'Send');
	await stranger.getByText('Your answers were saved').waitFor();
	await stranger.close();
	await choose(page, 'Form');
	await becomes(() => page.getByLabel('Label of MAIL').inputValue(), 'Your address');
	await submit(page, 'Cancel');
});

inBrowser(
	'makers and programs that change other properties of a grid keep what each has changed',
	async () => {
		const columns = { title: { name: 'string' }, n: { name: 'integer' }, to: { name: 'reference' } };
		const made = await makeGrid(owner, columns, 'Together');
		await open(page, 'Together');
		const write = async (properties: Json) => {
			expect((await owner.patch(made.grid, { properties })).status).toBe(200);
		};
		const kept = () => owner.read(made.grid);
		await page.locator('.head .sort', { hasText: 'TO' }).waitFor();
		await write({ note: 'first' });
		await choose(page, 'Columns');
		await press(page, 'Move N up');
		await submit(page, 'Show');
		const order = ['n', 'title', 'to'].map((key) => made.ids[key]);
		await matches(kept, { properties: { note: 'first', columnOrder: order } });
		await choose(page, 'Form');
		await page.getByLabel('Label of N').fill('Number');
		await write({ note: 'second', columnOrder: order });
		await submit(page, 'Save');
		const form = { inputs: [{ label: '' }, { label: 'Number' }, { label: '' }] };
		await matches(kept, { properties: { note: 'second', columnOrder: order, form } });
		// A form whose property another program wrote has all columns.
		const input = { field: made.ids['title'] };
		const designs = [null, 'text', [], { inputs: {} }, { inputs: [null] }, { inputs: [7] }, { inputs: [input, { field: 1 }] }, { inputs: [{ ...input, label: {} }] }, { inputs: [{ ...input, required: 'no' }] }]; // prettier-ignore
		for (const design of designs) {
			await write({ columnOrder: order, form: design });
			await choose(page, 'Form');
			await becomes(() => dialog().locator('[data-field]:checked').count(), 3);
			await submit(page, 'Cancel');
		}
		await choose(page, 'Form');
		await submit(page, 'Save');
		await matches(kept, { properties: { form: { inputs: [input, {}, {}] } } });
	},
);
