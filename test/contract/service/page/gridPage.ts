import type { BrowserContextOptions, Page } from 'playwright-core';
import { byKey, ForAllTests, href, makeGrid, startWithOwner, type Json } from '../http';
import { cell, dialogOn, focused, open, Pages, submit } from './browser';

interface Things {
	/** Types by key; the first column is `title`. */
	readonly columns: Readonly<Record<string, Json>>;
	/** At least one row, with values by key. */
	readonly rows: readonly [Json & { title: string }, ...Json[]];
	/** Browser options of every page. */
	readonly browser?: BrowserContextOptions;
}

/** Starts a service with the grid "Things", and opens it on a page of the owner. */
async function startGridPage({ columns, rows, browser = {} }: Things) {
	const started = await startWithOwner();
	const { service, owner } = started;
	const pages = new Pages(() => service);
	const end = () => pages.close(service);
	try {
		const made = await makeGrid(owner, columns);
		for (const row of rows) await owner.create(`${made.grid}/entities`, row, byKey);
		const page = await pages.loggedIn(browser);
		await open(page, 'Things');
		await cell(page, rows[0].title).first().waitFor();
		return { ...started, ...made, pages, page, browser, end };
	} catch (error) {
		await end();
		throw error;
	}
}

/** The service of a test file with the grid "Things", which is open on a page. */
class GridPage extends ForAllTests<Awaited<ReturnType<typeof startGridPage>>> {
	get page(): Page {
		return this.context.page;
	}

	get grid(): string {
		return this.context.grid;
	}

	dialog = () => dialogOn(this.page);
	closed = () => this.page.getByRole('dialog').waitFor({ state: 'detached' });
	notice = (text: string) => this.page.locator('#notice', { hasText: text }).waitFor();
	isTitled = (title: string) => this.page.locator('#title').getByText(title, { exact: true }).waitFor();
	focused = () => focused(this.page);
	submit = (button: string, values: Readonly<Record<string, string>> = {}) =>
		submit(this.page, button, values);

	/** Rows as the service has them. */
	rows = () => this.owner.items(`${this.grid}/entities`, byKey);
	rowOf = async (title: string) => (await this.rows()).find((one) => one['title'] === title) ?? {};
	values = async (...keys: string[]) => (await this.rows()).map((one) => keys.map((key) => one[key]));
	/** Adds, changes and deletes rows as another program does. */
	add = (row: Json) => this.owner.create(`${this.grid}/entities`, row, byKey);
	change = async (title: string, values: Json) =>
		this.owner.put(href(await this.rowOf(title), 'update'), values, byKey);
	remove = async (title: string) => this.owner.delete(href(await this.rowOf(title), 'self'));

	/** Opens another page, of the owner unless a key is given. @param path of the page */
	loggedIn = (login?: { key: string; secret: string }, path = '') =>
		this.context.pages.loggedIn(this.context.browser, login, path);

	/** Opens a page with a new reader key. */
	reader = async (path = '') => this.loggedIn(await this.newLogin('r', 'reader'), path);

	async newLogin(name: string, role: string) {
		const { key, secret } = (await this.owner.post(`${this.home}/accessKeys`, { name, role })).json();
		return { key: String(key), secret: String(secret) };
	}

	/** Opens a public link without a log-in. */
	guest = async (link: string) => {
		const opened = await this.context.pages.page(this.context.browser);
		await opened.goto(`${this.service.url}/?link=${encodeURIComponent(link)}`);
		return opened;
	};
}

/** Registers the hooks of a test file. @returns its service, page and grid */
export const testGridPage = (things: Things) => new GridPage(() => startGridPage(things));
