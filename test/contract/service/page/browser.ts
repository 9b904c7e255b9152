import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import type { RunningService } from '../../../../service/server';
import { until } from '../../../../testbed/until';

const browserPath = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
	existsSync,
);
/** `test`, skipped if the system has no browser. */
export const inBrowser = browserPath === undefined ? test.skip : test;

/** A browser that records errors, policy violations and foreign requests of its pages. */
export class Pages {
	private browser: Browser | undefined;
	private readonly problems: string[] = [];

	constructor(private readonly service: () => Pick<RunningService, 'url' | 'key' | 'secret'>) {}

	async page(options: BrowserContextOptions = {}): Promise<Page> {
		const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']; // prettier-ignore
		this.browser ??= await chromium.launch({ executablePath: browserPath ?? '', headless: true, args });
		const page = await this.browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
		page.setDefaultTimeout(60_000);
		page.on('pageerror', (error) => this.problems.push(error.message));
		page.on('console', (message) => {
			if (message.text().includes('Content Security Policy')) this.problems.push(message.text());
		});
		page.on('request', (request) => {
			const isOwn = [this.service().url, 'data:', 'blob:'].some((start) => request.url().startsWith(start));
			if (!isOwn) this.problems.push(`requested ${request.url()}`);
		});
		return page;
	}

	/** Opens a page and logs in, as the owner unless a key is given. */
	async loggedIn(
		options: BrowserContextOptions = {},
		login?: { key: string; secret: string },
		path = '',
	): Promise<Page> {
		const page = await this.page(options);
		await page.goto(this.service().url + path);
		const { key, secret } = login ?? this.service();
		await page.getByLabel('Key').fill(key);
		await page.getByLabel('Secret').fill(secret);
		await page.getByRole('button', { name: 'Log in' }).click();
		await page.locator('#who', { hasText: /./ }).waitFor({ state: 'attached' });
		return page;
	}

	/**
	 * Closes the browser, then the service.
	 * @throws if a page had an error, violated the policy or requested something foreign
	 */
	async close(service: Pick<RunningService, 'stop'>): Promise<void> {
		await this.browser?.close();
		await service.stop();
		expect(this.problems).toEqual([]);
	}
}

/** Waits until `read` returns the expected value. @throws with the difference */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
	let last: T | undefined;
	const isSo = async () => isDeepStrictEqual((last = await read()), expected);
	await until('the value', isSo, { withinMs: 60_000 }).catch(() => undefined);
	expect(last).toEqual(expected);
}

/** Waits until what `read` returns has the expected properties. @throws with the difference */
export async function matches(read: () => Promise<object>, expected: object): Promise<void> {
	let last: object = {};
	const isSo = async () => {
		last = await read();
		try {
			expect(last).toMatchObject(expected);
			return true;
		} catch {
			return false;
		}
	};
	await until('the properties', isSo, { withinMs: 60_000 }).catch(() => undefined);
	expect(last).toMatchObject(expected);
}

export const cell = (page: Page, text: string) => page.locator('[role=gridcell]', { hasText: text });
export const row = (page: Page, text: string) => page.locator('.body [role=row]', { hasText: text });
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const open = (page: Page, grid: string) => press(page, grid);
export const dialogOn = (page: Page) => page.getByRole('dialog').last();
export const focused = (page: Page) => page.evaluate('document.activeElement.textContent');
/** Fills in the inputs and lists of the upper dialog, by their labels. */
export async function fillIn(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
	for (const [label, value] of Object.entries(values)) {
		const input = dialogOn(page).getByLabel(label, { exact: true });
		await input.waitFor();
		await ((await input.and(page.locator('select')).count()) > 0
			? input.selectOption(value)
			: input.fill(value));
	}
}
/** Fills in the dialog and presses a button, which closes it. */
export async function submit(page: Page, button: string, values: Readonly<Record<string, string>> = {}) {
	await fillIn(page, values);
	await dialogOn(page).getByRole('button', { name: button, exact: true }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
}
/** Writes a text into a cell by hand. */
export async function edit(at: Locator, text: string): Promise<void> {
	await at.dblclick();
	await at.page().locator('.editor').fill(text);
	await at.page().locator('.editor').press('Enter');
}
/** Chooses an action of the menu "More" of the open grid. */
export async function choose(page: Page, name: string): Promise<void> {
	await page.locator('#toolbar').getByRole('button', { name: 'More', exact: true }).click();
	await page.locator('.menu-list').getByRole('button', { name, exact: true }).click();
}
