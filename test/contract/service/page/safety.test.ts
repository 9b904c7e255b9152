import { makeGrid, startWithOwner } from '../http';
import { becomes, choose, inBrowser, open, Pages, press } from './browser';

const EVIL = '<img src=x onerror="window.hacked=1">';

inBrowser('the page shows markup in names, keys, options and cells as text', async () => {
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
	const link = owner.create(`${grid}/links`, { kind: 'form' });
	const csv = await owner.create(`${space}/uploadCSV`, {
		name: 'From CSV',
		file: `"${EVIL.replaceAll('"', '""')}"\nx\n`,
	});
	const pages = new Pages(() => service);
	try {
		const page = await pages.loggedIn();
		await open(page, `${EVIL} grid`);
		await page.locator('[role=gridcell]', { hasText: `${EVIL} cell` }).waitFor();
		await page.locator('.sort', { hasText: `${EVIL} column` }).waitFor();
		await page.locator('[role=gridcell]').nth(1).dblclick();
		await page.locator('.editor option', { hasText: EVIL }).waitFor({ state: 'attached' });
		await page.keyboard.press('Escape');
		await page.locator('#changes li', { hasText: `${EVIL} cell` }).waitFor();
		for (const button of ['Filter', `Column ${EVIL} column`, 'Open row 1', 'Edit grid']) {
			await (button === 'Edit grid' ? choose : press)(page, button);
			await page.getByRole('dialog').waitFor();
			await becomes(() => page.locator('dialog img, dialog b:text-is("key")').count(), 0);
			await page.keyboard.press('Escape');
			await page.getByRole('dialog').waitFor({ state: 'detached' });
		}
		await open(page, 'From CSV');
		await page.locator('.sort', { hasText: EVIL }).waitFor();
		await becomes(() => page.locator('#app img, #app b:text-is("key")').count(), 0);
		expect(await page.evaluate('window.hacked')).toBeUndefined();
		expect(csv).toContain('/grids/');
		const guest = await pages.page();
		await guest.goto(`${service.url}/?link=${encodeURIComponent(await link)}`);
		await guest.getByText(`${EVIL} column`).waitFor();
		for (const address of [
			'//evil.example/api/a/1/2',
			'https://evil.example/api/a/1/2',
			'javascript:alert(1)',
			'/api/a/1/../../x',
			'/api/a/../version',
			'/api/a/..\\users\\1\\spaces/2',
			'/api/a/%2e%2e/version',
		]) {
			await guest.goto(`${service.url}/?link=${encodeURIComponent(address)}`);
			await guest.getByText('This is not the address of a public link').waitFor();
		}
		expect(await guest.evaluate('window.hacked')).toBeUndefined();
	} finally {
		await pages.close(service);
	}
});
