import type { Page } from 'playwright-core';
import { Caller, href, makeGrid, objects, startWithOwner, byKey } from '../../http';
import { becomes, cell, choose, inBrowser, matches, open, Pages, press } from '../browser';
import { holdBack } from '../heldBack';

let context: Awaited<ReturnType<typeof startWithOwner>>;
let owner: Caller;
let page: Page;
let grid: string;
let space: string;
const pages = new Pages(() => context.service);

beforeAll(async () => {
	context = await startWithOwner();
	owner = context.owner;
	const columns = { title: { name: 'string' }, n: { name: 'integer' }, on: { name: 'boolean' } };
	({ grid, space } = await makeGrid(owner, columns));
	await owner.create(`${grid}/entities`, { fields: ['First', 1, true] });
});
afterAll(() => pages.close(context.service));

const dialog = () => page.getByRole('dialog').last();
const links = () => owner.items(`${grid}/links`);

/** Creates a link on the page. @returns the address behind "Open" */
async function makeLink(kind: string, protection: string, login?: { user: string; password: string }) {
	const before = await page.getByRole('link', { name: 'Open' }).count();
	await press(page, 'Create a link');
	await dialog().getByLabel('What it opens').selectOption(kind);
	await dialog().getByLabel('Protection', { exact: true }).selectOption(protection);
	await becomes(() => dialog().getByLabel('Password', { exact: true }).isVisible(), login !== undefined);
	if (login) {
		await dialog().getByLabel('User name', { exact: true }).fill(login.user);
		await dialog().getByLabel('Password', { exact: true }).fill(login.password);
	}
	await press(page, 'Create');
	await page.getByRole('link', { name: 'Open' }).nth(before).waitFor();
	return (await page.getByRole('link', { name: 'Open' }).last().getAttribute('href')) ?? '';
}

inBrowser('a form link is created, opens a form that adds a row, and is revoked', async () => {
	page = await pages.loggedIn({ permissions: ['clipboard-read', 'clipboard-write'] });
	await open(page, 'Things');
	await choose(page, 'Public links');
	const address = await makeLink('form', 'none');
	const stranger = await pages.page();
	await stranger.goto(address);
	await stranger.getByLabel('TITLE').fill('From outside');
	await stranger.getByLabel('N', { exact: true }).fill('7');
	await press(stranger, 'Send');
	await stranger.getByText('Your answers were saved').waitFor();
	const rows = await owner.items(`${grid}/entities`, byKey);
	expect(rows.at(-1)).toMatchObject({ title: 'From outside', n: 7, on: null });
	await press(page, 'Revoke');
	await dialog().getByText('stops working at once').waitFor();
	await dialog().getByRole('button', { name: 'Revoke' }).click();
	await page.getByText('There are no links yet.').waitFor();
	await becomes(links, []);
	await stranger.goto(address);
	await stranger.getByText('Link not found').waitFor();
});

inBrowser('a protected view link asks for user name and password', async () => {
	const address = await makeLink('view', 'link', { user: 'guest', password: 'long enough' });
	const stranger = await pages.page();
	await stranger.goto(address);
	await press(stranger, 'Log in to this link');
	await stranger.getByLabel('User name or key').fill('guest');
	await stranger.getByRole('dialog').getByLabel('Password or secret').fill('wrong password');
	await press(stranger, 'Open');
	await stranger.getByRole('dialog').getByRole('alert').filter({ hasText: /./ }).waitFor();
	await stranger.getByRole('dialog').getByLabel('Password or secret').fill('long enough');
	await press(stranger, 'Open');
	await stranger.getByRole('cell', { name: 'From outside' }).waitFor();
	await press(page, 'Close');
});

inBrowser('an access key is created, shows its secret once, and is deleted', async () => {
	await press(page, 'Access keys');
	await press(page, 'Create a key');
	await dialog().getByLabel('Name').fill('For n8n');
	await press(page, 'Create');
	await page.getByText('The secret is shown only once.').waitFor();
	const [address, key = '', secret = ''] = await dialog().locator('code').allInnerTexts();
	expect(address).toBe(context.service.url);
	await dialog().locator('li', { hasText: 'Secret' }).getByRole('button', { name: 'Copy' }).click();
	await dialog().getByRole('button', { name: 'Copied' }).waitFor();
	await becomes(() => page.evaluate('navigator.clipboard.readText()'), secret);
	const made = Caller.basic(context.service.url, owner.userId, key, secret);
	expect((await made.get(context.home)).status).toBe(200);
	await dialog().getByRole('button', { name: 'Close' }).click();
	await page.locator('li', { hasText: 'For n8n: reader' }).getByRole('button', { name: 'Delete' }).click();
	await dialog().getByText('Everything that uses the key “For n8n” stops working.').waitFor();
	await dialog().getByRole('button', { name: 'Delete' }).click();
	await page.locator('li', { hasText: 'For n8n' }).waitFor({ state: 'detached' });
	expect((await made.get(context.home)).status).toBe(401);
	await press(page, 'Close');
});

inBrowser('a space is shared with a link to join, and the share is removed', async () => {
	await press(page, 'People');
	await page.getByText('Nobody else has a role here.').waitFor();
	await press(page, 'Share');
	await dialog().getByLabel('Email address').fill('new@example.com');
	await dialog().getByLabel('Role').selectOption('writer');
	await dialog().getByRole('button', { name: 'Share' }).click();
	await page.getByRole('heading', { name: 'Invitation for new@example.com' }).waitFor();
	const address = await dialog().locator('code').innerText();
	expect(address).toMatch(new RegExp(`^${context.service.url}/#join=[\\w-]+$`));
	const mail = await page.getByRole('link', { name: 'Write the email' }).getAttribute('href');
	expect(decodeURIComponent(mail ?? '')).toBe(`mailto:new@example.com?subject=Invitation&body=${address}`);
	expect(await owner.items(`${space}/invitations`)).toMatchObject([
		{ email: 'new@example.com', role: 'writer' },
	]);
	await dialog().getByRole('button', { name: 'Close' }).click();
	await page.getByText('new@example.com: writer').waitFor();
	await page.getByText('Has not joined yet').waitFor();
	await press(page, 'Remove');
	await dialog().getByRole('button', { name: 'Remove' }).click();
	await page.getByText('Nobody else has a role here.').waitFor();
	expect(await owner.items(`${space}/shares`)).toEqual([]);
	await press(page, 'Close');
});

inBrowser('a protected edit link opens one row for editing', async () => {
	await press(page, 'Open row 1');
	await press(page, 'Create an edit link');
	await dialog().getByLabel('Protection', { exact: true }).selectOption('link');
	await dialog().getByLabel('User name', { exact: true }).fill('guest');
	await dialog().getByLabel('Password', { exact: true }).fill('long enough');
	await dialog().getByRole('button', { name: 'Create' }).click();
	await page.getByRole('heading', { name: 'The link to this row' }).waitFor();
	const address = await dialog().locator('code').innerText();
	await page.keyboard.press('Escape');
	const stranger = await pages.page();
	await stranger.goto(address);
	await press(stranger, 'Log in to this link');
	await stranger.getByLabel('User name or key').fill('guest');
	await stranger.getByRole('dialog').getByLabel('Password or secret').fill('long enough');
	await press(stranger, 'Open');
	await stranger.getByRole('heading', { name: 'Things' }).waitFor();
	await becomes(() => stranger.getByLabel('TITLE').inputValue(), 'First');
	await stranger.getByLabel('N', { exact: true }).fill('12');
	await press(stranger, 'Save');
	await stranger.getByText('Saved.').waitFor();
	const first = async () => (await owner.items(`${grid}/entities`, byKey))[0] ?? {};
	await matches(first, { title: 'First', n: 12, on: true });
	await owner.put(href(await first(), 'update'), { n: 13 }, byKey);
	await stranger.getByLabel('N', { exact: true }).fill('14');
	await press(stranger, 'Save');
	await stranger.getByText('N: was changed to “13” in the meantime').waitFor();
	await matches(first, { n: 13 });
});

inBrowser('an edit link with the role reader shows the row without inputs', async () => {
	const entityId = String((await owner.items(`${grid}/entities`))[0]?.['_id']);
	const path = await owner.create(`${grid}/links`, { kind: 'edit', entityId, role: 'reader' });
	const stranger = await pages.page();
	await stranger.goto(`${context.service.url}/?link=${encodeURIComponent(path)}`);
	await stranger.getByText('First').waitFor();
	await becomes(() => stranger.locator('#public').locator('input, select, button').count(), 0);
});

inBrowser('the maker of a form chooses its columns, order, labels and required inputs', async () => {
	const asked = await makeGrid(owner, { title: { name: 'string' }, mail: { name: 'email' }, n: { name: 'integer' } }, 'Asked'); // prettier-ignore
	const path = await owner.create(`${asked.grid}/links`, { kind: 'form' });
	const maker = await pages.loggedIn();
	await open(maker, 'Asked');
	await choose(maker, 'Form');
	await maker.getByRole('checkbox', { name: 'N', exact: true }).uncheck();
	await maker.getByRole('button', { name: 'Move MAIL up' }).click();
	await maker.getByLabel('Label of MAIL').fill('Your address');
	await maker.getByLabel('Description of MAIL').fill('We answer there');
	const line = maker.locator('.lines li').filter({ hasText: 'MAIL' });
	await line.getByLabel('Required').check();
	await press(maker, 'Save');
	await becomes(() => maker.getByRole('dialog').count(), 0);
	const stranger = await pages.page();
	await stranger.goto(`${context.service.url}/?link=${encodeURIComponent(path)}`);
	await becomes(
		() => stranger.locator('#public label').allInnerTexts(),
		['Your address (required)', 'TITLE'],
	);
	await stranger.getByText('We answer there').waitFor();
	await stranger.getByLabel('TITLE').fill('Without an address');
	await press(stranger, 'Send');
	await becomes(() => stranger.locator('#public input:invalid').count(), 1);
	await stranger.getByLabel('Your address').fill('ada@example.com');
	await press(stranger, 'Send');
	await stranger.getByText('Your answers were saved').waitFor();
	await choose(maker, 'Form');
	await becomes(() => maker.getByLabel('Label of MAIL').inputValue(), 'Your address');
});

inBrowser('a form whose property another program wrote has all columns', async () => {
	const made = await makeGrid(owner, { title: { name: 'string' }, n: { name: 'integer' } }, 'Foreign');
	const [field] = await owner.fields(made.grid);
	const maker = await pages.loggedIn();
	await open(maker, 'Foreign');
	const input = { field: String(field?.['id']) };
	const designs = [null, 'text', [], { inputs: {} }, { inputs: [null] }, { inputs: [7] }, { inputs: [input, { field: 1 }] }, { inputs: [{ ...input, label: {} }] }, { inputs: [{ ...input, required: 'no' }] }]; // prettier-ignore
	for (const form of designs) {
		expect((await owner.patch(made.grid, { properties: { form } })).status).toBe(200);
		await choose(maker, 'Form');
		await becomes(() => maker.getByRole('dialog').locator('[data-field]:checked').count(), 2);
		await press(maker, 'Cancel');
		await becomes(() => maker.getByRole('dialog').count(), 0);
	}
	await choose(maker, 'Form');
	await press(maker, 'Save');
	const shown = () => owner.read(made.grid);
	await matches(shown, { properties: { form: { inputs: [input, {}] } } });
});

inBrowser('makers who change other properties of a grid meanwhile keep what each has changed', async () => {
	const columns = { title: { name: 'string' }, n: { name: 'integer' }, to: { name: 'reference' } };
	const made = await makeGrid(owner, columns, 'Together');
	const maker = await pages.loggedIn();
	await open(maker, 'Together');
	const write = async (properties: Record<string, unknown>) => {
		expect((await owner.patch(made.grid, { properties })).status).toBe(200);
	};
	const kept = () => owner.read(made.grid);
	await maker.locator('.head .sort', { hasText: 'TO' }).waitFor();
	await write({ note: 'first' });
	await choose(maker, 'Columns');
	await press(maker, 'Move N up');
	await press(maker, 'Show');
	const order = ['n', 'title', 'to'].map((key) => made.ids[key]);
	await matches(kept, { properties: { note: 'first', columnOrder: order } });
	await choose(maker, 'Form');
	await maker.getByLabel('Label of N').fill('Number');
	await write({ note: 'second', columnOrder: order });
	await press(maker, 'Save');
	const form = { inputs: [{ label: '' }, { label: 'Number' }, { label: '' }] };
	await matches(kept, { properties: { note: 'second', columnOrder: order, form } });
});

inBrowser('a public form is sent once, however often its button is pressed', async () => {
	const path = await owner.create(`${grid}/links`, { kind: 'form' });
	const stranger = await pages.page();
	await stranger.goto(`${context.service.url}/?link=${encodeURIComponent(path)}`);
	await stranger.getByLabel('TITLE').fill('By form');
	const held = await holdBack(stranger, 'POST', path);
	const send = stranger.getByRole('button', { name: 'Send' });
	await send.click();
	await held.arrived;
	await send.dispatchEvent('click');
	await stranger.keyboard.press('Enter');
	await held.release();
	await stranger.getByText('Your answers were saved').waitFor();
	expect(
		(await owner.items(`${grid}/entities`, byKey)).filter(({ title }) => title === 'By form'),
	).toHaveLength(1);
});

inBrowser('a user whose key was deleted logs in again and stays in the open grid', async () => {
	const makeKey = async (name: string) => {
		const made = (await owner.post(`${context.home}/accessKeys`, { name, role: 'admin' })).json();
		return { key: String(made['key']), secret: String(made['secret']) };
	};
	const key = await makeKey('Deleted');
	const other = await pages.loggedIn({}, key);
	await open(other, 'Things');
	await cell(other, 'First').waitFor();
	await becomes(() => other.getByRole('button', { name: 'Log in again' }).count(), 0);
	const { items } = await owner.read(`${context.home}/accessKeys`);
	await owner.delete(href(objects(items).find(({ name }) => name === 'Deleted') ?? {}, 'remove'));
	await press(other, 'Log in again');
	const next = await makeKey('Next');
	await other.getByRole('dialog').getByLabel('Key').fill(next.key);
	await other.getByRole('dialog').getByLabel('Secret').fill(next.secret);
	await press(other, 'Log in');
	await other.getByRole('dialog').waitFor({ state: 'detached' });
	await becomes(() => other.locator('#title').innerText(), 'Things');
	await other.locator('#live', { hasText: 'live' }).waitFor();
	await cell(other, 'First').dblclick();
	await other.locator('.editor').fill('Written after');
	await other.locator('.editor').press('Enter');
	await cell(other, 'Written after').waitFor();
	await becomes(() => other.getByRole('button', { name: 'Log in again' }).count(), 0);
	await other.close();
});
