import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page, type Locator } from 'playwright-core';
import { root } from '../scripts/setup/paths.mjs';
import { toolOf } from '../scripts/setup/system.mjs';

const QUIET = [
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Where the pictures of each step go: a git-ignored folder, unless `PICTURES` names another. */
export const pictureFolder = join(root, process.env.PICTURES ?? join('build', 'pictures'));

export interface Browsing {
	page: Page;
	/** n8n marks what a person uses with `data-test-id` */
	byId: (testId: string) => Locator;
	/** Keeps what the page shows now */
	picture: (name: string) => Promise<void>;
	/** What went wrong in the page's own scripts */
	pageErrors: string[];
}

/**
 * Opens a browser with one page, and closes it whatever
 * happens. Nothing but this machine may be asked for anything.
 *
 * @template T
 */
export async function withBrowser<T>(use: (browsing: Browsing) => Promise<T>): Promise<T> {
	const executablePath = toolOf('chromium');
	await mkdir(pictureFolder, { recursive: true });
	// Chromium refuses its sandbox to root, which is who runs in most containers.
	const args = process.getuid?.() === 0 ? [...QUIET, '--no-sandbox'] : QUIET;
	const browser = await chromium.launch({ executablePath, headless: true, args });
	try {
		const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
		const page = await context.newPage();
		page.setDefaultTimeout(30_000);

		const pageErrors: string[] = [];
		page.on('pageerror', ({ message }) => {
			pageErrors.push(message);
		});
		await page.route('**/*', async (route) => {
			const { hostname, protocol } = new URL(route.request().url());
			await (hostname === '127.0.0.1' || !protocol.startsWith('http') ? route.continue() : route.abort());
		});
		return await use({
			page,
			pageErrors,
			byId: (testId) => page.locator(`[data-test-id="${testId}"]`),
			picture: async (name) => {
				await page.screenshot({ path: join(pictureFolder, `${name}.png`) });
			},
		});
	} finally {
		await browser.close();
	}
}

/** Logs in at n8n's own form. */
export async function logIn(
	{ page, byId }: Browsing,
	url: string,
	{ email, password }: { email: string; password: string },
) {
	await page.goto(`${url}/signin`);
	await page.locator('input[autocomplete="email"], input[name="emailOrLdapLoginId"]').first().fill(email);
	await page.locator('input[type="password"]').fill(password);
	await byId('form-submit-button').click();
	await page.waitForURL(/home|workflows/);
}
