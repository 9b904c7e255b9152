import type { Page } from 'playwright-core';
import { until } from '../../../../testbed/until';
import { byKey, href, makeGrid, startWithOwner, type Caller } from '../http';
import {
	becomes,
	cell,
	choose,
	dialogOn,
	edit,
	fillIn,
	inBrowser,
	open,
	Pages,
	press,
	submit,
} from './browser';
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

const titles = () => page.locator('dialog h2').allInnerTexts();
const values = async (key: string) => (await owner.items(`${grid}/entities`, byKey)).map((row) => row[key]);
const pathOf = async (title: string) =>
	href((await owner.items(`${grid}/entities`, byKey)).find((row) => row['title'] === title) ?? {}, 'self');

/** Holds back the responses to what `act` requests until `meanwhile` has run. */
async function whileHeld(
	[method, path]: readonly [method: string, path: string],
	act: () => Promise<unknown>,
	meanwhile: () => Promise<unknown>,
) {
	const held = await holdBack(page, method, path);
	await act();
	await held.arrived;
	await meanwhile();
	await held.release();
}

/** Closes dialogs with Escape, and waits until none is open. @param dialogs their number */
const leave = async (dialogs = 1) => {
	for (let open = dialogs; open > 0; open--) await page.keyboard.press('Escape');
	await page.getByRole('dialog').waitFor({ state: 'detached' });
};
const openThings = () => open(page, 'Things').then(() => cell(page, 'One').waitFor());
const openOthers = () => open(page, 'Others').then(() => cell(page, 'Oak').waitFor());
const pressInDialog = (name: string) => dialogOn(page).getByRole('button', { name, exact: true }).click();
const openFilter = async () => {
	await press(page, 'Filter');
	await page.getByRole('heading', { name: 'Filter rows' }).waitFor();
};
const paste = async (text: string) => {
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await cell(page, 'One').click();
	await page.keyboard.press('Control+V');
};

inBrowser('a list that was closed while a record was added stays closed', async () => {
	await press(page, 'People');
	await press(page, 'Share');
	await fillIn(page, { 'Email address': 'left@example.com' });
	await whileHeld(['POST', '/invite'], () => pressInDialog('Share'), () => leave(2)); // prettier-ignore
	await becomes(titles, []);
	await press(page, 'People');
	await becomes(() => page.getByLabel('Role of left@example.com').inputValue(), 'reader');
});

inBrowser(
	'the secret of a new key is shown, also if its dialogs are closed or the list is lost',
	async () => {
		const create = async (name: string) => {
			await press(page, 'Access keys');
			await press(page, 'Create a key');
			await fillIn(page, { Name: name });
		};
		await create('Hasty');
		await whileHeld(['POST', '/accessKeys'], () => press(page, 'Create'), () => leave(2)); // prettier-ignore
		await becomes(titles, ['The key “Hasty”']);
		await page.getByText('The secret is shown only once.').waitFor();
		await submit(page, 'Close');
		await create('Alone');
		await page.route('**/accessKeys*', (route) =>
			route.request().method() === 'GET' ? route.abort() : route.continue(),
		);
		await press(page, 'Create');
		await page.getByText('The secret is shown only once.').waitFor();
	},
);

inBrowser('a dialog or confirmation that opens late does not cover one opened after it', async () => {
	await openThings();
	const late: Array<[open: () => Promise<void>, path: string]> = [
		[() => press(page, 'Open row 1'), await pathOf('One')],
		[() => choose(page, 'Add column'), '/api/types'],
		[() => press(page, 'Column STATE'), '/api/types'],
		[() => press(page, 'Import CSV'), '/api/types'],
		[() => press(page, 'People'), '/people'],
		[() => choose(page, 'Public links'), '/links'],
		[() => press(page, 'Column STATE').then(() => press(page, 'Delete this column')), '/entities'],
		[() => choose(page, 'Edit grid').then(() => press(page, 'Delete “Things”')), '/entities'],
	];
	for (const [openLate, path] of late) {
		await whileHeld(['GET', path], openLate, openFilter);
		expect([path, await titles()]).toEqual([path, ['Filter rows']]);
		await leave();
	}
	// Nor does it open while the user types elsewhere.
	const search = () => page.getByLabel('Search rows').fill('O');
	await whileHeld(['GET', '/api/types'], () => choose(page, 'Add column'), search);
	await becomes(titles, []);
});

inBrowser('a change of type and an import are abandoned if their dialogs are closed', async () => {
	await openThings();
	await press(page, 'Column STATE');
	await dialogOn(page).getByLabel('Type').selectOption('integer');
	await whileHeld(['GET', '/entities'], () => press(page, 'Save'), leave);
	await becomes(titles, []);
	expect(await values('state')).toEqual(['new', 'new', 'new']);
	await press(page, 'Import CSV');
	await fillIn(page, { 'Name of the new grid': 'Never' });
	const file = { name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('A\n1\n') };
	await dialogOn(page).getByLabel('File').setInputFiles(file);
	await whileHeld(['POST', '/uploadCSV'], () => press(page, 'Preview'), () => submit(page, 'Cancel')); // prettier-ignore
	await becomes(titles, []);
});

inBrowser('a grid that loads late does not replace the one opened after it', async () => {
	await whileHeld(['GET', grid], () => open(page, 'Things'), openOthers);
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

inBrowser('an edit and a search that end after another grid was opened do not return to theirs', async () => {
	const isOthers = async () => {
		await press(page, 'Add row');
		await becomes(() => dialogOn(page).locator('label').allInnerTexts(), ['PLANT']);
		await leave();
	};
	await openThings();
	const one = await pathOf('One');
	await whileHeld(['PUT', one], () => edit(cell(page, 'One'), 'Uno'), openOthers);
	await isOthers();
	await open(page, 'Things');
	await cell(page, 'Uno').waitFor();
	await page.getByLabel('Search rows').fill('Uno');
	await openOthers();
	// Longer than the debounce of the search.
	await page.evaluate('new Promise((resolve) => setTimeout(resolve, 400))');
	await isOthers();
});

inBrowser('a failure after its dialog was closed is reported on the page', async () => {
	await openThings();
	await press(page, 'Open row 1');
	await fillIn(page, { TITLE: 'Lost' });
	const path = await pathOf('One');
	await page.route(`**${path}`, (route) =>
		route.request().method() === 'PUT' ? route.abort() : route.fallback(),
	);
	await whileHeld(['GET', path], () => press(page, 'Save'), leave);
	await page.locator('#message', { hasText: 'One: ' }).waitFor();
});

inBrowser('a cell that is saved late and a card that is moved late do not take the focus', async () => {
	await openThings();
	const search = () => page.getByLabel('Search rows').focus();
	const isSearching = () => becomes(() => page.evaluate('document.activeElement.id'), 'search');
	await whileHeld(['PUT', await pathOf('Two')], () => edit(cell(page, 'Two'), 'Second'), search);
	await cell(page, 'Second').waitFor();
	await isSearching();
	await page.getByLabel('Show rows as').selectOption('Board');
	const card = page.locator('.card', { hasText: 'Three' });
	const move = () => card.getByRole('button').press('Alt+ArrowRight');
	await whileHeld(['PUT', await pathOf('Three')], move, search);
	await page.locator('.lane', { hasText: 'old' }).locator('.card', { hasText: 'Three' }).waitFor();
	await isSearching();
});

inBrowser('an abandoned paste is not shown, and the page reports it', async () => {
	await openThings();
	await whileHeld(['GET', '/entities'], () => paste('Pasted'), openFilter);
	await becomes(titles, ['Filter rows']);
	await page.locator('#notice', { hasText: 'Nothing was pasted' }).waitFor();
});

inBrowser('a paste whose dialog is closed stops after the current row', async () => {
	await openThings();
	await paste('1st\n2nd\n3rd');
	await dialogOn(page).waitFor();
	await whileHeld(['PUT', await pathOf('One')], () => press(page, 'Write'), () => press(page, 'Cancel')); // prettier-ignore
	await page.getByText('row 2 and those after it are not written').waitFor();
	await press(page, 'Close');
	expect(await values('title')).toEqual(['1st', 'Two', 'Three']);
});

inBrowser('a view whose dialog was closed before it was created is listed, but not opened', async () => {
	await openThings();
	await choose(page, 'Save as view');
	await fillIn(page, { Name: 'Quiet view' });
	await whileHeld(['POST', '/virtualgrids'], () => press(page, 'Save'), leave);
	await page.getByRole('button', { name: 'Quiet view' }).waitFor();
	await becomes(() => page.locator('#title').innerText(), 'Things');
});
