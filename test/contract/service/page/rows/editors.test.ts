import type { Page } from 'playwright-core';
import { byKey, href, id } from '../../http';
import { becomes, choose, inBrowser, matches, open, press, row } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: {
		title: { name: 'string' },
		note: { name: 'richText' },
		tags: { name: 'enumcollection', options: ['red', { value: 'g', label: 'Green' }, 'blue'] },
		mail: { name: 'email' },
		phone: { name: 'phoneNumber' },
		files: { name: 'attachments' },
		who: { name: 'user' },
	},
	rows: [
		{ title: 'One', note: '<p>Hello <b>you</b> &amp; me</p><p>Bye</p><script>x()</script>', tags: ['g'] },
		{ title: 'Two', note: '<img src=x onerror="window.hacked=1">shown' },
	],
});
const { owner, dialog, submit, rowOf } = things;
let page: Page;
let grid: string;
beforeAll(() => {
	({ page, grid } = things);
});

inBrowser('rich text is shown and edited as text, and nothing of it runs', async () => {
	await row(page, 'One').getByText('Hello you & me Bye').waitFor();
	await row(page, 'Two').getByText('shown', { exact: true }).waitFor();
	await press(page, 'Open row 1');
	await becomes(() => dialog().getByLabel('NOTE').inputValue(), 'Hello you & me\nBye');
	await submit('Save', { TITLE: 'One!' });
	// A text that was not changed keeps its formats.
	await matches(() => rowOf('One!'), {
		note: '<p>Hello <b>you</b> &amp; me</p><p>Bye</p><script>x()</script>',
	});
	await press(page, 'Open row 1');
	await submit('Save', { NOTE: '1 < 2\n<b>no tag</b>' });
	await matches(() => rowOf('One!'), { note: '<p>1 &lt; 2</p><p>&lt;b&gt;no tag&lt;/b&gt;</p>' });
	await row(page, 'One!').getByText('1 < 2 <b>no tag</b>').waitFor();
	await becomes(() => page.evaluate('String(window.hacked)'), 'undefined');
});

inBrowser('files are lines of a name and an address', async () => {
	await press(page, 'Open row 2');
	const files = dialog().getByRole('group', { name: 'FILES' });
	await files.getByRole('button', { name: 'Add a link to a file' }).click();
	await files.getByLabel('Name of file 1').fill('Plan');
	await press(page, 'Save');
	await dialog().getByText('FILES: “” is not an address of a file').waitFor();
	await files.getByLabel('Address of file 1').fill('https://files.example/plan.pdf');
	await files.getByRole('button', { name: 'Add a link to a file' }).click();
	await files.getByLabel('Address of file 2').fill('https://files.example/map.png');
	await submit('Save');
	await matches(() => rowOf('Two'), {
		files: [
			{ name: 'Plan', url: 'https://files.example/plan.pdf' },
			{ name: 'map.png', url: 'https://files.example/map.png' },
		],
	});
	await row(page, 'Two').getByText('Plan, map.png').waitFor();
	await press(page, 'Open row 2');
	await files.getByRole('button', { name: 'Remove file 1' }).click();
	await submit('Save');
	await row(page, 'Two').getByText('map.png', { exact: true }).waitFor();
});

inBrowser('a column of people suggests those of the space', async () => {
	const [space] = grid.split('/grids/');
	await owner.create(`${space}/shares`, { email: 'ada@example.com', role: 'reader' });
	await press(page, 'Open row 2');
	await dialog().getByLabel('WHO').focus();
	const suggested = page.locator('#people option[value="ada@example.com"]');
	await suggested.waitFor({ state: 'attached' });
	await submit('Save', { WHO: 'ada@example.com' });
	await matches(() => rowOf('Two'), { who: 'ada@example.com' });
});

inBrowser('several choices are picked from the options of their column', async () => {
	await press(page, 'Open row 1');
	const tags = dialog().getByRole('group', { name: 'TAGS' });
	await becomes(() => tags.getByLabel('Green').isChecked(), true);
	await tags.getByLabel('Green').uncheck();
	await tags.getByLabel('blue').check();
	await tags.getByLabel('red').check();
	await submit('Save');
	await matches(() => rowOf('One!'), { tags: ['red', 'blue'] });
	await row(page, 'One!').getByText('red, blue').waitFor();
});

inBrowser('a view whose filter compares choices with a text is edited', async () => {
	const fields = Object.values(things.context.ids);
	const filter = { [id(things.context.ids, 'tags')]: { $contains: 'blue' } };
	await owner.create(`${grid}/virtualgrids`, { name: 'Blue', fields, filter });
	await open(page, 'Blue');
	await things.isTitled('Blue');
	await choose(page, 'Edit view');
	await becomes(() => dialog().getByLabel('Value').inputValue(), 'blue');
	await press(page, 'Cancel');
	await open(page, 'Things');
	await things.isTitled('Things');
});

inBrowser('a form has email inputs, and a refused value marks its input', async () => {
	await things.change('Two', { tags: ['red'] });
	const path = await owner.create(`${grid}/links`, { kind: 'form' });
	const guest = await things.guest(path);
	const mail = guest.getByLabel('MAIL', { exact: true });
	await becomes(() => mail.getAttribute('type'), 'email');
	await mail.fill('me@example.com');
	const phone = guest.getByLabel('PHONE');
	await becomes(() => phone.getAttribute('type'), 'tel');
	await phone.fill('none');
	await press(guest, 'Send');
	await guest.getByRole('alert').filter({ hasText: 'The value of “PHONE” does not fit' }).waitFor();
	await becomes(() => phone.getAttribute('aria-invalid'), 'true');
	await guest.locator('[aria-invalid]:focus').waitFor();
	await phone.fill('+49 30 1234567');
	await guest.getByRole('group', { name: 'TAGS' }).getByLabel('Green').check();
	await press(guest, 'Send');
	await guest.getByText('Your answers were saved').waitFor();
	expect((await things.rows()).at(-1)).toMatchObject({ mail: 'me@example.com', tags: ['g'] });
});

inBrowser('linked rows have their visible names and are picked by a search in their grid', async () => {
	const other = await owner.create(`${things.context.space}/grids`, { name: 'Customers' });
	await owner.create(`${other}/ColumnAdd`, { name: 'Name', key: 'name', type: { name: 'string' } });
	for (const name of ['Alder', 'Birch']) await owner.create(`${other}/entities`, { name }, byKey);
	await choose(page, 'Add column');
	await submit('Add', { Name: 'Customer', Type: 'Linked Row', 'Links to rows of': 'Customers' });
	await page.getByRole('columnheader', { name: 'Customer' }).waitFor();
	await press(page, 'Open row 2');
	await dialog().getByLabel('Search rows for Customer').fill('bir');
	await dialog().getByRole('button', { name: 'Birch', exact: true }).waitFor();
	await page.keyboard.press('Enter');
	await dialog().getByRole('button', { name: 'Remove Birch' }).waitFor();
	await submit('Save');
	await row(page, 'Two').getByText('Birch', { exact: true }).waitFor();
	await page.reload();
	await row(page, 'Two').getByText('Birch', { exact: true }).waitFor();
	await press(page, 'Open row 2');
	await press(page, 'Remove Birch');
	await submit('Save');
	await becomes(async () => (await rowOf('Two'))['customer'], null);
});

inBrowser('a row that is missing in the linked grid is made in the search for it', async () => {
	const other = (await owner.items(`${things.context.space}/grids`)).find(({ name }) => name === 'Customers');
	const names = async () => (await owner.items(href(other ?? {}, 'entities'), byKey)).map(({ name }) => name);
	await press(page, 'Open row 2');
	const search = dialog().getByLabel('Search rows for Customer');
	await search.fill('Birch');
	await dialog().getByRole('button', { name: 'Birch', exact: true }).waitFor();
	expect(
		await dialog()
			.getByRole('button', { name: /^Add “/ })
			.count(),
	).toBe(0);
	await search.fill('Bir');
	await dialog().getByRole('button', { name: 'Add “Bir” to Customers' }).waitFor();
	await search.fill('Cedar');
	await dialog().getByText('No row has this name.').waitFor();
	// A key that is pressed too often makes no row.
	await page.keyboard.press('Enter');
	await dialog().getByRole('button', { name: 'Add “Cedar” to Customers' }).click();
	await dialog().getByRole('button', { name: 'Remove Cedar' }).waitFor();
	await submit('Save');
	await row(page, 'Two').getByText('Cedar', { exact: true }).waitFor();
	expect(await names()).toEqual(['Alder', 'Birch', 'Cedar']);
});
