import type { Page } from 'playwright-core';
import { makeGrid, objects, startWithOwner, type Caller } from '../../http';
import { becomes, cell, choose, inBrowser, open, Pages, press, row } from '../browser';

let context: Awaited<ReturnType<typeof startWithOwner>>;
let owner: Caller;
let grid: string;
let boss: Page;
let ann: Page;
let bob: Page;
const errors: string[] = [];
const pages = new Pages(() => context.service);

beforeAll(async () => {
	context = await startWithOwner({ passwordCost: 2 });
	owner = context.owner;
	const columns = { title: { name: 'string' }, n: { name: 'integer' } };
	({ grid } = await makeGrid(owner, columns));
	await owner.create(`${grid}/entities`, { title: 'One', n: 1 }, { layout: 'key' });
});
afterAll(async () => {
	await pages.close();
	await context.service.stop();
});

/** Opens a browser of its own, whose console is watched. */
async function watched(): Promise<Page> {
	const page = await pages.page();
	page.on('console', (message) => {
		// Browsers also report refusals: of a used invitation, a wrong password, an ended session.
		const isRefusal = /status of 40[14]/.test(message.text());
		if (message.type() === 'error' && !isRefusal) errors.push(message.text());
	});
	return page;
}
const dialog = (page: Page) => page.getByRole('dialog').last();
const isLoggedIn = (page: Page, name: string) => page.locator('#who').getByText(name, { exact: true }).waitFor(); // prettier-ignore
const values = async () =>
	objects((await owner.get(`${grid}/entities`, { layout: 'key' })).json()['items']).map(({ n }) => n);

async function logIn(page: Page, name: string, password: string) {
	await page.getByLabel('Email or key').fill(name);
	await page.getByLabel('Password or secret').fill(password);
	await press(page, 'Log in');
}

/** Shares the space on the owner's page. @returns the link to join */
async function invite(email: string, role: string) {
	await press(boss, 'Share');
	await dialog(boss).getByLabel('Email address').fill(email);
	await dialog(boss).getByLabel('Role').selectOption(role);
	await dialog(boss).getByRole('button', { name: 'Share' }).click();
	await boss.getByRole('heading', { name: `Invitation for ${email}` }).waitFor();
	const link = await dialog(boss).locator('code').innerText();
	await dialog(boss).getByRole('button', { name: 'Close' }).click();
	return link;
}

async function join(link: string, name: string) {
	const page = await watched();
	await page.goto(link);
	await page.getByLabel('Your name').fill(name);
	await page.getByLabel('Password', { exact: true }).fill(`the password of ${name}`);
	await press(page, 'Join');
	await isLoggedIn(page, name);
	return page;
}

inBrowser('two people join by the links that the owner copies', async () => {
	boss = await watched();
	await boss.goto(context.service.url);
	await logIn(boss, context.service.key, context.service.secret);
	await open(boss, 'Things');
	await press(boss, 'People');
	const [toAnn, toBob] = [
		await invite('ann@example.com', 'admin'),
		await invite('bob@example.com', 'writer'),
	];
	await press(boss, 'Close');
	ann = await join(toAnn, 'Ann');
	bob = await join(toBob, 'Bob');
	await press(boss, 'People');
	await dialog(boss).getByText('ann@example.com: admin').waitFor();
	await becomes(() => dialog(boss).getByText('Has not joined yet').count(), 0);
	await press(boss, 'Close');
	const again = await watched();
	await again.goto(toAnn);
	await again.getByText('This invitation is no longer valid.').waitFor();
	await again.close();
});

inBrowser('what one of them writes, the others see; a conflict loses nothing', async () => {
	for (const page of [ann, bob]) {
		await open(page, 'Things');
		await cell(page, 'One').waitFor();
	}
	const edit = async (page: Page, value: string) => {
		await row(page, 'One').locator('[data-column="1"]').dblclick();
		await page.locator('.editor').fill(value);
	};
	await edit(ann, '2');
	await edit(bob, '3');
	await ann.locator('.editor').press('Enter');
	await row(boss, 'One').locator('.right', { hasText: '2' }).waitFor();
	await bob.locator('.editor').press('Enter');
	await bob.getByText('“N” was changed to “2” in the meantime; your value was not written: “3”').waitFor();
	await row(bob, 'One').locator('.right', { hasText: '2' }).waitFor();
	await becomes(values, [2]);
});

inBrowser('one makes a form, and one imports a file', async () => {
	await choose(ann, 'Public links');
	await press(ann, 'Create a link');
	await dialog(ann).getByRole('button', { name: 'Create' }).click();
	const address = await ann.getByRole('link', { name: 'Open' }).getAttribute('href');
	await press(ann, 'Close');
	const guest = await watched();
	await guest.goto(address ?? '');
	await guest.getByLabel('TITLE').fill('From a guest');
	await press(guest, 'Send');
	await guest.getByText('Your answers were saved').waitFor();
	await guest.close();
	for (const page of [boss, ann, bob]) await cell(page, 'From a guest').waitFor();
	await press(ann, 'Import CSV');
	await dialog(ann).getByLabel('Name of the new grid').fill('Stock');
	const buffer = Buffer.from('Item,Count\nNails,10\n');
	await dialog(ann).getByLabel('File').setInputFiles({ name: 'stock.csv', mimeType: 'text/csv', buffer });
	await press(ann, 'Preview');
	await ann.getByRole('button', { name: 'Import', exact: true }).click();
	await cell(ann, 'Nails').waitFor();
	for (const page of [boss, bob]) await page.getByRole('button', { name: 'Stock', exact: true }).waitFor();
});

inBrowser('a session survives a reload, and ends with the log-out', async () => {
	await bob.reload();
	await isLoggedIn(bob, 'Bob');
	await cell(bob, 'One').waitFor();
	await becomes(() => bob.evaluate('document.cookie'), '');
	await press(bob, 'Log out');
	await bob.getByLabel('Email or key').waitFor();
	await bob.reload();
	await bob.getByLabel('Email or key').waitFor();
	await logIn(bob, 'bob@example.com', 'wrong');
	await bob.getByText('Unknown email address, or wrong password').waitFor();
	await logIn(bob, 'bob@example.com', 'the password of Bob');
	await isLoggedIn(bob, 'Bob');
	await cell(bob, 'One').waitFor();
	await becomes(() => bob.getByRole('button', { name: 'Log in again' }).count(), 0);
});

inBrowser('a password is changed, and reset by the owner of the service', async () => {
	await press(ann, 'Password');
	await dialog(ann).getByLabel('Current password').fill('the password of Ann');
	await dialog(ann).getByLabel('New password').fill('another one of Ann');
	await press(ann, 'Change the password');
	await ann.getByText('The password was changed.').waitFor();
	await open(ann, 'Things');
	await cell(ann, 'One').waitFor();
	await press(boss, 'People');
	await press(boss, 'New password for bob@example.com');
	const link = await dialog(boss).locator('code').innerText();
	await press(bob, 'Log out');
	await bob.getByLabel('Email or key').waitFor();
	await bob.goto('about:blank');
	await bob.goto(link);
	await bob.getByRole('heading', { name: 'A new password for Bob' }).waitFor();
	await bob.getByLabel('Password', { exact: true }).fill('a new one of Bob');
	await press(bob, 'Set the password');
	await isLoggedIn(bob, 'Bob');
});

inBrowser('no page of the team shows an error on its console or asks another server', () => {
	expect([errors, pages.problems]).toEqual([[], []]);
});
