import type { Page } from 'playwright-core';
import { until } from '../../../../../testbed/until';
import type { Caller } from '../../http';
import { href, id, type Json, byKey } from '../../http';
import { becomes, cell, inBrowser, matches, open, press, row } from '../browser';
import { startGridPage, type GridPage } from '../gridPage';

let fixture: GridPage;
let owner: Caller;
let page: Page;
let grid: string;
let ids: Record<string, string>;

beforeAll(async () => {
	fixture = await startGridPage({
		columns: {
			title: { name: 'string' },
			n: { name: 'integer' },
			on: { name: 'boolean' },
			state: { name: 'enum', options: ['new', { value: 'old', label: 'Very old' }] },
			due: { name: 'date' },
			mail: { name: 'email' },
			by: { name: 'createdby' },
		},
		rows: [
			{ title: 'One', n: 1 },
			{ title: 'Two', n: 1 },
			{ title: 'Three', n: 1 },
		],
		browser: { permissions: ['clipboard-read', 'clipboard-write'] },
	});
	({ owner, page, grid, ids } = fixture);
});
afterAll(() => fixture.stop());

const dialog = () => page.getByRole('dialog');
const closed = () => dialog().waitFor({ state: 'detached' });
const notice = (text: string) => page.locator('#notice', { hasText: text }).waitFor();
const rows = () => owner.items(`${grid}/entities`, byKey);
const values = async (...keys: string[]) => (await rows()).map((one) => keys.map((key) => one[key]));
const rowOf = async (title: string): Promise<Json> =>
	(await rows()).find((one) => one['title'] === title) ?? {};

/** Pastes a block at a cell, as after a copy in a spreadsheet. */
async function paste(at: { row: number; column: number }, ...lines: string[][]) {
	const text = lines.map((cells) => `${cells.join('\t')}\r\n`).join('');
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await page.locator(`[data-row="${at.row}"] [data-column="${at.column}"]`).click();
	await page.keyboard.press('Control+V');
	await dialog().waitFor();
}

inBrowser('a block from a spreadsheet is previewed with its changes before it is written', async () => {
	await paste({ row: 1, column: 0 }, ['Two', '22', 'yes', 'Very old', '2026-03-01'], ['"3 ""a""\nb"', '', 'no']); // prettier-ignore
	await dialog().getByText('7 cells in 2 rows change, 0 rows are added.').waitFor();
	await dialog().getByRole('cell', { name: '2026-03-01' }).waitFor();
	await becomes(() => values('title'), [['One'], ['Two'], ['Three']]);
	await press(page, 'Write');
	await closed();
	await notice('Pasted: 7 cells changed, 0 rows added, 0 cells refused.');
	await row(page, 'Very old').waitFor();
	await becomes(
		() => values('title', 'n', 'on', 'state', 'due'),
		[
			['One', 1, null, null, null],
			['Two', 22, true, 'old', '2026-03-01'],
			['3 "a"\nb', null, false, null, null],
		],
	);
});

inBrowser('Undo restores the values that a paste replaced', async () => {
	await press(page, 'Undo');
	await notice('Undone: 7 cells restored');
	await becomes(
		() => values('title', 'n', 'on', 'state', 'due'),
		[
			['One', 1, null, null, null],
			['Two', 1, null, null, null],
			['Three', 1, null, null, null],
		],
	);
	await becomes(() => page.getByRole('button', { name: 'Undo' }).isDisabled(), true);
});

inBrowser('invalid cells are listed by row and column, and all others are written', async () => {
	await paste({ row: 2, column: 1 }, ['1,5', 'maybe', 'lost', '03/04/2026', 'no mail', 'me', 'beyond'], ['4.5', '', 'new']); // prettier-ignore
	for (const message of [
		'Row 3, N: “1,5” is not a number',
		'Row 3, ON: “maybe” is neither yes nor no',
		'Row 3, STATE: “lost” is not one of new, old',
		'Row 3, DUE: “03/04/2026” is not a date',
		'Row 3, BY: “me” is in a column that the service computes',
		'Row 4, N: “4.5” is not a whole number',
		'1 column beyond the last one is skipped',
		'1 cell in 1 row changes, 1 row is added.',
	])
		await dialog().getByText(message).waitFor();
	await press(page, 'Write');
	await page.getByRole('heading', { name: 'Not everything was written' }).waitFor();
	await dialog().getByText('Row 3, MAIL: “no mail” Field "MAIL" (email) does not accept "no mail"').waitFor();
	await press(page, 'Close');
	await notice('Pasted: 0 cells changed, 1 row added, 1 cell refused.');
	await becomes(() => values('title', 'n', 'state'), [['One', 1, null], ['Two', 1, null], ['Three', 1, null], [null, null, 'new']]); // prettier-ignore
});

inBrowser('Undo deletes a row that was added, unless another user filled it in', async () => {
	await press(page, 'Undo');
	await notice('1 added row deleted');
	await becomes(async () => (await rows()).length, 3);
	await paste({ row: 2, column: 0 }, ['Three'], ['Four'], ['Five']);
	await press(page, 'Write');
	await notice('2 rows added');
	await owner.put(href(await rowOf('Five'), 'update'), { n: 5 }, byKey);
	await press(page, 'Undo');
	await dialog().getByText('N was filled in since then, so the added row stays').waitFor();
	await press(page, 'Close');
	await becomes(() => values('title'), [['One'], ['Two'], ['Three'], ['Five']]);
});

inBrowser('Undo keeps and reports values that another user changed meanwhile', async () => {
	await paste({ row: 0, column: 0 }, ['Uno', '10'], ['Due', '20']);
	await press(page, 'Write');
	await notice('4 cells changed');
	await owner.put(href(await rowOf('Uno'), 'update'), { n: 99 }, byKey);
	await owner.delete(href(await rowOf('Due'), 'self'));
	await page.keyboard.press('Control+z');
	await dialog().getByText('N was changed to “99” in the meantime').waitFor();
	await becomes(() => dialog().getByText('the row was deleted in the meantime').count(), 2);
	await press(page, 'Close');
	await notice('Undone: 1 cell restored');
	await becomes(() => values('title', 'n'), [['One', 99], ['Three', 1], ['Five', 5]]); // prettier-ignore
});

inBrowser(
	'edits, a deletion and an addition are undone one after another, across a restored row',
	async () => {
		const before = await values('title', 'n');
		await owner.create(`${grid}/virtualgrids`, { name: 'Titles', fields: [id(ids, 'title')], filter: {} });
		const other = await fixture.loggedIn();
		await open(other, 'Titles');
		await press(other, 'Add row');
		await other.getByRole('dialog').getByLabel('TITLE').fill('Six');
		await press(other, 'Add');
		await cell(other, 'Six').waitFor();
		await owner.put(href(await rowOf('Six'), 'update'), { n: 6 }, byKey);
		const index = (await rows()).length;
		await cell(other, 'Six').dblclick();
		await other.locator('.editor').fill('Seven');
		await other.locator('.editor').press('Enter');
		await cell(other, 'Seven').waitFor();
		const deleted = String((await rowOf('Seven'))['_id']);
		await press(other, `Open row ${index}`);
		await press(other, 'Delete this row');
		await other
			.getByText('Undo adds its values again as a new row; links to the row stop working.')
			.waitFor();
		await press(other, 'Delete the row');
		await other.getByRole('dialog').waitFor({ state: 'detached' });
		await cell(other, 'Seven').waitFor({ state: 'detached' });
		await becomes(() => values('title', 'n'), before);
		const undo = other.getByRole('button', { name: 'Undo' });
		await undo.focus();
		await becomes(() => undo.getAttribute('title'), 'Undo: 1 deleted row (Ctrl+Z)');
		await other.keyboard.press('Enter');
		await other.locator('#notice', { hasText: 'Undone: 1 deleted row added again as 1 new row (without the history and the links' }).waitFor(); // prettier-ignore
		// The view hides N, so its value is restored from the history.
		await matches(() => rowOf('Seven'), { n: 6 });
		expect((await rowOf('Seven'))['_id']).not.toBe(deleted);
		await becomes(() => other.evaluate('document.activeElement.textContent'), 'Undo');
		await other.keyboard.press('Enter');
		await cell(other, 'Six').waitFor();
		await matches(() => rowOf('Six'), { n: 6 });
		await other.keyboard.press('Enter');
		await other.getByText('N was filled in since then, so the added row stays').waitFor();
		await press(other, 'Close');
		await owner.delete(href(await rowOf('Six'), 'self'));
		await other.close();
	},
);

inBrowser('a row that another user changed since it was opened is not deleted', async () => {
	await press(page, 'Open row 1');
	await dialog().getByLabel('TITLE').waitFor();
	const [first = {}] = await rows();
	await owner.put(href(first, 'update'), { title: 'Changed' }, byKey);
	await press(page, 'Delete this row');
	await press(page, 'Delete the row');
	await dialog().getByText('The row was changed in the meantime: TITLE. Open it again').waitFor();
	await press(page, 'Cancel');
	await owner.put(href(first, 'update'), { title: 'One' }, byKey);
	await becomes(async () => (await rows()).length, 3);
});

inBrowser('an edit does not overwrite a value that another user changed meanwhile', async () => {
	const other = row(page, 'Three').locator('[data-column="1"]');
	await other.dblclick();
	await page.locator('.editor').fill('7');
	await owner.put(href(await rowOf('Three'), 'update'), { n: 3 }, byKey);
	await page.locator('.editor').press('Enter');
	await page.getByText('“N” was changed to “3” in the meantime; your value was not written').waitFor();
	await matches(() => rowOf('Three'), { n: 3 });
	await other.dblclick();
	await page.locator('.editor').fill('8');
	await page.locator('.editor').press('Enter');
	await row(page, 'Three').locator('.right', { hasText: '8' }).waitFor();
	await page.keyboard.press('Control+z');
	await row(page, 'Three').locator('.right', { hasText: '3' }).waitFor();
	await matches(() => rowOf('Three'), { n: 3 });
});

inBrowser('a copied cell is pasted unchanged', async () => {
	await row(page, 'Five').locator('[data-column="1"]').click();
	await page.keyboard.press('Control+C');
	await row(page, 'Three').locator('[data-column="1"]').click();
	await page.keyboard.press('Control+V');
	await dialog().getByText('1 cell in 1 row changes').waitFor();
	await press(page, 'Write');
	await notice('1 cell changed');
	await until('the pasted cell', async () => (await rowOf('Three'))['n'] === 5);
});

inBrowser('a paste that loses its connection reports where it stopped', async () => {
	let sent = 0;
	await page.route('**/entities/*', async (route) => {
		if (route.request().method() === 'PUT' && ++sent > 1) await route.abort();
		else await route.continue();
	});
	await paste({ row: 0, column: 1 }, ['71'], ['72'], ['73']);
	await press(page, 'Write');
	await dialog()
		.getByText('Row 2 may have been written; the rows before it were, those after it were not')
		.waitFor();
	await press(page, 'Close');
	await page.unroute('**/entities/*');
	await becomes(() => values('n'), [[71], [5], [5]]);
});

inBrowser('a paste by a reader reports the missing rights and writes nothing', async () => {
	page = await fixture.reader();
	await open(page, 'Things');
	await cell(page, 'One').waitFor();
	await paste({ row: 2, column: 1 }, ['1'], ['2']);
	await dialog().getByText('1 row below the last one is skipped: you may not add rows here.').waitFor();
	await dialog().getByText('Row 3, N: “1” is in a row that you may not change').waitFor();
	await dialog().locator('button.main').click();
	await closed();
	await becomes(() => values('n'), [[71], [5], [5]]);
});
