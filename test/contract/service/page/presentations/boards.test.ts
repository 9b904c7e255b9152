import type { Page } from 'playwright-core';
import { fieldIds, id, type Json } from '../../http';
import { becomes, cell, choose, inBrowser, matches, open, press } from '../browser';
import { testGridPage } from '../gridPage';

const things = testGridPage({
	columns: {
		title: { name: 'string' },
		state: { name: 'enum', options: ['new', { value: 'at', label: 'At work' }, 'over'] },
		due: { name: 'date' },
		at: { name: 'date-time' },
		n: { name: 'integer' },
	},
	rows: [
		{ title: 'One', state: 'new', due: '2027-03-05', at: '2027-03-06T02:30:00Z', n: 1 },
		{ title: 'Two', state: 'new', due: '2027-03-31', n: 2 },
		{ title: 'Three', state: 'over', n: 3 },
	],
	browser: { timezoneId: 'America/New_York', locale: 'en-GB' },
});
const { owner, dialog, closed, focused, rowOf, submit } = things;
let page: Page;
let grid: string;
let ids: Record<string, string>;
beforeAll(() => {
	({ page, grid } = things);
	({ ids } = things.context);
});

const lane = (name: string) => page.locator('.lane', { has: page.locator('h2', { hasText: name }) });
const card = (text: string) => page.locator('.card', { hasText: text });
const day = (date: string) => page.locator(`[data-day="${date}"]`);
const waitForCard = (where: ReturnType<typeof lane>, text: string) => where.locator('.card', { hasText: text }).waitFor(); // prettier-ignore
const sviews = () => owner.items(`${grid}/sviews`);
const showAs = (name: string) => page.getByLabel('Show rows as').selectOption(name);
const showMonth = (month: string) => page.getByLabel('Month', { exact: true }).fill(month);

async function addBoard(name: string, choice: string) {
	await choose(page, 'Add board or calendar');
	await submit('Add', { Name: name, 'What it shows': choice });
}

inBrowser('a board shows a lane for each option, with the rows that have it', async () => {
	await addBoard('Work', 'Board: a lane for each option, by “STATE”');
	await waitForCard(lane('new'), 'One');
	await waitForCard(lane('new'), 'Two');
	await waitForCard(lane('over'), 'Three');
	await becomes(() => page.locator('.lane h2').allInnerTexts(), ['new 2', 'At work 0', 'over 1']);
	await page.getByText('3 rows in 3 lanes').waitFor();
	await matches(sviews, [{ type: 'kanban', properties: { name: 'Work', fieldId: ids['state'] } }]);
});

inBrowser('a card is moved by dragging, which Undo reverts, and by the keyboard and its list', async () => {
	await card('One').dragTo(lane('At work'));
	await waitForCard(lane('At work'), 'One');
	await matches(() => rowOf('One'), { state: 'at' });
	await press(page, 'Undo');
	await waitForCard(lane('new'), 'One');
	await matches(() => rowOf('One'), { state: 'new' });
	await card('One').getByRole('button').press('Alt+ArrowRight');
	await waitForCard(lane('At work'), 'One');
	await becomes(focused, 'One');
	await page.keyboard.press('Alt+ArrowRight');
	await waitForCard(lane('over'), 'One');
	await page.getByLabel('STATE of Two').focus();
	await page.getByLabel('STATE of Two').selectOption('No STATE');
	await waitForCard(lane('No STATE'), 'Two');
	await matches(() => rowOf('One'), { state: 'over' });
	await matches(() => rowOf('Two'), { state: null });
	await becomes(() => page.evaluate('document.activeElement.ariaLabel'), 'STATE of Two');
});

inBrowser('a change by another user moves the card; a move that conflicts with one is refused', async () => {
	await things.change('Two', { state: 'over' });
	await waitForCard(lane('over'), 'Two');
	await page.route('**/updates*', (route) => route.abort());
	await page.waitForEvent('requestfailed', (request) => request.url().includes('/updates'));
	await things.change('Two', { state: 'new' });
	await page.getByLabel('STATE of Two').selectOption('At work');
	await page.getByText('“STATE” was changed to “new” in the meantime; your value was not written').waitFor();
	await waitForCard(lane('new'), 'Two');
	await matches(() => rowOf('Two'), { state: 'new' });
	await page.unroute('**/updates*');
});

inBrowser('the search narrows a board; a card opens its row', async () => {
	await page.getByLabel('Search rows').fill('Thr');
	await page.getByText('1 row in 3 lanes').waitFor();
	await card('Three').getByRole('button').click();
	await submit('Save', { N: '33' });
	await card('33').waitFor();
	await page.getByLabel('Search rows').fill('');
	await page.getByText('3 rows in 3 lanes').waitFor();
});

inBrowser('a lane with many rows shows more of them on request', async () => {
	const file = `Title,State\n${Array.from({ length: 120 }, (_, n) => `Row ${n},${n < 110 ? 'a' : 'b'}`).join('\n')}\n`;
	const many = await owner.create(`${things.context.space}/uploadCSV`, { name: 'Many', file });
	const fieldId = id(await fieldIds(owner, many, 'name'), 'State');
	await owner.post(`${many}/ColumnTypeChange`, { fieldId, type: { name: 'enum', options: ['a', 'b'] } });
	await owner.create(`${many}/sviews`, { type: 'kanban' });
	// A type of another client is not shown, whatever its name.
	await owner.create(`${many}/sviews`, { type: 'constructor' });
	const other = await things.loggedIn();
	await open(other, 'Many');
	await other.getByLabel('Show rows as').selectOption('kanban');
	await other.getByText('120 rows in 2 lanes').waitFor();
	await becomes(() => other.locator('.card').count(), 60);
	await press(other, '60 more');
	await press(other, '10 more');
	await other.locator('.card').nth(119).waitFor({ state: 'attached' });
	await other.close();
});

inBrowser('a calendar shows rows on their day; dragging and the keyboard change it', async () => {
	await addBoard('Dates', 'Calendar: rows on their day, by “DUE”');
	await showMonth('2027-03');
	await waitForCard(day('2027-03-05'), 'One');
	await page.getByText('2 rows around March 2027, 1 row without “DUE”').waitFor();
	await card('One').dragTo(day('2027-03-18'));
	await waitForCard(day('2027-03-18'), 'One');
	await card('One').getByRole('button').press('Alt+ArrowDown');
	await waitForCard(day('2027-03-25'), 'One');
	await page.keyboard.press('Alt+ArrowLeft');
	await waitForCard(day('2027-03-24'), 'One');
	await matches(() => rowOf('One'), { due: '2027-03-24', at: '2027-03-06T02:30:00.000Z' });
	await press(page, 'Next month');
	await page.getByText('1 row around April 2027').waitFor();
	await waitForCard(day('2027-03-31'), 'Two');
	await card('Two').getByRole('button').press('Alt+ArrowDown');
	await waitForCard(day('2027-04-07'), 'Two');
	await press(page, 'Today');
	await page.locator('.day.today').waitFor();
});

inBrowser('a calendar of a date-time column uses local days and keeps the local time', async () => {
	await choose(page, 'Edit calendar');
	await submit('Save', { Name: 'Times', 'What it shows': 'Calendar: rows on their day, by “AT”' });
	await showMonth('2027-03');
	await waitForCard(day('2027-03-05'), 'One');
	await card('One').dragTo(day('2027-03-20'));
	await waitForCard(day('2027-03-20'), 'One');
	// 21:30 in New York, before and after the change to daylight saving time.
	await matches(() => rowOf('One'), { at: '2027-03-21T01:30:00.000Z' });
});

/** Changes a row as another user, and waits until the page has read the rows again. */
async function changeMeanwhile(title: string, values: Json) {
	const seen = page.waitForResponse(async (response) => response.url().includes('/entities?') && (await response.text()).includes(JSON.stringify(values['n']))); // prettier-ignore
	await things.change(title, values);
	await seen;
	await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
}

/** Drags a card by hand. @param meanwhile runs while it hangs at the pointer */
async function drag(text: string, to: ReturnType<typeof day>, meanwhile: () => Promise<void>) {
	const [from, target] = [await card(text).boundingBox(), await to.boundingBox()];
	if (!from || !target) throw new Error('A card or its target is not visible');
	await page.mouse.move(from.x + from.width / 2, from.y + 3);
	await page.mouse.down();
	await page.mouse.move(from.x + from.width / 2 + 20, from.y + 20);
	await meanwhile();
	await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2);
	await page.mouse.up();
}

inBrowser('a card that is dragged arrives though rows change meanwhile', async () => {
	await drag('One', day('2027-03-22'), () => changeMeanwhile('Two', { n: 71_001 }));
	await waitForCard(day('2027-03-22'), 'One');
	// The row leaves the rows that are read: another user moves it to another month.
	await drag('One', day('2027-03-23'), () =>
		changeMeanwhile('One', { n: 71_002, at: '2027-04-01T12:00:00Z' }),
	);
	await page.getByText('“AT” was changed to').waitFor();
	await matches(() => rowOf('One'), { at: '2027-04-01T12:00:00.000Z' });
	await things.change('One', { at: '2027-03-21T01:30:00Z' });
	await waitForCard(day('2027-03-20'), 'One');
});

/** An expression for an element of the page, by a selector. */
const found = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`;
const mark = (selector: string) => page.evaluate(`${found(selector)}.isMarked = true`);
const isMarked = (selector: string) => page.evaluate(`${found(selector)}.isMarked === true`);

inBrowser('a card of an unchanged row keeps its element when others change', async () => {
	const one = `.card[data-id="${String((await rowOf('One'))['_id'])}"]`;
	await mark(one);
	await changeMeanwhile('Two', { n: 71_003, at: '2027-03-12T18:00:00Z' });
	await waitForCard(day('2027-03-12'), 'Two');
	await becomes(() => isMarked(one), true);
	await changeMeanwhile('One', { n: 71_004, title: 'One!' });
	await card('One!').waitFor();
	await becomes(() => isMarked(one), false);
	await changeMeanwhile('One!', { n: 71_005, title: 'One' });
});

inBrowser('an open list of a card stays open though rows change meanwhile', async () => {
	await showAs('Work');
	const list = page.getByLabel('STATE of Two');
	for (const [n, openList] of [
		[71_006, () => list.click()],
		[71_007, () => list.press(' ')],
	] as const) {
		await openList();
		await mark('[aria-label="STATE of Two"]');
		await changeMeanwhile('Two', { n });
		await becomes(() => isMarked('[aria-label="STATE of Two"]'), true);
		await page.keyboard.press('Escape');
		await list.blur();
		await card(String(n)).waitFor();
	}
	await showAs('Times');
	await showMonth('2027-03');
	await waitForCard(day('2027-03-20'), 'One');
});

inBrowser('a day of many rows lists all of them', async () => {
	for (let n = 0; n < 6; n++) await things.add({ title: `Late ${n}`, at: '2027-03-10T18:00:00Z' });
	await day('2027-03-10').getByRole('button', { name: '2 more' }).click();
	await dialog().getByRole('button', { name: 'Late 5' }).click();
	await dialog().getByLabel('TITLE').waitFor();
	await press(page, 'Cancel');
	await closed();
});

inBrowser('boards are deleted; their rows remain', async () => {
	await showAs('Work');
	await choose(page, 'Edit board');
	await press(page, 'Delete “Work”');
	await submit('Delete “Work”');
	await page.getByRole('grid').waitFor();
	await cell(page, 'Three').waitFor();
	await becomes(() => page.getByLabel('Show rows as').locator('option').allInnerTexts(), ['Table', 'Times']);
	await matches(sviews, [{ type: 'calendar', properties: { name: 'Times', fieldId: ids['at'] } }]);
});

inBrowser('a reader sees boards, but moves no card', async () => {
	const reader = await things.reader();
	await owner.create(`${grid}/sviews`, { type: 'kanban', properties: { name: 'Lanes' } });
	await open(reader, 'Things');
	await reader.getByLabel('Show rows as').selectOption('Lanes');
	await reader.locator('.card', { hasText: 'Three' }).waitFor();
	await becomes(() => reader.locator('.card select').count(), 0);
	await reader.locator('.card', { hasText: 'Three' }).getByRole('button').press('Alt+ArrowLeft');
	await matches(() => rowOf('Three'), { state: 'over' });
});
