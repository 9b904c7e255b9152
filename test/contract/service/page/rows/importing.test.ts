import type { Page } from 'playwright-core';
import { objects } from '../../http';
import { becomes, choose, inBrowser, press, row } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' }, place: { name: 'string' }, n: { name: 'integer' } },
	rows: [{ title: 'First', place: 'Here' }],
});
const { dialog, owner, submit } = things;
let page: Page;
beforeAll(() => {
	({ page } = things);
});

async function chooseFile(content: string | Buffer) {
	await choose(page, 'Import rows');
	const buffer = Buffer.from(content);
	await dialog().getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer });
	await press(page, 'Next');
}

inBrowser('a file that is no CSV of these columns is refused with the line and the reason', async () => {
	for (const [content, reason] of [
		['Name,Place,N\nSmith, John,Bonn,5\n', 'line 2 has more cells than the header (3)'],
		['Name,Place,N\nSmith,"Bonn,5\nMiller,Ulm,6\n', 'the quotation mark that opens a cell in line 2 is not closed'],
		['Name,Place,N\nSmith,B\0nn,5\n', 'Row 1 (line 2): the cell of "Place" contains NUL'],
		['<!doctype html><title>Log in</title>', 'The file is a page of HTML'],
		['PK\x03\x04 and more', 'a workbook (.xlsx) or another ZIP archive'],
		['Name,Place,N\n', 'The file has no rows below the names of its columns'],
	] as const) {
		await chooseFile(content);
		await dialog().getByRole('alert').filter({ hasText: reason }).waitFor();
		await submit('Cancel');
	}
	expect(await things.values('title')).toEqual([['First']]);
}); // prettier-ignore

inBrowser('the encoding of a file is asked for in words of a person, also after a wrong choice', async () => {
	await chooseFile(Buffer.from('Name,Place\nÖz,Köln\n', 'utf16le'));
	await dialog().getByText('The file is not in the encoding UTF-8').waitFor();
	const encoding = dialog().getByLabel('Encoding, with a sample of the text');
	await encoding.selectOption('shift_jis');
	await dialog().getByRole('button', { name: 'Preview' }).click();
	await dialog()
		.getByRole('alert')
		.filter({ hasText: /not in the encoding|contains NUL/ })
		.waitFor();
	expect(await dialog().innerText()).not.toContain('Content-Type');
	await encoding.selectOption('utf-16le');
	await dialog().getByRole('button', { name: 'Preview' }).click();
	await dialog().getByRole('heading', { name: 'Columns of “rows.csv”' }).waitFor();
	await press(page, 'Preview');
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await row(page, 'Köln').waitFor();
	await press(page, 'Undo');
	await row(page, 'Köln').waitFor({ state: 'detached' });
});

inBrowser('a refused import of a new grid shows no progress any more, and says why', async () => {
	await press(page, 'Import CSV');
	const values = Array.from({ length: 201 }, (_, n) => `v${n}`);
	const buffer = Buffer.from(`Kind,N\n${values.map((one, n) => `${one},${n}`).join('\n')}\n`);
	await dialog().getByLabel('File', { exact: true }).setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer });
	await press(page, 'Preview');
	await dialog().getByLabel('Type of Kind').selectOption('enum');
	await press(page, 'Import');
	await dialog().getByText('"Kind" has more than 200 different values').waitFor();
	await becomes(() => dialog().locator('progress').count(), 0);
	await submit('Cancel');
	const form = new FormData();
	form.append('name', 'Kinds');
	form.append('file', 'Kind,Tags\nb,"[""y"",""x""]"\na,\nb,"[""x""]"\n');
	form.append('types', JSON.stringify({ Kind: 'enum', Tags: 'enumcollection' }));
	const made = (await owner.upload(`${things.context.space}/uploadCSV`, form)).headers.get('location') ?? '';
	expect(objects(await owner.fields(made)).map(({ type }) => type)).toEqual([
		{ name: 'enum', options: ['a', 'b'] },
		{ name: 'enumcollection', options: ['x', 'y'] },
	]);
}); // prettier-ignore

inBrowser('a row of a file changes the row with its key, however their letters are composed', async () => {
	await things.add({ title: 'Öz', place: 'Ulm' });
	await chooseFile(`Title,Place\n${'Öz'.normalize('NFD')},Köln\n`);
	await dialog().getByLabel('Find existing rows by').selectOption('TITLE');
	await press(page, 'Preview');
	await dialog().getByText('in 1 row change, 0 rows are added.').waitFor();
	await submit('Cancel');
});
