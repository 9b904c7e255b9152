import type { Page } from 'playwright-core';
import { makeGrid, startWithOwner, byKey } from '../../http';
import { becomes, cell, dialogOn, edit, fillIn, inBrowser, open, Pages, press } from '../browser';

let context: Awaited<ReturnType<typeof startWithOwner>>;
let boss: Page;
let ann: Page;
let bob: Page;
const errors: string[] = [];
const pages = new Pages(() => context.service);

beforeAll(async () => {
	context = await startWithOwner({ passwordCost: 2 });
	const { owner } = context;
	const { grid } = await makeGrid(owner, { title: { name: 'string' }, by: { name: 'createdby' } });
	await owner.create(`${grid}/entities`, { title: 'One' }, byKey);
});
afterAll(() => pages.close(context.service));

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
const isLoggedIn = (page: Page, name: string) => page.locator('#who').getByText(name, { exact: true }).waitFor(); // prettier-ignore
async function logIn(page: Page, name: string, password: string) {
	await page.getByLabel('Email or key').fill(name);
	await page.getByLabel('Password or secret').fill(password);
	await press(page, 'Log in');
}

const roleOf = (name: string) =>
	dialogOn(boss).getByLabel(`Role of ${name} (${name.toLowerCase()}@example.com)`);

/** Shares the space on the owner's page. @returns the link to join */
async function invite(email: string, role: string) {
	await press(boss, 'Share');
	await fillIn(boss, { 'Email address': email, Role: role });
	await dialogOn(boss).getByRole('button', { name: 'Share' }).click();
	await boss.getByRole('heading', { name: `Invitation for ${email}` }).waitFor();
	const link = await dialogOn(boss).locator('code').innerText();
	await dialogOn(boss).getByRole('button', { name: 'Close' }).click();
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
	await logIn(boss, context.service.key, 'wrong');
	await boss.getByText('Unknown key, or wrong secret').waitFor();
	await logIn(boss, context.service.key, context.service.secret);
	await open(boss, 'Things');
	await press(boss, 'People');
	const toAnn = await invite('ann@example.com', 'admin');
	const toBob = await invite('bob@example.com', 'writer');
	await press(boss, 'Close');
	ann = await join(toAnn, 'Ann');
	bob = await join(toBob, 'Bob');
	await press(boss, 'People');
	await dialogOn(boss).getByText('Ann (ann@example.com)').waitFor();
	await becomes(() => roleOf('Ann').inputValue(), 'admin');
	await becomes(() => dialogOn(boss).getByText('Has not joined yet').count(), 0);
	await press(boss, 'Close');
	const again = await watched();
	await again.goto(toAnn);
	await again.getByText('This invitation is no longer valid.').waitFor();
	await again.close();
});

inBrowser('people see names and roles; a role is changed in the list, and one changes one\'s own name', async () => {
	await press(boss, 'People');
	await dialogOn(boss).getByText(/, you$/).waitFor();
	await dialogOn(boss).getByText('owner: also deletes the space').waitFor();
	await dialogOn(boss).getByText('gets a link from you: “New password”').waitFor();
	await becomes(() => roleOf('Bob').locator('option').allInnerTexts(), [
		'creator: adds rows, and sees none',
		'reader: sees everything, and changes nothing',
		'writer: adds, changes and deletes rows',
		'admin: also changes columns, views, forms, links and people',
	]);
	await roleOf('Bob').selectOption('reader');
	await boss.locator('#notice', { hasText: 'Bob (bob@example.com) is now reader' }).waitFor();
	await press(bob, 'People');
	await dialogOn(bob).getByText('Bob, you').waitFor();
	await dialogOn(bob).getByText('reader: sees everything, and changes nothing').waitFor();
	await dialogOn(bob).getByText('asks the owner of the service').waitFor();
	// Addresses are shown to those who share the space.
	expect(await dialogOn(bob).innerText()).not.toContain('ann@example.com');
	await press(bob, 'Close');
	await roleOf('Bob').selectOption('writer');
	await becomes(() => roleOf('Bob').inputValue(), 'writer');
	await press(boss, 'Close');
	await press(ann, 'Your name');
	await fillIn(ann, { Name: 'Annabel' });
	await press(ann, 'Change the name');
	await isLoggedIn(ann, 'Annabel');
	await open(ann, 'Things');
	await edit(cell(ann, 'One'), 'By Ann');
	await open(boss, 'Things');
	await boss.locator('#changes li', { hasText: 'One → By Ann' }).getByText('Annabel, ').waitFor();
	await press(boss, 'Open row 1');
	await dialogOn(boss).getByText('History').click();
	await dialogOn(boss).locator('li', { hasText: 'One → By Ann' }).getByText('Annabel, ').waitFor();
	await press(boss, 'Cancel');
	await boss.getByRole('gridcell', { name: String((await context.owner.read(context.home))['name']) }).waitFor();
	await press(boss, 'Filter');
	await fillIn(boss, { Column: 'BY', Value: 'Annabel' });
	await press(boss, 'Show rows');
	await boss.getByText('No rows').waitFor();
	await press(boss, 'Filter (1)');
	await press(boss, 'Remove all');
	await press(boss, 'Show rows');
	await edit(cell(boss, 'By Ann'), 'One');
	await cell(boss, 'One').waitFor();
}); // prettier-ignore

inBrowser('a session survives a reload, and ends with the log-out', async () => {
	await open(bob, 'Things');
	await cell(bob, 'One').waitFor();
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

/** Number of access keys of a person. */
const keysOf = async (page: Page) => {
	await press(page, 'Access keys');
	await dialogOn(page).getByText('Use a key in n8n').waitFor();
	const count = await dialogOn(page).getByRole('button', { name: 'Delete' }).count();
	await press(page, 'Close');
	return count;
};
async function makeKey(page: Page) {
	await press(page, 'Access keys');
	await press(page, 'Create a key');
	await fillIn(page, { Name: 'for n8n' });
	await press(page, 'Create');
	await page.getByRole('heading', { name: 'The key “for n8n”' }).waitFor();
	await dialogOn(page).getByRole('button', { name: 'Close' }).click();
	await press(page, 'Close');
}

inBrowser(
	'a password is changed, and reset by the owner of the service, without or with the keys',
	async () => {
		await makeKey(ann);
		await press(ann, 'Password');
		await fillIn(ann, { 'Current password': 'the password of Ann', 'New password': 'another one of Ann' });
		await press(ann, 'Change the password');
		await ann.getByText('The password was changed.').waitFor();
		expect(await keysOf(ann)).toBe(1);
		await press(ann, 'Password');
		await fillIn(ann, { 'Current password': 'another one of Ann', 'New password': 'a third one of Ann' });
		await dialogOn(ann).getByLabel('Also delete all access keys').check();
		await press(ann, 'Change the password');
		await ann.getByRole('dialog').waitFor({ state: 'detached' });
		expect(await keysOf(ann)).toBe(0);
		await makeKey(bob);
		await open(ann, 'Things');
		await cell(ann, 'One').waitFor();
		await press(boss, 'People');
		await press(boss, 'New password for bob@example.com');
		const link = await dialogOn(boss).locator('code').innerText();
		await press(bob, 'Log out');
		await bob.getByLabel('Email or key').waitFor();
		await bob.goto('about:blank');
		await bob.goto(link);
		await bob.getByRole('heading', { name: 'A new password for Bob' }).waitFor();
		await bob.getByLabel('Password', { exact: true }).fill('a new one of Bob');
		await bob.getByLabel('Also delete 1 access key of the account').check();
		await press(bob, 'Set the password');
		await isLoggedIn(bob, 'Bob');
		expect(await keysOf(bob)).toBe(0);
		// No page of the team shows an error on its console.
		expect(errors).toEqual([]);
	},
);
