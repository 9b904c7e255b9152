import type { Page } from 'playwright-core';
import { textFormatCases } from '../../../../fixtures/textFormats';
import { byKey, id } from '../../http';
import { becomes, choose, edit, inBrowser, matches, press, row } from '../browser';
import { testGridPage } from '../gridPage';
import { editedNumber, numberOf, sumOf, typedNumber } from '../../../../../service/page/values/numbers';
import { dayOf, momentOf } from '../../../../../service/page/values/times';
import { plainText, truthOf, type TextFormat } from '../../../../../service/rules/textFormats';

const things = testGridPage({
	columns: {
		title: { name: 'string' },
		note: { name: 'string' },
		n: { name: 'integer' },
		price: { name: 'decimal' },
		state: { name: 'enum', options: ['new'] },
		link: { name: 'reference' },
		links: { name: 'references' },
		files: { name: 'attachments' },
	},
	rows: [
		{ title: 'One', state: 'new' },
		{ title: 'Two', note: 'first\nsecond\nthird' },
	],
	browser: { permissions: ['clipboard-read', 'clipboard-write'] },
});
const { owner, dialog, submit, rowOf } = things;
let page: Page;
beforeAll(() => {
	({ page } = things);
});

const cellAt = (index: number, column: number) =>
	page.locator(`[data-row="${index}"] [data-column="${column}"]`);
const editors = () => page.locator('.editor').count();
const alert = () => page.locator('#message');
const NO_NUMBER = 'is not a number; write it as 1234.5';

inBrowser(
	'an empty cell shows nothing after Escape, after Enter and after its text was removed',
	async () => {
		const keys = [['4711', 'Escape'], ['Enter'], ['x', 'Backspace', 'Enter'], ['Tab']];
		for (const [column, index] of [[1, 0], [2, 0], [4, 1]] as const) // prettier-ignore
			for (const typed of keys) {
				await cellAt(index, column).dblclick();
				for (const key of typed) await (key.length > 1 && !/\d/.test(key) ? page.keyboard.press(key) : page.keyboard.type(key)); // prettier-ignore
				await becomes(editors, 0);
				await becomes(() => cellAt(index, column).innerHTML(), '');
			}
		// The text of a list of options is that of its cell.
		await cellAt(0, 4).dblclick();
		await page.keyboard.press('Escape');
		await becomes(() => cellAt(0, 4).innerHTML(), 'new');
		// With an editor in the table, the columns of others would not arrive.
		await owner.create(`${things.grid}/ColumnAdd`, { name: 'Later', key: 'later', type: { name: 'string' } });
		await page.getByRole('columnheader', { name: 'Later' }).waitFor();
	},
);

/** A value, or undefined where it is refused. */
function unlessRefused(read: () => unknown): unknown {
	try {
		return read();
	} catch {
		return undefined;
	}
}

test.each(textFormatCases.filter((one) => one.page))(
	'the page takes a typed $text as $type in a language with decimal point or comma: $page',
	({ text, type, page: expected = [] }) => {
		const typed = (isComma: boolean) => unlessRefused(() => typedNumber(text, type === 'integer', isComma));
		expect([typed(false), typed(true)]).toEqual([expected[0], expected[1]]);
	},
);

test.each([1.5, 1.234, -123.456, 0.125, 1234.567, 1e21, 1e-7, 1.5e-7, 2026])(
	'%p is edited as it is',
	(value) => {
		for (const isComma of [false, true])
			expect(typedNumber(editedNumber(value, isComma), false, isComma)).toBe(value);
	},
);

test('a sum has the decimals of its numbers, and not those that binary numbers add', () => {
	expect([sumOf([0.1, 0.2]), sumOf([1e-7, 2e-7]), sumOf([1.5e-7, 1])]).toEqual([0.3, 3e-7, 1.00000015]);
});

test.each(textFormatCases)(
	'a file’s $text as $type is $first or $second',
	({ text, type, first, second }) => {
		const read = (format: TextFormat) => {
			if (type === 'boolean') return truthOf(text);
			const plain = plainText(text, format);
			if (type === 'date') return dayOf(plain);
			return type === 'date-time' ? momentOf(plain) : numberOf(plain, type === 'integer');
		};
		const isDay = type === 'date' || type === 'date-time';
		const formats: readonly TextFormat[] = isDay ? ['dayFirst', 'monthFirst'] : ['point', 'comma'];
		expect(formats.map((format) => unlessRefused(() => read(format)))).toEqual([first, second]);
	},
);

inBrowser(
	'a number with a comma, a sign or too many digits is refused in a cell, with the reason',
	async () => {
		for (const [column, text, reason] of [
			[3, '12,50', NO_NUMBER],
			[2, '1,5', NO_NUMBER],
			[2, '5%', NO_NUMBER],
			[2, '1.5', 'is not a whole number'],
			[3, '1234567890.123456789', 'has more digits than a number can store'],
		] as const) {
			await cellAt(0, column).dblclick();
			await becomes(() => page.locator('.editor').getAttribute('inputmode'), 'decimal');
			await page.keyboard.type(text);
			await page.keyboard.press('Enter');
			await becomes(async () => (await alert().textContent())?.includes(`“${text}” ${reason}`), true);
			await page.keyboard.press('Escape');
			await becomes(editors, 0);
		}
		await matches(() => rowOf('One'), { n: null, price: null });
		await edit(cellAt(0, 3), '12.50');
		await matches(() => rowOf('One'), { price: 12.5 });
	},
);

inBrowser('a message that goes while the mouse is pressed takes no click away', async () => {
	await cellAt(0, 3).dblclick();
	await page.keyboard.type('12,75');
	await page.keyboard.press('Enter');
	await alert().waitFor();
	await page.keyboard.press('Control+A');
	await page.keyboard.type('12.75');
	const box = await page.getByRole('button', { name: 'Open row 2' }).boundingBox();
	await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
	await page.mouse.down();
	// The mouse stays pressed until the value is stored.
	await matches(() => rowOf('One'), { price: 12.75 });
	await becomes(editors, 0);
	await page.mouse.up();
	await alert().waitFor({ state: 'hidden' });
	await dialog().waitFor();
	await press(page, 'Cancel');
});

inBrowser('a list that is opened with the mouse withholds no message', async () => {
	// An open list takes the release for itself: the page never gets it.
	await page.evaluate(`document.querySelector('#toolbar').append(document.createElement('select'))`);
	const box = await page.locator('#toolbar select').boundingBox();
	await cellAt(0, 3).dblclick();
	await page.keyboard.type('12,75');
	await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
	await page.mouse.down();
	await alert().getByText(NO_NUMBER).waitFor();
	await page.mouse.up();
	await page.keyboard.press('Escape');
	await page.evaluate(`document.querySelector('#toolbar select').remove()`);
	await cellAt(0, 3).dblclick();
	await page.keyboard.press('Escape');
	await becomes(editors, 0);
});

inBrowser('a number with a comma is refused in the form of a row and in the filter', async () => {
	await press(page, 'Open row 1');
	await dialog().getByLabel('PRICE').fill('13,50');
	await press(page, 'Save');
	await dialog().getByText(`PRICE: “13,50” ${NO_NUMBER}`).waitFor();
	await submit('Save', { PRICE: '13.5' });
	await matches(() => rowOf('One'), { price: 13.5 });
	await press(page, 'Filter');
	await dialog().getByLabel('Column').selectOption('PRICE');
	await dialog().getByLabel('Value').fill('13,5');
	await press(page, 'Show rows');
	await dialog().getByText(`PRICE: “13,5” ${NO_NUMBER}`).waitFor();
	await dialog().getByLabel('Value').fill('13.5');
	await press(page, 'Show rows');
	await page.getByText('Rows 1–1 of 1').waitFor();
	await press(page, 'Filter (1)');
	await press(page, 'Remove all');
	await submit('Show rows');
	await row(page, 'Two').waitFor();
});

inBrowser('a number with a comma is refused in a public form and behind an edit link', async () => {
	const form = await things.guest(await owner.create(`${things.grid}/links`, { kind: 'form' }));
	await form.getByLabel('TITLE').fill('Guest');
	await form.getByLabel('PRICE').fill('1,5');
	await press(form, 'Send');
	await form
		.getByRole('alert')
		.filter({ hasText: `PRICE: “1,5” ${NO_NUMBER}` })
		.waitFor();
	await becomes(() => form.getByLabel('PRICE').getAttribute('aria-invalid'), 'true');
	const { _id: entityId } = await rowOf('One');
	const link = { kind: 'edit', entityId, role: 'writer' };
	const edited = await things.guest(await owner.create(`${things.grid}/links`, link));
	await edited.getByLabel('N', { exact: true }).fill('5%');
	await press(edited, 'Save');
	await edited
		.getByRole('alert')
		.filter({ hasText: `N: “5%” ${NO_NUMBER}` })
		.waitFor();
	await matches(() => rowOf('One'), { n: null, price: 13.5 });
	expect(await things.values('title')).toEqual([['One'], ['Two']]);
});

inBrowser('a text keeps its line breaks when it is edited in its cell, its row and by a guest', async () => {
	await cellAt(1, 1).dblclick();
	await page.keyboard.press('Control+End');
	await page.keyboard.type('!');
	await page.keyboard.press('Alt+Enter');
	await page.keyboard.type('4th');
	await page.keyboard.press('Enter');
	await becomes(async () => (await rowOf('Two'))['note'], 'first\nsecond\nthird!\n4th');
	await press(page, 'Open row 2');
	await becomes(() => dialog().getByLabel('NOTE').inputValue(), 'first\nsecond\nthird!\n4th');
	await dialog().getByLabel('NOTE').press('Control+End');
	await page.keyboard.press('Backspace');
	await submit('Save');
	await becomes(async () => (await rowOf('Two'))['note'], 'first\nsecond\nthird!\n4t');
	const { _id: entityId } = await rowOf('Two');
	const link = { kind: 'edit', entityId, role: 'writer' };
	const guest = await things.guest(await owner.create(`${things.grid}/links`, link));
	await guest.getByLabel('NOTE').press('Control+End');
	await guest.keyboard.press('Backspace');
	await press(guest, 'Save');
	await guest.getByText('Saved.').waitFor();
	await becomes(async () => (await rowOf('Two'))['note'], 'first\nsecond\nthird!\n4');
	await guest.close();
});

inBrowser('a view that compares a text with line breaks is edited without changing it', async () => {
	const filter = { [id(things.context.ids, 'note')]: { $eq: 'a\nb' } };
	const fields = Object.values(things.context.ids);
	const view = await owner.create(`${things.grid}/virtualgrids`, { name: 'Lines', fields, filter });
	await press(page, 'Lines');
	await things.isTitled('Lines');
	await choose(page, 'Edit view');
	await becomes(() => dialog().getByLabel('Value').inputValue(), 'a\nb');
	await submit('Save');
	expect(await owner.read(view)).toMatchObject({ filter });
	await press(page, 'Things');
	await things.isTitled('Things');
});

/** Pastes a text at a cell, and returns the dialog. */
async function paste(text: string, at: [number, number]) {
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await cellAt(...at).click();
	await page.keyboard.press('Control+V');
	await page.getByRole('dialog').waitFor();
}

inBrowser('a text is no linked row and no file: paste, row form and guests learn why', async () => {
	const reason = 'is the name of no row of this space';
	await paste('Öko\tA, B\tplan.pdf\r\nname', [0, 5]);
	for (const problem of [
		`Row 1, LINK: “Öko” ${reason}`,
		`Row 1, LINKS: “A, B” is not linked: “A” ${reason}; “B” ${reason}`,
		'Row 1, FILES: “plan.pdf” is no list of files',
		`Row 2, LINK: “name” ${reason}`,
	])
		await dialog().getByText(problem).waitFor();
	await press(page, 'Close');
	await press(page, 'Open row 1');
	await dialog().getByLabel('LINK', { exact: true }).fill('Öko');
	await press(page, 'Save');
	await dialog().getByText('LINK: “Öko” is no address of a row').waitFor();
	const address = String((await rowOf('Two'))['_id']);
	const uri = `${things.grid}/entities/${address}`;
	await submit('Save', { LINK: uri });
	await matches(() => rowOf('One'), { link: { uri } });
	// What is copied can be pasted.
	// A click on the name in a selected cell would open its row.
	await cellAt(0, 4).click();
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('Control+C');
	await cellAt(1, 5).click();
	await page.keyboard.press('Control+V');
	await submit('Write');
	await matches(() => rowOf('Two'), { link: { uri } });
	const form = await things.guest(await owner.create(`${things.grid}/links`, { kind: 'form' }));
	await form.getByLabel('LINK', { exact: true }).fill('Öko');
	await press(form, 'Send');
	await form.getByRole('alert').filter({ hasText: 'LINK: “Öko” is no address of a row' }).waitFor();
	expect((await things.rows()).length).toBe(2);
	await form.close();
});

inBrowser('the history of a column shows values of its former type', async () => {
	const fieldId = id(things.context.ids, 'note');
	await owner.post(`${things.grid}/ColumnTypeChange`, { fieldId, type: { name: 'reference' } });
	await page.reload();
	await row(page, 'One').waitFor();
	await press(page, 'Open row 2');
	await dialog().getByText('History').click();
	await dialog().getByText('first second third! 4t → first second third! 4').first().waitFor();
	await press(page, 'Cancel');
	expect(await owner.items(`${things.grid}/entities`, byKey)).toHaveLength(2);
});
