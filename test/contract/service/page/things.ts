import type { BrowserContextOptions, Page } from 'playwright-core';
import { makeGrid, object, startWithOwner, type Json } from '../http';
import { cell, open, Pages } from './browser';

export type Things = Awaited<ReturnType<typeof startThings>>;

/**
 * A service with the grid "Things", and a page that shows it to the owner. Every other page of
 * `loggedIn` and `reader` gets the same options.
 * @param options.columns their types by key; the first one is `title`
 * @param options.rows at least one, with values by key
 * @param [options.browser] settings of each page
 */
export async function startThings({
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
		await pages.close();
		await service.stop();
	};
	try {
		const { space, grid, ids } = await makeGrid(owner, columns);
		for (const row of rows) await owner.create(`${grid}/entities`, row, { layout: 'key' });
		const page = await pages.loggedIn(browser);
		await open(page, 'Things');
		await cell(page, rows[0].title).first().waitFor();
		/** Another page of the owner. */
		const loggedIn = () => pages.loggedIn(browser);
		/** A page for a new reader key. */
		const reader = async (): Promise<Page> => {
			const body = { name: 'r', role: 'reader' };
			const { key, secret } = object((await owner.post(`${home}/accessKeys`, body)).json());
			return await pages.loggedIn(browser, { key: String(key), secret: String(secret) });
		};
		return { owner, home, space, grid, ids, page, problems: pages.problems, loggedIn, reader, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
