import type { Page } from 'playwright-core';
import { byKey, href, id } from '../../http';
import { becomes, cell, inBrowser, matches, open, press, row, edit } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
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
const { owner, dialog, notice, submit, rows, rowOf, values } = things;
let page: Page;
let grid: string;
beforeAll(() => {
	({ page, grid } = things);
});

/** Pastes a block at a cell, as after a copy in a spreadsheet. */
async function paste(at: { row: number; column: number }, ...lines: string[][]) {
	const text = lines.map((cells) => `${cells.join('\t')}\r\n`).join('');
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await page.locator(`[data-row="${at.row}"] [data-column="${at.column}"]`).click();
	await page.keyboard.press('Control+V');
	await page.getByRole('dialog').waitFor();
}

inBrowser(
	'a block from a spreadsheet is previewed before it is written, and Undo restores its cells',
	async () => {
		await paste({ row: 1, column: 0 }, ['Two', '22', 'yes', 'Very old', '2026-03-01'], ['"3 ""a""\nb"', '', 'no']); // prettier-ignore
		await dialog().getByText('7 cells in 2 rows change, 0 rows are added.').waitFor();
		await dialog().getByRole('cell', { name: 'Mar 1, 2026' }).waitFor();
		await becomes(() => values('title'), [['One'], ['Two'], ['Three']]);
		await submit('Write');
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
	},
);

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
	await things.change('Five', { n: 5 });
	await press(page, 'Undo');
	await dialog().getByText('N was filled in since then, so the added row stays').waitFor();
	await press(page, 'Close');
	await becomes(() => values('title'), [['One'], ['Two'], ['Three'], ['Five']]);
});

inBrowser('Undo keeps and reports values that another user changed meanwhile', async () => {
	await paste({ row: 0, column: 0 }, ['Uno', '10'], ['Due', '20']);
	await press(page, 'Write');
	await notice('4 cells changed');
	await things.change('Uno', { n: 99 });
	await things.remove('Due');
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
		await owner.create(`${grid}/virtualgrids`, {
			name: 'Titles',
			fields: [id(things.context.ids, 'title')],
			filter: {},
		});
		const other = await things.loggedIn();
		await open(other, 'Titles');
		await press(other, 'Add row');
		await other.getByRole('dialog').getByLabel('TITLE').fill('Six');
		await press(other, 'Add');
		await cell(other, 'Six').waitFor();
		await things.change('Six', { n: 6 });
		const index = (await rows()).length;
		await edit(cell(other, 'Six'), 'Seven');
		await cell(other, 'Seven').waitFor();
		const deleted = String((await rowOf('Seven'))['_id']);
		await press(other, `Open row ${index}`);
		await press(other, 'Delete this row');
		await other.getByText('Delete “Seven”?').waitFor();
		await other.getByText('Undo brings it back. No row of this space links to it.').waitFor();
		await press(other, 'Delete the row');
		await other.getByRole('dialog').waitFor({ state: 'detached' });
		await cell(other, 'Seven').waitFor({ state: 'detached' });
		await becomes(() => values('title', 'n'), before);
		const undo = other.getByRole('button', { name: 'Undo' });
		await undo.focus();
		await becomes(() => undo.getAttribute('title'), 'Undo: 1 deleted row (Ctrl+Z)');
		await other.keyboard.press('Enter');
		await other.locator('#notice', { hasText: 'Undone: 1 deleted row restored.' }).waitFor();
		// Also the value of N, which the view hides.
		await matches(() => rowOf('Seven'), { n: 6, _id: deleted });
		await becomes(() => other.evaluate('document.activeElement.textContent'), 'Undo');
		await other.keyboard.press('Enter');
		await cell(other, 'Six').waitFor();
		await matches(() => rowOf('Six'), { n: 6 });
		await other.keyboard.press('Enter');
		await other.getByText('N was filled in since then, so the added row stays').waitFor();
		await press(other, 'Close');
		await things.remove('Six');
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
	await things.change('Three', { n: 3 });
	await page.locator('.editor').press('Enter');
	await page.getByText('“N” was changed to “3” in the meantime; your value was not written').waitFor();
	await matches(() => rowOf('Three'), { n: 3 });
	await edit(other, '8');
	await row(page, 'Three').locator('.right', { hasText: '8' }).waitFor();
	await page.keyboard.press('Control+z');
	await row(page, 'Three').locator('.right', { hasText: '3' }).waitFor();
	await matches(() => rowOf('Three'), { n: 3 });
});

inBrowser('a row is added with all its values', async () => {
	await press(page, 'Add row');
	await submit('Add', { TITLE: 'Z-1', N: '12', ON: 'yes' });
	await row(page, 'Z-1').waitFor();
	await matches(() => rowOf('Z-1'), { n: 12, on: true, due: null });
	await press(page, 'Undo');
	await notice('1 added row deleted');
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
	await becomes(() => values('n'), [[71], [3], [5]]);
});

inBrowser('a reader gets no editor and no buttons for changes, and a paste writes nothing', async () => {
	page = await things.reader();
	await open(page, 'Things');
	await cell(page, 'One').dblclick();
	await page.getByRole('dialog').waitFor();
	await becomes(() => page.locator('dialog input, dialog select, .editor').count(), 0);
	await press(page, 'Close');
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	const names = await page.getByRole('button').allInnerTexts();
	expect(names.filter((name) => /add|delete|edit|import|\+|links|⋮/i.test(name))).toEqual([]);
	await paste({ row: 2, column: 1 }, ['1'], ['2']);
	await page.getByText('1 row below the last one is skipped: you may not add rows here.').waitFor();
	await page.getByText('Row 3, N: “1” is in a row that you may not change').waitFor();
	await page.locator('dialog button.main').click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	await becomes(() => values('n'), [[71], [3], [5]]);
});
