import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { makeGrid, startWithOwner } from '../http';

/** A browser of the system; without one this test says that it was skipped. */
const browserPath = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
	existsSync,
);
const inBrowser = browserPath === undefined ? test.skip : test;

const EVIL = '<img src=x onerror="window.hacked=1">';

inBrowser(
	'the page shows markup in names, keys, options and cells as text',
	async () => {
		const { service, owner } = await startWithOwner();
		const { space, grid } = await makeGrid(owner, { a: { name: 'string' } }, `${EVIL} grid`);
		await owner.patch(space, { name: `${EVIL} space` });
		const options = [EVIL, 'other'];
		await owner.create(`${grid}/ColumnAdd`, {
			name: `${EVIL} column`,
			key: '<b>key</b>',
			type: { name: 'enum', options },
		});
		await owner.create(`${grid}/entities`, { fields: [`${EVIL} cell`, EVIL] });
		const csv = await owner.create(`${space}/uploadCSV`, {
			name: 'From CSV',
			file: `"${EVIL.replaceAll('"', '""')}"\nx\n`,
		});
		const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']; // prettier-ignore
		const browser = await chromium.launch({ executablePath: browserPath ?? '', headless: true, args });
		try {
			const page = await browser.newPage();
			await page.goto(service.url);
			await page.getByLabel('Key').fill(service.key);
			await page.getByLabel('Secret').fill(service.secret);
			await page.getByRole('button', { name: 'Log in' }).click();
			await page.getByRole('button', { name: `${EVIL} grid` }).click();
			await page.locator('.tabulator-cell', { hasText: `${EVIL} cell` }).waitFor();
			await page.locator('.tabulator-col', { hasText: `${EVIL} column` }).hover();
			await page.locator('.tabulator-tooltip', { hasText: '<b>key</b>: enum' }).waitFor();
			await page.locator('.tabulator-row .tabulator-cell').nth(1).click();
			await page.locator('.tabulator-edit-list-item', { hasText: EVIL }).waitFor();
			expect(
				await page.locator('#app img, #app b, .tabulator-tooltip b, .tabulator-edit-list img').count(),
			).toBe(0);
			await page.keyboard.press('Escape');
			await page.getByRole('button', { name: 'From CSV' }).click();
			await page.locator('.tabulator-col', { hasText: EVIL }).waitFor();
			expect(await page.locator('#app img').count()).toBe(0);
			expect(await page.evaluate('window.hacked')).toBeUndefined();
			expect(csv).toContain('/grids/');
		} finally {
			await browser.close();
			await service.stop();
		}
	},
	60_000,
);
