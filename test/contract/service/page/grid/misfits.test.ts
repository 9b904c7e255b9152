import { href, id, object, type Json } from '../../http';
import { becomes, inBrowser, open } from '../browser';
import { testGridPage } from '../gridPage';

const options = ['open', 'done'];
const things = testGridPage({
	columns: { title: { name: 'string' }, n: { name: 'integer' }, state: { name: 'enum', options } },
	rows: [
		{ title: 'One', n: 1, state: 'open' },
		{ title: 'Two', n: 2, state: 'done' },
	],
});
const { owner, dialog, submit } = things;

const titles = () => things.page.locator('.body [data-column="0"]').allInnerTexts();
const storedView = async (): Promise<Json> => {
	const [first = {}] = await owner.items(`${things.grid}/virtualgrids`);
	return await owner.read(href(first, 'self'));
};

inBrowser('a view whose filter no longer fits says why, and is repaired', async () => {
	const { page, grid } = things;
	const { ids } = things.context;
	const [title, n, state] = [id(ids, 'title'), id(ids, 'n'), id(ids, 'state')];
	const filter = { [n]: { $lte: 2 }, [state]: { $eq: 'done' } };
	const sorting = { [n]: { $order: 'descending' } };
	await owner.view(grid, [title], filter, { name: 'Done', sorting });
	await page.reload();
	await open(page, 'Done');
	await becomes(titles, ['Two']);
	// It shows at once, although another program removes the option.
	await owner.patch(`${grid}/fields/${state}`, { type: { name: 'enum', options: ['open'] } });
	await things.notice('no longer fits its columns');
	await things.notice('expected one of open');
	await becomes(titles, []);
	const reader = await things.reader();
	await open(reader, 'Done');
	await reader.locator('#notice', { hasText: 'expected one of open' }).waitFor();
	expect(await reader.locator('#toolbar').getByText('Repair view').count()).toBe(0);
	await reader.close();

	await page.getByRole('button', { name: 'Repair view' }).click();
	await dialog().getByRole('alert').getByText('expected one of open').waitFor();
	// What still fits is kept.
	await becomes(() => dialog().getByLabel('Operator').inputValue(), '$lte');
	await submit('Save');
	await becomes(titles, ['Two', 'One']);
	expect(object((await storedView())['filter'])).toEqual({ [n]: { $lte: 2 } });

	await owner.post(`${grid}/ColumnRemove`, { fieldId: n });
	await things.notice('names a column that was deleted');
	await page.getByRole('button', { name: 'Repair view' }).click();
	await submit('Save');
	await becomes(titles, ['One', 'Two']);
	expect(await storedView()).toMatchObject({ filter: {}, sorting: {}, problems: [] });
	expect(await page.locator('#toolbar').getByText('Repair view').count()).toBe(0);
	await becomes(() => page.locator('#notice').innerText(), '');
});
