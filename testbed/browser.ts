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
	// Not by a handler of requests: with one, nothing is cached, and the editor loads a third slower.
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** n8n's editor throws this when a changed workflow is left for another page of n8n. */
const TOLD_ON_LEAVING = 'injectNDVStore() was accessed without an active workflow document store';

/** Folder for pictures of each step: git-ignored, unless `PICTURES` names another one. */
export const pictureFolder = join(root, process.env.PICTURES ?? join('build', 'pictures'));

export interface Browsing {
	page: Page;
	/** Goes to a page of n8n's editor as its links do; loading the editor takes 20 times as long. */
	open: (path: string) => Promise<void>;
	/** Loads the editor with a workflow. */
	load: (url: string) => Promise<void>;
	/** Begins a new workflow, without saving the open one. */
	newWorkflow: () => Promise<void>;
	/** Finds an element by n8n's `data-test-id` */
	byId: (testId: string) => Locator;
	/** Saves a screenshot */
	picture: (name: string) => Promise<void>;
	/** Errors of the page's scripts */
	pageErrors: string[];
}

/**
 * Opens a browser with one page and closes it afterwards. Requests to other machines are blocked.
 *
 * @template T
 */
export async function withBrowser<T>(use: (browsing: Browsing) => Promise<T>): Promise<T> {
	const executablePath = toolOf('chromium');
	await mkdir(pictureFolder, { recursive: true });
	// Chromium has no sandbox for root, the user of most containers.
	const args = process.getuid?.() === 0 ? [...QUIET, '--no-sandbox'] : QUIET;
	const browser = await chromium.launch({ executablePath, headless: true, args });
	try {
		const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
		const page = await context.newPage();
		page.setDefaultTimeout(120_000);
		// The editor asks before it leaves a workflow that is not saved.
		page.on('dialog', (dialog) => void dialog.accept());

		const pageErrors: string[] = [];
		page.on('pageerror', ({ message }) => {
			if (!message.startsWith(TOLD_ON_LEAVING)) pageErrors.push(message);
		});
		const byId = (testId: string) => page.locator(`[data-test-id="${testId}"]`);
		const open = async (path: string) => {
			await page.evaluate(`
				history.pushState(null, '', ${JSON.stringify(path)});
				dispatchEvent(new PopStateEvent('popstate', { state: null }));
			`);
		};
		const load = async (url: string) => {
			const first = byId('canvas-node').first();
			await page.goto(url);
			// A busy n8n has left the editor empty: a person loads it again.
			await first.waitFor({ timeout: 60_000 }).catch(async () => {
				await page.screenshot({ path: join(pictureFolder, 'empty-editor.png') });
				await page.reload();
				await first.waitFor();
			});
		};
		return await use({
			page,
			pageErrors,
			open,
			load,
			newWorkflow: async () => {
				await open('/home/workflows');
				const leave = page.locator('.el-message-box .btn--cancel');
				const add = byId('add-resource-workflow');
				await leave.or(add).first().waitFor();
				if (await leave.isVisible()) await leave.click();
				await add.click();
				await page.waitForURL(/[?&]new=true/);
				await byId('canvas-background').waitFor();
			},
			byId,
			picture: async (name) => {
				await page.screenshot({ path: join(pictureFolder, `${name}.png`) });
			},
		});
	} finally {
		await browser.close();
	}
}

/** Logs in with n8n's form and waits for the list of workflows. */
export async function logIn(
	{ page, byId }: Browsing,
	url: string,
	{ email, password }: { email: string; password: string },
) {
	await page.goto(`${url}/signin`);
	await page.locator('input[autocomplete="email"], input[name="emailOrLdapLoginId"]').first().fill(email);
	await page.locator('input[type="password"]').fill(password);
	await byId('form-submit-button').click();
	// Until its first page is there, the editor goes nowhere else.
	await byId('add-resource-workflow').waitFor();
	// As someone who wants no explanation any more after each publication.
	await page.evaluate(`localStorage.setItem('N8N_HIDE_ACTIVATION_ALERT', 'true')`);
}
