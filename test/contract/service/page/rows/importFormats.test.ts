import type { Page } from 'playwright-core';
import { becomes, choose, inBrowser, press, row } from '../browser';
import { holdBack } from '../heldBack';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: {
		title: { name: 'string' },
		price: { name: 'currency' },
		due: { name: 'date' },
		paid: { name: 'boolean' },
		state: { name: 'enum', options: ['new'] },
	},
	rows: [{ title: 'Ex', price: 1, state: 'new' }],
	browser: { locale: 'de-DE' },
});
const { dialog, notice, submit } = things;
let page: Page;
beforeAll(() => {
	({ page } = things);
});

const values = () => things.values('title', 'price', 'due', 'paid', 'state');
async function chooseFile(...lines: string[]) {
	await choose(page, 'Import rows');
	const buffer = Buffer.from(lines.map((line) => `${line}\n`).join(''));
	await dialog().getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer });
	await press(page, 'Next');
	await dialog().getByRole('heading', { name: 'Columns of “rows.csv”' }).waitFor();
}

inBrowser('a German file is imported as it is, and shown as the language writes it', async () => {
	await chooseFile('Title;Price;Due;Paid', 'A;1.234,50;31.12.2026;ja', 'B;12,00;1.2.2026;Nein');
	// Both columns can be read in one way only.
	await becomes(() => dialog().getByLabel('How DUE is written').isVisible(), false);
	await dialog().getByText('Decimal comma: 1.234,50 is 1.234,50, all values fit').waitFor({ state: 'attached' });
	await press(page, 'Preview');
	await dialog().getByText('2 rows are added.').waitFor();
	await submit('Import');
	await notice('2 rows added');
	await becomes(async () => (await values()).slice(1), [['A', 1234.5, '2026-12-31', true, null], ['B', 12, '2026-02-01', false, null]]); // prettier-ignore
	await row(page, 'A').getByText('1.234,50', { exact: true }).waitFor();
	await row(page, 'A').getByText('31.12.2026', { exact: true }).waitFor();
	await press(page, 'Undo');
	await notice('2 added rows deleted');
}); // prettier-ignore

inBrowser('a text with two meanings is shown in both, and another choice changes all of them', async () => {
	await chooseFile('Title,Price,Due', 'A,1.000,01/02/2026', 'B,2.500,03/04/2026');
	const how = dialog().getByLabel('How PRICE is written');
	await becomes(() => how.inputValue(), 'comma');
	await dialog().getByText('Decimal comma: 1.000 is 1.000,00, all values fit').waitFor({ state: 'attached' });
	await becomes(() => dialog().getByLabel('How DUE is written').inputValue(), 'dayFirst');
	await how.selectOption('point');
	await dialog().getByLabel('How DUE is written').selectOption('monthFirst');
	await press(page, 'Preview');
	await submit('Import');
	await becomes(async () => (await values()).slice(1), [['A', 1, '2026-01-02', null, null], ['B', 2.5, '2026-03-04', null, null]]); // prettier-ignore
	await press(page, 'Undo');
	await notice('2 added rows deleted');
}); // prettier-ignore

inBrowser('existing rows are found by a key column; what does not fit or is there twice is shown', async () => {
	await chooseFile('Title,Price', 'Ex,"2,5"', 'New,"3,5"', 'New,4', 'Bad,many');
	await dialog().getByLabel('Find existing rows by').selectOption('TITLE');
	await press(page, 'Preview');
	await dialog().getByText('1 cell in 1 row changes, 2 rows are added.').waitFor();
	await dialog().getByText('Row 3, TITLE: “New” is in an earlier row of the file').waitFor();
	await dialog().getByText('Row 4, PRICE: “many” is not a number').waitFor();
	await submit('Import');
	await becomes(async () => (await values()).map(([title, price]) => [title, price]), [['Ex', 2.5], ['New', 3.5], ['Bad', null]]); // prettier-ignore
	await press(page, 'Undo');
	await notice('1 cell restored, 2 added rows deleted');
	await becomes(async () => (await values()).map(([title, price]) => [title, price]), [['Ex', 1]]);
}); // prettier-ignore

inBrowser('options that a column lacks are added with the file, if a person wants them', async () => {
	await chooseFile('Title,State', 'A,new', 'B,later', 'C,soon');
	const offer = dialog().getByLabel('Add to the options of STATE: later, soon');
	await offer.uncheck();
	await press(page, 'Preview');
	await dialog().getByText('Row 2, STATE: “later” is not one of new').waitFor();
	await submit('Cancel');
	await chooseFile('Title,State', 'A,new', 'B,later', 'C,soon');
	await press(page, 'Preview');
	await dialog().getByText('New options of “STATE”: later, soon.').waitFor();
	await submit('Import');
	await becomes(async () => (await values()).map(([title, , , , state]) => [title, state]), [['Ex', 'new'], ['A', 'new'], ['B', 'later'], ['C', 'soon']]); // prettier-ignore
	expect((await things.owner.fields(things.grid))[4]).toMatchObject({ type: { name: 'enum', options: ['new', 'later', 'soon'] } });
	await press(page, 'Undo');
	await notice('3 added rows deleted');
}); // prettier-ignore

inBrowser('a file of more than 2,000 rows is read as a whole, with progress', async () => {
	const held = await holdBack(page, 'POST', '/readCSV');
	await choose(page, 'Import rows');
	const lines = Array.from({ length: 2101 }, (_, n) => `Row ${n},${n}`);
	const buffer = Buffer.from(`Title,Price\n${lines.join('\n')}\n`);
	await dialog().getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer });
	await press(page, 'Next');
	await held.arrived;
	await dialog().getByRole('progressbar', { name: 'In progress' }).waitFor();
	await held.release();
	await dialog().getByText('2.101 rows. Choose what fills').waitFor();
	await press(page, 'Preview');
	await dialog().getByText('2.101 rows are added.').waitFor();
	await submit('Cancel');
});

inBrowser('a search that takes long shows that it is under way', async () => {
	const held = await holdBack(page, 'GET', '/entities');
	await page.getByLabel('Search rows').fill('Ex');
	await held.arrived;
	await page.getByRole('progressbar', { name: 'In progress' }).waitFor();
	await held.release();
	await page.getByRole('progressbar', { name: 'In progress' }).waitFor({ state: 'detached' });
});

inBrowser('a number is typed and pasted with the comma of the language, unless it can mean two', async () => {
	const price = row(page, 'Ex').locator('[role=gridcell]').nth(1);
	for (const [text, value] of [['12,50', 12.5], ['1.234,5', 1234.5], ['7.25', 7.25]] as const) {
		await price.dblclick();
		await page.locator('.editor').fill(text);
		await page.locator('.editor').press('Enter');
		await becomes(async () => (await things.rowOf('Ex'))['price'], value);
	}
	await price.dblclick();
	await becomes(() => page.locator('.editor').inputValue(), '7,25');
	await page.locator('.editor').fill('1.234');
	await page.locator('.editor').press('Enter');
	await page.getByText('“1.234” can mean 1234 or 1,234; write it as 1234 or 1,2340').waitFor();
	await page.locator('.editor').press('Escape');
}); // prettier-ignore
