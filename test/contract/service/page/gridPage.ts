import type { BrowserContextOptions, Page } from 'playwright-core';
import { makeGrid, object, startWithOwner, type Json, byKey } from '../http';
import { cell, open, Pages } from './browser';

export type GridPage = Awaited<ReturnType<typeof startGridPage>>;

/**
 * Starts a service with the grid "Things", and opens it on a page of the owner.
 * @param options.columns types by key; the first column is `title`
 * @param options.rows at least one row, with values by key
 * @param [options.browser] browser options of every page
 */
export async function startGridPage({
	columns,
	rows,
	browser = {},
}: {
	columns: Readonly<Record<string, Json>>;
	rows: readonly [Json & { title: string }, ...Json[]];
	browser?: BrowserContextOptions;
}) {
	const { service, owner, home } = await startWithOwner();
	const pages = new Pages(() => service);
	const stop = async () => {
		await pages.close(service);
	};
	try {
		const { space, grid, ids } = await makeGrid(owner, columns);
		for (const row of rows) await owner.create(`${grid}/entities`, row, byKey);
		const page = await pages.loggedIn(browser);
		await open(page, 'Things');
		await cell(page, rows[0].title).first().waitFor();
		/** Opens another page of the owner. */
		const loggedIn = (login?: { key: string; secret: string }) => pages.loggedIn(browser, login);
		/** Opens the page without a log-in. */
		const guest = async (): Promise<Page> => {
			const opened = await pages.page(browser);
			await opened.goto(service.url);
			return opened;
		};
		/** Opens a page with a new reader key. @param path of the page */
		const reader = async (path = ''): Promise<Page> => {
			const body = { name: 'r', role: 'reader' };
			const { key, secret } = object((await owner.post(`${home}/accessKeys`, body)).json());
			return await pages.loggedIn(browser, { key: String(key), secret: String(secret) }, path);
		};
		const { url, key, secret } = service;
		return {
			owner,
			home,
			space,
			grid,
			ids,
			page,
			url,
			key,
			secret,
			loggedIn,
			guest,
			reader,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}
