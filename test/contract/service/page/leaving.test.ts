import type { Page } from 'playwright-core';
import { until } from '../../../../testbed/until';
import { href, makeGrid, startWithOwner, type Caller, byKey } from '../http';
import { becomes, cell, choose, inBrowser, open, Pages, press } from './browser';
import { holdBack } from './heldBack';

let context: Awaited<ReturnType<typeof startWithOwner>>;
let owner: Caller;
let page: Page;
let grid: string;
let space: string;
const pages = new Pages(() => context.service);

beforeAll(async () => {
	context = await startWithOwner();
	owner = context.owner;
	page = await pages.loggedIn({ permissions: ['clipboard-read', 'clipboard-write'] });
});
beforeEach(async () => {
	const columns = { title: { name: 'string' }, state: { name: 'enum', options: ['new', 'old'] } };
	({ grid, space } = await makeGrid(owner, columns));
	for (const title of ['One', 'Two', 'Three'])
		await owner.create(`${grid}/entities`, { title, state: 'new' }, byKey);
	await owner.create(`${grid}/sviews`, { type: 'kanban', properties: { name: 'Board' } });
	const other = await owner.create(`${space}/grids`, { name: 'Others' });
	await owner.create(`${other}/ColumnAdd`, { name: 'PLANT', key: 'plant', type: { name: 'string' } });
	await owner.create(`${other}/entities`, { plant: 'Oak' }, byKey);
	await page.goto(context.service.url);
	await page.locator('#who', { hasText: /./ }).waitFor({ state: 'attached' });
});
afterEach(async () => {
	await page.unrouteAll({ behavior: 'ignoreErrors' });
	await owner.delete(space);
});
afterAll(() => pages.close(context.service));

const dialog = () => page.getByRole('dialog');
const closed = () => dialog().waitFor({ state: 'detached' });
const titles = () => page.locator('dialog h2').allInnerTexts();
const rows = () => owner.items(`${grid}/entities`, byKey);
const pathOf = async (title: string) =>
	href((await rows()).find((one) => one['title'] === title) ?? {}, 'self');

/** Closes windows with Escape while a response is held back, then lets it through. */
async function closeWhileHeld(held: Awaited<ReturnType<typeof holdBack>>, windows = 1) {
	await held.arrived;
	for (let open = windows; open > 0; open--) await page.keyboard.press('Escape');
	await closed();
	await held.release();
}

const openThings = () => open(page, 'Things').then(() => cell(page, 'One').waitFor());

inBrowser('a list that was closed while a record was added stays closed', async () => {
	await press(page, 'People');
	await press(page, 'Share');
	await page.getByLabel('Email address').fill('left@example.com');
	const held = await holdBack(page, 'POST', '/invite');
	await dialog().last().getByRole('button', { name: 'Share' }).click();
	await closeWhileHeld(held, 2);
	await becomes(titles, []);
	await press(page, 'People');
	await page.getByText('left@example.com: reader').first().waitFor();
});

inBrowser('the secret of a new key is shown even if its dialogs were closed meanwhile', async () => {
	await press(page, 'Access keys');
	await press(page, 'Create a key');
	await dialog().last().getByLabel('Name').fill('Hasty');
	const held = await holdBack(page, 'POST', '/accessKeys');
	await press(page, 'Create');
	await closeWhileHeld(held, 2);
	await becomes(titles, ['The key “Hasty”']);
	await page.getByText('The secret is shown only once.').waitFor();
});

inBrowser('the secret of a new key is shown even if the list cannot be read', async () => {
	await press(page, 'Access keys');
	await press(page, 'Create a key');
	await dialog().last().getByLabel('Name').fill('Alone');
	await page.route('**/accessKeys*', (route) =>
		route.request().method() === 'GET' ? route.abort() : route.continue(),
	);
	await press(page, 'Create');
	await page.getByText('The secret is shown only once.').waitFor();
});

inBrowser('a dialog that opens late does not cover one opened after it', async () => {
	await openThings();
	const late: [open: () => Promise<void>, path: string][] = [
		[() => press(page, 'Open row 1'), await pathOf('One')],
		[() => choose(page, 'Add column'), '/api/types'],
		[() => press(page, 'Column STATE'), '/api/types'],
		[() => press(page, 'Import CSV'), '/api/types'],
		[() => press(page, 'People'), '/shares'],
		[() => choose(page, 'Public links'), '/links'],
	];
	for (const [openLate, path] of late) {
		const held = await holdBack(page, 'GET', path);
		await openLate();
		await held.arrived;
		await press(page, 'Filter');
		await page.getByRole('heading', { name: 'Filter rows' }).waitFor();
		await held.release();
		expect([path, await titles()]).toEqual([path, ['Filter rows']]);
		await page.keyboard.press('Escape');
		await closed();
	}
});

inBrowser('a dialog does not open late while the user types elsewhere', async () => {
	await openThings();
	const held = await holdBack(page, 'GET', '/api/types');
	await choose(page, 'Add column');
	await held.arrived;
	await page.getByLabel('Search rows').fill('O');
	await held.release();
	await becomes(titles, []);
});

inBrowser('a confirmation does not open late over another dialog', async () => {
	await openThings();
	for (const [edit, remove] of [
		['Column STATE', 'Delete this column'],
		['Edit grid', 'Delete “Things”'],
	] as const) {
		await (edit === 'Edit grid' ? choose : press)(page, edit);
		const held = await holdBack(page, 'GET', '/entities');
		await press(page, remove);
		await held.arrived;
		await press(page, 'Filter');
		await held.release();
		expect([remove, await titles()]).toEqual([remove, ['Filter rows']]);
		await page.keyboard.press('Escape');
		await closed();
	}
});

inBrowser('a change of type is abandoned if its dialog is closed', async () => {
	await openThings();
	await press(page, 'Column STATE');
	await dialog().getByLabel('Type').selectOption('integer');
	const held = await holdBack(page, 'GET', '/entities');
	await press(page, 'Save');
	await closeWhileHeld(held);
	await becomes(titles, []);
	expect((await rows()).map(({ state }) => state)).toEqual(['new', 'new', 'new']);
});

inBrowser('an import whose dialog was closed shows no preview', async () => {
	await press(page, 'Import CSV');
	await dialog().getByLabel('Name of the new grid').fill('Never');
	const file = { name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('A\n1\n') };
	await dialog().getByLabel('File').setInputFiles(file);
	const held = await holdBack(page, 'POST', '/uploadCSV');
	await press(page, 'Preview');
	await held.arrived;
	await press(page, 'Cancel');
	await closed();
	await held.release();
	await becomes(titles, []);
});

inBrowser('a grid that loads late does not replace the one opened after it', async () => {
	const held = await holdBack(page, 'GET', grid);
	await open(page, 'Things');
	await held.arrived;
	await open(page, 'Others');
	await cell(page, 'Oak').waitFor();
	await held.release();
	await becomes(() => page.locator('#title').innerText(), 'Others');
	await becomes(() => page.locator('.head .sort').allInnerTexts(), ['PLANT']);
	await page.locator('#live', { hasText: 'live' }).waitFor();
	await owner.create(`${grid}/entities`, { title: 'Unseen' }, byKey);
	await owner.delete(await pathOf('Unseen'));
	const polls: string[] = [];
	page.on('request', (request) => polls.push(request.url()));
	await until('two polls', () => polls.length >= 2);
	expect(polls.filter((url) => url.includes(`${grid}/updates`))).toEqual([]);
});

inBrowser('an edit that ends after another grid was opened does not restore its own buttons', async () => {
	await openThings();
	await cell(page, 'One').dblclick();
	await page.locator('.editor').fill('Uno');
	const held = await holdBack(page, 'PUT', await pathOf('One'));
	await page.locator('.editor').press('Enter');
	await held.arrived;
	await open(page, 'Others');
	await cell(page, 'Oak').waitFor();
	await held.release();
	await press(page, 'Add row');
	await becomes(() => dialog().locator('label').allInnerTexts(), ['PLANT']);
});

inBrowser('a search is not sent after another grid was opened', async () => {
	await openThings();
	await page.getByLabel('Search rows').fill('One');
	await open(page, 'Others');
	await cell(page, 'Oak').waitFor();
	// Longer than the debounce of the search.
	await page.evaluate('new Promise((resolve) => setTimeout(resolve, 400))');
	await press(page, 'Add row');
	await becomes(() => dialog().locator('label').allInnerTexts(), ['PLANT']);
});

inBrowser('a failure after its dialog was closed is reported on the page', async () => {
	await openThings();
	await press(page, 'Open row 1');
	await dialog().getByLabel('TITLE').fill('Lost');
	const path = await pathOf('One');
	const held = await holdBack(page, 'GET', path);
	await page.route(`**${path}`, (route) =>
		route.request().method() === 'PUT' ? route.abort() : route.fallback(),
	);
	await press(page, 'Save');
	await closeWhileHeld(held);
	await page.locator('#message', { hasText: 'One: ' }).waitFor();
});

inBrowser('a cell that is saved late does not take the focus', async () => {
	await openThings();
	await cell(page, 'Two').dblclick();
	await page.locator('.editor').fill('Second');
	const held = await holdBack(page, 'PUT', await pathOf('Two'));
	await page.locator('.editor').press('Enter');
	await held.arrived;
	await page.getByLabel('Search rows').focus();
	await held.release();
	await cell(page, 'Second').waitFor();
	await becomes(() => page.evaluate('document.activeElement.id'), 'search');
});

inBrowser('a card that is moved late does not take the focus', async () => {
	await openThings();
	await page.getByLabel('Show rows as').selectOption('Board');
	const held = await holdBack(page, 'PUT', await pathOf('Three'));
	await page.locator('.card', { hasText: 'Three' }).getByRole('button').press('Alt+ArrowRight');
	await held.arrived;
	await page.getByLabel('Search rows').focus();
	await held.release();
	await page.locator('.lane', { hasText: 'old' }).locator('.card', { hasText: 'Three' }).waitFor();
	await becomes(() => page.evaluate('document.activeElement.id'), 'search');
});

inBrowser('an abandoned paste is not shown, and the page reports it', async () => {
	await openThings();
	await page.evaluate("navigator.clipboard.writeText('Pasted')");
	await cell(page, 'One').click();
	const held = await holdBack(page, 'GET', '/entities');
	await page.keyboard.press('Control+V');
	await held.arrived;
	await press(page, 'Filter');
	await held.release();
	await becomes(titles, ['Filter rows']);
	await page.locator('#notice', { hasText: 'Nothing was pasted' }).waitFor();
});

inBrowser('a paste whose dialog is closed stops after the current row', async () => {
	await openThings();
	await page.evaluate("navigator.clipboard.writeText('1st\\n2nd\\n3rd')");
	await cell(page, 'One').click();
	await page.keyboard.press('Control+V');
	await dialog().waitFor();
	const held = await holdBack(page, 'PUT', await pathOf('One'));
	await press(page, 'Write');
	await held.arrived;
	await press(page, 'Cancel');
	await held.release();
	await page.getByText('row 2 and those after it are not written').waitFor();
	await press(page, 'Close');
	expect((await rows()).map(({ title }) => title)).toEqual(['1st', 'Two', 'Three']);
});

inBrowser('a view whose dialog was closed before it was created is listed, but not opened', async () => {
	await openThings();
	await choose(page, 'Save as view');
	await dialog().getByLabel('Name').fill('Quiet view');
	const held = await holdBack(page, 'POST', '/virtualgrids');
	await press(page, 'Save');
	await closeWhileHeld(held);
	await page.getByRole('button', { name: 'Quiet view' }).waitFor();
	await becomes(() => page.locator('#title').innerText(), 'Things');
});
