import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Caller } from '../http';
import { href, objects, startWithOwner } from '../http';

/** A browser of the system; without one these tests say that they were skipped. */
const browserPath = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
	existsSync,
);
const inBrowser = browserPath === undefined ? test.skip : test;

let context: Awaited<ReturnType<typeof startWithOwner>>;
let browser: Browser | undefined;
let page: Page;
const problems: string[] = [];
const outside: string[] = [];

beforeAll(async () => {
	context = await startWithOwner({ seed: 'demo' });
	if (browserPath === undefined) return;
	const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']; // prettier-ignore
	browser = await chromium.launch({ executablePath: browserPath, headless: true, args });
	page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
	page.on('pageerror', (error) => problems.push(error.message));
	page.on('request', (request) => {
		if (!request.url().startsWith(context.service.url) && !request.url().startsWith('data:'))
			outside.push(request.url());
	});
});
afterAll(async () => {
	await browser?.close();
	await context.service.stop();
});

async function logIn(key: string, secret: string) {
	await page.goto(context.service.url);
	await page.getByLabel('Key').fill(key);
	await page.getByLabel('Secret').fill(secret);
	await page.getByRole('button', { name: 'Log in' }).click();
}

const cell = (text: string) => page.locator('.tabulator-cell', { hasText: text });

/** The grid Orders of the demo data, over the API. */
async function orders(caller: Caller) {
	const [space] = objects((await caller.get(`${context.home}/spaces`)).json()['items']);
	const grids = objects((await caller.get(href(space ?? {}, 'grids'))).json()['items']);
	const grid = grids.find((one) => one['key'] === 'orders') ?? {};
	const [first] = objects((await caller.get(href(grid, 'entities'), { layout: 'key' })).json()['items']);
	return { grid, first: first ?? {} };
}

inBrowser('a person logs in, edits a cell, and the service has the new value', async () => {
	await logIn(context.service.key, 'wrong');
	await page.getByText('Unknown key, or wrong secret').waitFor();
	await logIn(context.service.key, context.service.secret);
	await page.getByRole('button', { name: 'Orders', exact: true }).click();
	await cell('A-1001').waitFor();
	const row = page.locator('.tabulator-row', { hasText: 'A-1001' });
	await row.locator('.tabulator-cell').nth(1).click();
	const input = row.locator('input').first();
	await input.fill('A changed customer');
	await input.press('Enter');
	await page.locator('#changes li', { hasText: 'A changed customer' }).waitFor();
	const { first } = await orders(context.owner);
	expect(first).toMatchObject({ order: 'A-1001', customer: 'A changed customer' });
});

inBrowser(
	'what somebody else changes appears in the table and in the list of changes; a row can be added',
	async () => {
		const { first, grid } = await orders(context.owner);
		await context.owner.put(href(first, 'update'), { customer: 'Changed elsewhere' }, { layout: 'key' });
		await page
			.locator('.tabulator-row', { hasText: 'A-1001' })
			.locator('.tabulator-cell', { hasText: 'Changed elsewhere' })
			.waitFor();
		await page.locator('#changes li', { hasText: 'Changed elsewhere' }).waitFor();
		const before = Number((await context.owner.get(href(grid, 'entities'))).json()['numberOfItems']);
		await page.getByRole('button', { name: 'Add row' }).click();
		await page.locator('#changes li', { hasText: 'created' }).first().waitFor();
		expect((await context.owner.get(href(grid, 'entities'))).json()['numberOfItems']).toBe(before + 1);
	},
);

inBrowser(
	'a value that does not fit is refused with the words of the service, and the old one comes back',
	async () => {
		const row = page.locator('.tabulator-row', { hasText: 'A-1002' });
		await row.locator('.tabulator-cell').nth(2).click();
		const input = row.locator('input').first();
		await input.fill('no address');
		await input.press('Enter');
		await page.getByText('Field "Email" (email) does not take "no address"').waitFor();
		expect(await row.locator('.tabulator-cell').nth(2).innerText()).toBe('hello@birchwood.example');
	},
);

inBrowser('a reader gets no button to add and no editor', async () => {
	const made = (await context.owner.post(`${context.home}/accessKeys`, { name: 'r', role: 'reader' })).json();
	await page.getByRole('button', { name: 'Log out' }).click();
	await logIn(String(made['key']), String(made['secret']));
	await page.getByRole('button', { name: 'Orders', exact: true }).click();
	await cell('A-1003').waitFor();
	expect(await page.getByRole('button', { name: 'Add row' }).isVisible()).toBe(false);
	await cell('A-1003').click();
	expect(await page.locator('.tabulator-row input').count()).toBe(0);
	expect(await page.getByTitle('Delete this row').count()).toBe(0);
});

inBrowser('the page takes nothing from outside and throws nothing', () => {
	expect(outside).toEqual([]);
	expect(problems).toEqual([]);
});
