import type { Page } from 'playwright-core';
import { becomes, cell, choose, inBrowser, matches, open, press, row, edit } from '../browser';
import { holdBack } from '../heldBack';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' }, mail: { name: 'email' }, state: { name: 'string' } },
	rows: [
		{ title: 'One', state: 'new' },
		{ title: 'Two', state: 'old' },
		{ title: 'Three', state: 'new', mail: 'three@example.com' },
	],
});
const { owner, dialog, closed, notice, submit, rowOf, values } = things;
let page: Page;
let grid: string;
beforeAll(() => {
	({ page, grid } = things);
});

const editor = () => page.locator('.editor');
const at = (title: string, column: number) => row(page, title).locator('[role=gridcell]').nth(column);

inBrowser('an editor keeps an invalid value until it is valid or dropped', async () => {
	await edit(at('One', 1), 'no address');
	await page.getByText('Field "MAIL" (email) does not accept "no address"').waitFor();
	await becomes(() => editor().inputValue(), 'no address');
	await becomes(() => editor().getAttribute('aria-invalid'), 'true');
	// A click elsewhere does not drop it either.
	await cell(page, 'Two').click();
	await page.getByText('Field "MAIL" (email) does not accept "no address"').waitFor();
	await becomes(() => editor().inputValue(), 'no address');
	await editor().fill('one@example.com');
	await editor().press('Enter');
	await editor().waitFor({ state: 'detached' });
	await becomes(() => page.locator('#message').innerText(), '');
	await matches(() => rowOf('One'), { mail: 'one@example.com' });
	await at('One', 1).dblclick();
	await editor().fill('dropped');
	await editor().press('Escape');
	await cell(page, 'one@example.com').waitFor();
});

inBrowser('a cell is edited while the rows are read again', async () => {
	const held = await holdBack(page, 'GET', '/entities');
	await things.add({ title: 'Four' });
	await held.arrived;
	await at('Two', 1).dblclick();
	await editor().fill('edited@example.com');
	await held.release();
	await row(page, 'Four').waitFor();
	await editor().press('Enter');
	await row(page, 'Two').getByText('edited@example.com').waitFor();
	await things.remove('Four');
	await row(page, 'Four').waitFor({ state: 'detached' });
});

inBrowser('an editor keeps its text while the service cannot be reached', async () => {
	await page.context().setOffline(true);
	await edit(at('Two', 1), 'two@example.com');
	await page.locator('#message', { hasText: /./ }).waitFor();
	await becomes(() => editor().inputValue(), 'two@example.com');
	await page.context().setOffline(false);
	await editor().press('Enter');
	await editor().waitFor({ state: 'detached' });
	await matches(() => rowOf('Two'), { mail: 'two@example.com' });
});

inBrowser('a text that becomes a choice takes its options from its values', async () => {
	await press(page, 'Column STATE');
	await dialog().getByLabel('Type').selectOption({ label: 'Choice' });
	await dialog().getByText('The options are the 2 different values of the column.').waitFor();
	await becomes(() => dialog().getByLabel('More options, one per line').or(dialog().getByLabel('Options, one per line')).inputValue(), 'new\nold'); // prettier-ignore
	await press(page, 'Save');
	await dialog().getByText('3 rows have a value in “STATE”: all keep it.').waitFor();
	await submit('Change the type');
	await becomes(() => values('state'), [['new'], ['old'], ['new']]);
});

inBrowser('an option is renamed and keeps its rows', async () => {
	await press(page, 'Column STATE');
	await submit('Save', { 'Option 1': 'Fresh' });
	await row(page, 'One').getByText('Fresh').waitFor();
	await becomes(() => values('state'), [['new'], ['old'], ['new']]);
	expect((await owner.fields(grid))[2]).toMatchObject({
		type: { name: 'enum', options: [{ value: 'new', label: 'Fresh' }, 'old'] },
	});
	await press(page, 'Column STATE');
	await dialog().getByLabel('Option 2').fill('Fresh');
	await press(page, 'Save');
	await dialog().getByText('The option “Fresh” is there twice').waitFor();
	await press(page, 'Cancel');
});

inBrowser('removing an option counts the rows that lose it, and Undo restores them', async () => {
	await press(page, 'Column STATE');
	await press(page, 'Remove the option Fresh');
	await press(page, 'Save');
	await dialog().getByText('The options new are removed. 3 rows have a value in “STATE”: 2 of them become empty.').waitFor(); // prettier-ignore
	await submit('Change the type');
	await becomes(() => values('state'), [[null], ['old'], [null]]);
	await press(page, 'Undo');
	await notice('Undone: the type of “STATE” and 2 emptied cells restored.');
	await becomes(() => values('state'), [['new'], ['old'], ['new']]);
	await row(page, 'One').getByText('Fresh').waitFor();
});

inBrowser('a deleted column is restored by Undo, and later from the list of deleted columns', async () => {
	const remove = async () => {
		await press(page, 'Column STATE');
		await press(page, 'Delete this column');
		await submit('Delete “STATE”');
		await page.getByRole('columnheader', { name: 'STATE' }).waitFor({ state: 'detached' });
	};
	await remove();
	await press(page, 'Undo');
	await notice('Undone: the column “STATE” restored.');
	await row(page, 'One').getByText('Fresh').waitFor();
	await remove();
	await page.reload();
	await open(page, 'Things');
	await choose(page, 'Deleted columns');
	await press(page, 'Restore STATE');
	await dialog().getByText('There are none.').waitFor();
	await press(page, 'Close');
	await row(page, 'One').getByText('Fresh').waitFor();
	await becomes(() => values('state'), [['new'], ['old'], ['new']]);
});

inBrowser('a deleted row is restored from the list of changes', async () => {
	await things.remove('Three');
	const deleted = page.locator('#changes li', { hasText: 'deleted' });
	await deleted.getByText('Three').waitFor();
	await deleted.getByRole('button', { name: 'Restore Three' }).click();
	await notice('The deleted row was restored.');
	await row(page, 'three@example.com').waitFor();
	await matches(() => rowOf('Three'), { mail: 'three@example.com', state: 'new' });
});

inBrowser('the history of a row has both values and the user, and restores the values', async () => {
	await things.change('Two', { mail: null, state: 'new' });
	await row(page, 'Two').getByText('Fresh').waitFor();
	await press(page, 'Open row 2');
	await dialog().getByText('History', { exact: true }).click();
	await dialog().locator('li', { hasText: 'MAIL: two@example.com → empty' }).getByText('you, ').waitFor();
	await dialog().getByRole('button', { name: 'Restore Two, updated' }).first().click();
	await notice('Restored: MAIL, STATE.');
	await matches(() => rowOf('Two'), { mail: 'two@example.com', state: 'old' });
	await press(page, 'Undo');
	await notice('2 cells restored');
	await matches(() => rowOf('Two'), { mail: null, state: 'new' });
});

inBrowser('a deleted grid is restored from its space', async () => {
	await choose(page, 'Edit grid');
	await press(page, 'Delete “Things”');
	await dialog().getByText('“Deleted grids” of the space restores them').waitFor();
	await press(page, 'Delete “Things”');
	await page.getByRole('button', { name: 'Things', exact: true }).waitFor({ state: 'detached' });
	await closed();
	expect((await owner.get(grid)).status).toBe(404);
	await press(page, 'Edit the space Space of Things');
	await press(page, 'Deleted grids');
	await press(page, 'Restore Things');
	await dialog().getByText('There are none.').waitFor();
	await press(page, 'Close');
	await press(page, 'Cancel');
	await open(page, 'Things');
	await cell(page, 'One').first().waitFor();
	await becomes(() => values('title'), [['One'], ['Two'], ['Three']]);
});
