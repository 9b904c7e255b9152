import { text } from 'node:stream/consumers';
import type { Page, Route } from 'playwright-core';
import { byKey, id, last, type Json } from '../../http';
import { becomes, choose, inBrowser, press, row } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: { title: { name: 'string' }, company: { name: 'reference' }, others: { name: 'references' } },
	rows: [{ title: 'First' }, { title: 'Second' }, { title: 'Third' }, { title: 'Fourth' }],
	browser: { permissions: ['clipboard-read', 'clipboard-write'] },
});
const { owner, dialog, notice, submit } = things;
let page: Page;
let companies: string;
const addresses: Record<string, string> = {};
const at = (row: number, column: number) => page.locator(`[data-row="${row}"] [data-column="${column}"]`);
const link = (name: string) => ({ uri: addresses[name] });
const valuesOf = async (title: string) => {
	const { company, others } = await things.rowOf(title);
	return [company, others];
};
/** The rows of the linked grid are asked for these many times. */
let lookUps = 0;

/** Names of which a list must be read as it was written. */
const ODD = ['Smith, John', ' spaced ', '"quoted" and more', '[Draft] plan', 'two\nlines', '5" pipe'];
const NAMES = ['Zorn', 'Abt', 'Müller AG', 'Double', ...ODD];

const addTo = async (grid: string, values: Json) => owner.create(`${grid}/entities`, values, byKey);
const addColumn = async (grid: string, key: string, type: Json) =>
	last(await owner.create(`${grid}/ColumnAdd`, { name: key.toUpperCase(), key, type }));

beforeAll(async () => {
	({ page } = things);
	companies = await owner.create(`${things.context.space}/grids`, { name: 'Companies' });
	await addColumn(companies, 'name', { name: 'string' });
	for (const name of NAMES) addresses[name] = await addTo(companies, { name });
	await addTo(companies, { name: 'Double' });
	const [company, others] = [id(things.context.ids, 'company'), id(things.context.ids, 'others')];
	const linkedGrids = { [company]: companies, [others]: companies };
	await owner.patch(things.grid, { properties: { linkedGrids } });
	await things.change('First', { company: link('Zorn'), others: [link('Abt'), ...ODD.map(link)] });
	await page.reload();
	await row(page, 'Zorn').first().waitFor();
	page.on('request', (request) => {
		if (request.url().includes(`${companies}/entities`)) lookUps += 1;
	});
});

const select = async (from: readonly [number, number], to: readonly [number, number]) => {
	await at(...from).click();
	await at(...to).click({ modifiers: ['Shift'] });
};
const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
const pasteText = async (text: string, row: number, column: number) => {
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await at(row, column).click();
	await page.keyboard.press('Control+V');
};

inBrowser('linked rows are copied by name, and pasted as they were from any program', async () => {
	await select([0, 1], [0, 2]);
	await page.keyboard.press('Control+C');
	const text = await copied();
	expect(text).toMatch(/^Zorn\t"Abt, ""Smith, John"", /);
	expect(text).not.toContain('/entities/');
	// Through the clipboard of another program, which has only the text.
	await pasteText(text, 1, 1);
	await dialog().getByText('2 cells in 1 row change').waitFor();
	await submit('Write');
	await notice('Pasted: 2 cells changed');
	const [company, others] = await valuesOf('First');
	expect(await valuesOf('Second')).toEqual([company, others]);
	await press(page, 'Undo');
	await notice('2 cells restored');
});

inBrowser('cells of the page itself are copied and filled by their links, without a search', async () => {
	await things.change('Second', { company: { uri: await addTo(companies, { name: 'Double' }) } });
	await row(page, 'Double').waitFor();
	await at(1, 1).click();
	await page.keyboard.press('Control+C');
	expect(await copied()).toBe('Double');
	lookUps = 0;
	await at(2, 1).click();
	await page.keyboard.press('Control+V');
	await submit('Write');
	await notice('Pasted: 1 cell changed');
	await at(3, 1).click();
	await page.keyboard.press('Control+d');
	await submit('Write');
	await notice('Filled: 1 cell changed');
	const [company] = await valuesOf('Second');
	expect([await valuesOf('Third'), await valuesOf('Fourth')]).toEqual([[company, null], [company, null]]); // prettier-ignore
	expect(lookUps).toBe(0);
	// In a column of texts, the name is what was copied.
	await at(1, 1).click();
	await page.keyboard.press('Control+C');
	await at(3, 0).click();
	await page.keyboard.press('Control+V');
	await submit('Write');
	await notice('Pasted: 1 cell changed');
	expect((await things.rowOf('Double'))['company']).toEqual(company);
	await press(page, 'Undo');
	await notice('1 cell restored');
	for (const title of ['Fourth', 'Third']) {
		await press(page, 'Undo');
		await becomes(() => valuesOf(title), [null, null]);
	}
});

inBrowser('a pasted name of no row or of several ones is refused with the reason', async () => {
	const lines = ['Zorn\tAbt, Nobody', 'Nobody\tZorn', 'Double\tAbt\n'];
	lookUps = 0;
	await pasteText(lines.join('\n'), 1, 1);
	await dialog().getByText('Row 3, COMPANY: “Nobody” is the name of no row of “Companies”').waitFor();
	await dialog().getByText('Row 4, COMPANY: “Double” is the name of 3 rows of “Companies”').waitFor();
	await dialog().getByText('Row 2, OTHERS: “Abt, Nobody” is not linked: “Nobody” is the name of no row of “Companies”').waitFor(); // prettier-ignore
	expect(lookUps).toBe(1);
	await submit('Write');
	await notice('Pasted: 3 cells changed');
	expect([await valuesOf('Second'), await valuesOf('Third'), await valuesOf('Fourth')]).toEqual([
		[link('Zorn'), null],
		[null, [link('Zorn')]],
		[null, [link('Abt')]],
	]);
	await press(page, 'Undo');
	await notice('3 cells restored');
});

inBrowser('if the look-up of names fails, nothing is written, and another try succeeds', async () => {
	const before = await valuesOf('Second');
	const isLookUp = ({ href }: URL) => href.includes(`${companies}/entities`);
	const failLookUp = (route: Route) => route.fulfill({ status: 503, json: { message: 'Busy' } });
	await page.route(isLookUp, (route) => route.abort(), { times: 1 });
	await pasteText('Zorn\tAbt', 1, 1);
	await page.getByText('The service cannot be reached').waitFor();
	await page.route(isLookUp, failLookUp, { times: 1 });
	await pasteText('Zorn\tAbt', 1, 1);
	await dialog().getByText('“Zorn” cannot be looked up: Busy').waitFor();
	await press(page, 'Cancel');
	expect(await valuesOf('Second')).toEqual(before);
	await pasteText('Zorn\tAbt', 1, 1);
	await submit('Write');
	await notice('Pasted: 2 cells changed');
	await press(page, 'Undo');
	await notice('2 cells restored');
});

inBrowser('any spelling of a letter, an address and the JSON of a link are pasted as links', async () => {
	const json = JSON.stringify(link('Abt'));
	const line = `${'Müller AG'.normalize('NFD')}\t${String(addresses['Abt'])}, Zorn`;
	await pasteText(`${line}\n${json}\t[${json}]`, 1, 1);
	await dialog().getByText('4 cells in 2 rows change').waitFor();
	await submit('Write');
	await notice('Pasted: 4 cells changed');
	expect([await valuesOf('Second'), await valuesOf('Third')]).toEqual([
		[link('Müller AG'), [link('Abt'), link('Zorn')]],
		[link('Abt'), [link('Abt')]],
	]);
	await press(page, 'Undo');
	await notice('4 cells restored');
});

inBrowser('a row without a name is copied by its address', async () => {
	const uri = await addTo(companies, {});
	await things.change('Third', { company: { uri }, others: [link('Abt'), { uri }] });
	await row(page, 'Row without a name').first().waitFor();
	await select([2, 1], [2, 2]);
	await page.keyboard.press('Control+C');
	expect(await copied()).toBe(`${uri}\tAbt, ${uri}`);
	await pasteText(await copied(), 3, 1);
	await submit('Write');
	await notice('Pasted: 2 cells changed');
	expect(await valuesOf('Fourth')).toEqual([{ uri }, [link('Abt'), { uri }]]);
	await press(page, 'Undo');
	await notice('2 cells restored');
	await things.change('Third', { company: null, others: null });
});

inBrowser('an export has links, or names by which its rows are imported again', async () => {
	const exported = async (names: boolean) => {
		await choose(page, 'Export CSV');
		const isNamed = dialog().getByLabel('Names of linked rows');
		await becomes(() => isNamed.isChecked(), false);
		await isNamed.setChecked(names);
		const download = page.waitForEvent('download');
		await submit('Export');
		return text(await (await download).createReadStream());
	};
	expect(await exported(false)).toContain(JSON.stringify(link('Zorn')).replaceAll('"', '""'));
	const content = await exported(true);
	expect(content).not.toContain('/entities/');
	await choose(page, 'Import rows');
	const buffer = Buffer.from(content.replace('\nFirst,', '\nAgain,'));
	await dialog().getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer });
	await press(page, 'Next');
	await press(page, 'Preview');
	await submit('Import');
	await notice('4 rows added, 0 cells refused');
	expect(await valuesOf('Again')).toEqual(await valuesOf('First'));
	await press(page, 'Undo');
	await notice('4 added rows deleted');
});

inBrowser('a file links rows by their names, and its preview lists the names of no row', async () => {
	await choose(page, 'Import rows');
	const lines = ['Title,Company,Others', 'New,Zorn,"Abt, ""Smith, John"""', 'Other,Nobody,Müller AG'];
	const buffer = Buffer.from(lines.join('\n'));
	await dialog().getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer });
	await press(page, 'Next');
	await dialog().getByRole('heading', { name: 'Columns of “rows.csv”' }).waitFor();
	lookUps = 0;
	await press(page, 'Preview');
	await dialog().getByText('Row 2, COMPANY: “Nobody” is the name of no row of “Companies”').waitFor();
	expect(lookUps).toBe(1);
	await submit('Import');
	await notice('2 rows added');
	expect([await valuesOf('New'), await valuesOf('Other')]).toEqual([
		[link('Zorn'), [link('Abt'), link('Smith, John')]],
		[null, [link('Müller AG')]],
	]);
	await press(page, 'Undo');
	await notice('2 added rows deleted');
});

inBrowser('without a linked grid, the whole space is searched; one that is gone is named', async () => {
	const gone = `${things.context.space}/grids/6b0aa6188b0575f46b4057cc`;
	const linkedGrids = { [id(things.context.ids, 'others')]: gone };
	await owner.patch(things.grid, { properties: { linkedGrids } });
	await page.reload();
	await row(page, 'Zorn').first().waitFor();
	await pasteText('Müller AG\tAbt\nFirst\t\nDouble\t', 1, 1);
	await dialog().getByText('Row 2, OTHERS: “Abt” cannot be looked up: Grid not found').waitFor();
	await dialog().getByText('Row 4, COMPANY: “Double” is the name of 3 rows of this space').waitFor();
	await submit('Write');
	await notice('Pasted: 2 cells changed');
	const { _id } = await things.rowOf('First');
	const first = { uri: `${things.grid}/entities/${String(_id)}` };
	expect(await valuesOf('Second')).toEqual([link('Müller AG'), null]);
	expect(await valuesOf('Third')).toEqual([first, null]);
});
