import type { Page } from 'playwright-core';
import { IN_CI } from '../../../../scripts/setup/tally.mjs';
import { until } from '../../../../testbed/until';
import { href, startWithOwner, last } from '../http';
import { ALL_RULES, violationsOf } from './axe';
import { becomes, cell, inBrowser, open, Pages, press } from './browser';

let context: Awaited<ReturnType<typeof startWithOwner>>;
const pages = new Pages(() => context.service);

beforeAll(async () => {
	context = await startWithOwner({ seed: 'demo' });
	const { owner, home } = context;
	const [space = {}] = await owner.items(`${home}/spaces`);
	const grids = await owner.items(href(space, 'grids'));
	const sviews = href(grids.find(({ key }) => key === 'orders') ?? {}, 'sviews');
	await owner.create(sviews, { type: 'kanban', properties: { name: 'By status' } });
	await owner.create(sviews, { type: 'calendar', properties: { name: 'Due dates' } });
});
afterAll(() => pages.close(context.service));

const firstSpace = async () => (await context.owner.items(`${context.home}/spaces`))[0] ?? {};
/** The viewer of the API description sets its own headings and regions, so only WCAG applies. */
const WCAG_RULES = { ...ALL_RULES, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
/** Opens every dialog of the grid Orders. @returns the violations in them */
async function violationsInDialogs(page: Page) {
	const found: unknown[] = [];
	await page.getByLabel('Show rows as').selectOption('Table');
	const dialogs = async (count: number) => {
		await until(`${count} dialogs`, async () => (await page.locator('dialog').count()) === count);
	};
	/**
	 * Opens a dialog with the keyboard, checks it and closes it: the focus returns.
	 * @param inside returns the number of dialogs that it leaves open
	 */
	const visit = async (name: string, inside?: () => Promise<number>, menu?: string) => {
		if (menu !== undefined) {
			await page.getByRole('button', { name: menu, exact: true }).focus();
			await page.keyboard.press('Enter');
		}
		const button = page.getByRole('button', { name, exact: true });
		await button.focus();
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor();
		await becomes(
			async () => [
				name,
				await page.evaluate("document.querySelector('dialog').contains(document.activeElement)"),
			],
			[name, true],
		);
		let open = (await inside?.()) ?? 1;
		await dialogs(open);
		found.push(...(await violationsOf(page, name)));
		while (open > 0) {
			await page.keyboard.press('Escape');
			await dialogs(--open);
		}
		await until(
			`the focus on ${menu ?? name}`,
			async () =>
				(await page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent')) ===
				(menu ?? name),
		);
	};
	for (const button of ['Add row', 'Filter', 'Open row 1', 'Column Status']) await visit(button);
	for (const button of [
		'Columns',
		'Save as view',
		'Add board or calendar',
		'Add column',
		'Deleted columns',
		'Delete selected rows',
		'Import rows',
		'Public links',
		'Form',
		'Edit grid',
	])
		await visit(button, undefined, 'More');
	const spaces = page.getByRole('button', { name: '☰ Grids' });
	if (await spaces.isVisible()) await spaces.click();
	await visit('Edit the space Operations');
	await visit('People', async () => {
		await press(page, 'Share');
		const email = 'somebody@example.com';
		await page.getByLabel('Email address').fill(email);
		await page.getByRole('dialog').last().getByRole('button', { name: 'Share' }).click();
		await page.getByRole('heading', { name: `Invitation for ${email}` }).waitFor();
		return 2;
	});
	await visit('Access keys', async () => {
		await press(page, 'Create a key');
		await page.getByRole('dialog').last().getByLabel('Name').fill('k');
		await press(page, 'Create');
		await page.getByText('The secret is shown only once.').waitFor();
		return 2;
	});
	await visit('Import CSV', async () => {
		const buffer = Buffer.from('Item,Count\nNails,010\n');
		await page.getByLabel('Name of the new grid').fill('x');
		await page
			.getByLabel('File', { exact: true })
			.setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer });
		await press(page, 'Preview');
		await page.getByText('1 row, 2 columns').waitFor();
		return 1;
	});
	await open(page, 'Open orders');
	await page.locator('#title', { hasText: 'Open orders' }).waitFor();
	await visit('Edit view', undefined, 'More');
	await visit('Save view', undefined, 'More');
	if (await spaces.isVisible()) await spaces.click();
	await open(page, 'Orders');
	await page.locator('#title', { hasText: /^Orders$/ }).waitFor();
	await page.evaluate("navigator.clipboard.writeText('x\\tno mail\\tlost\\n')");
	await page.locator('[data-row="1"] [data-column="2"]').click();
	await page.keyboard.press('Control+V');
	await page.getByRole('heading', { name: '2 cells skipped' }).waitFor();
	found.push(...(await violationsOf(page, 'paste')));
	await page.keyboard.press('Escape');
	return found;
}

const sizes = { phone: { width: 390, height: 844 }, tablet: { width: 820, height: 1180 }, desktop: { width: 1400, height: 900 } }; // prettier-ignore

/** The tablet's layout is the desktop's with less room. Dialogs have least room on the phone. */
const tested = Object.entries(sizes).filter(([name]) => IN_CI || name !== 'tablet');

describe.each(tested)('on a %s', (name, viewport) => {
	inBrowser('axe finds no violation in light or dark, and the grid and its position fill the window', async () => {
			const guest = await pages.page({ viewport });
			await guest.goto(context.service.url);
			const found: unknown[] = await violationsOf(guest, 'log in');
			const share = await context.owner.create(`${href(await firstSpace(), 'self')}/shares`, { email: `join-${name}@example.com`, role: 'reader' });
			const joining = (await context.owner.post(`${share}/joinLink`, {})).json();
			await guest.goto(`${context.service.url}/#join=${last(String(joining['href']))}`);
			await guest.reload();
			await guest.getByLabel('Your name').waitFor();
			found.push(...(await violationsOf(guest, 'join')));
			const page = await pages.loggedIn({ viewport, permissions: ['clipboard-read', 'clipboard-write'] });
			found.push(...(await violationsOf(page, 'grids')));
			await open(page, 'Orders');
			await cell(page, 'A-1001').first().waitFor();
			found.push(...(await violationsOf(page, 'rows')));
			const [table, place] = [await page.locator('.grid').boundingBox(), await page.locator('#position').boundingBox()];
			expect(table?.width ?? 0).toBeGreaterThan(viewport.width / 2);
			expect(table?.height ?? 0).toBeGreaterThan(viewport.height / 2);
			expect((place?.y ?? Infinity) + (place?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
			const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
			await becomes(() => page.evaluate(wide), 0);
			await press(page, 'More');
			found.push(...(await violationsOf(page, 'More')));
			await page.keyboard.press('Escape');
			for (const board of ['By status', 'Due dates']) {
				await page.getByLabel('Show rows as').selectOption(board);
				if (board === 'Due dates') await page.getByLabel('Month', { exact: true }).fill('2027-03');
				await page.locator(board === 'Due dates' ? '.day .card' : '.lane .card').first().waitFor();
				found.push(...(await violationsOf(page, board)));
				await becomes(() => page.evaluate(wide), 0);
			}
			if (name === 'phone') found.push(...(await violationsInDialogs(page)));
			if (name !== 'desktop') {
				await press(page, 'Changes');
				await page.locator('#changes li').first().waitFor();
				found.push(...(await violationsOf(page, 'changes')));
			}
			await guest.goto(`${context.service.url}/api/docs`);
			await guest.getByLabel('Server', { exact: true }).waitFor();
			found.push(...(await violationsOf(guest, 'docs', WCAG_RULES)));
			expect(found).toEqual([]);
		}, 300_000); // prettier-ignore
});
