import { createServer, request, type Server } from 'node:http';
import type { Caller } from '../http';
import { makeGrid, startWithOwner, byKey } from '../http';
import { cell, choose, edit, inBrowser, matches, open, Pages, press, row, submit } from './browser';

const PREFIX = '/team/grids';

/** Services behind the proxy, started after it because they know its address. */
const behind = { page: '', api: '' };

/**
 * A reverse proxy that serves the page of one service and the API of another below a path. Like
 * nginx, it leaves bodies unchanged and rewrites Host and Location.
 */
function startProxy(outside: string[]): Promise<Server> {
	const server = createServer((incoming, outgoing) => {
		const { url = '', method, headers } = incoming;
		if (!url.startsWith(`${PREFIX}/`)) {
			outside.push(url);
			outgoing.writeHead(404).end();
			return;
		}
		const path = url.slice(PREFIX.length);
		const isApi = path.startsWith('/api/') && !path.startsWith('/api/docs');
		const target = new URL(path, isApi ? behind.api : behind.page);
		const passed = request(target, { method, headers: { ...headers, host: target.host } }, (response) => {
			const { location } = response.headers;
			const moved = location?.startsWith('/') ? { location: PREFIX + location } : {};
			outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, ...moved });
			response.pipe(outgoing);
		});
		passed.on('error', () => outgoing.destroy());
		incoming.pipe(passed);
	});
	return new Promise((resolve) =>
		server.listen(0, '127.0.0.1', () => {
			resolve(server);
		}),
	);
}

const outside: string[] = [];
let here: Awaited<ReturnType<typeof startWithOwner>>;
let there: Awaited<ReturnType<typeof startWithOwner>>;
let owner: Caller;
let proxy: Server;
let login: { url: string; key: string; secret: string };
let grid: string;
const pages = new Pages(() => login);

beforeAll(async () => {
	proxy = await startProxy(outside);
	const address = proxy.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	const url = `http://127.0.0.1:${port}${PREFIX}/`;
	here = await startWithOwner({ publicUrl: url });
	there = await startWithOwner({ publicUrl: url });
	owner = there.owner;
	Object.assign(behind, { page: here.service.url, api: owner.url });
	({ grid } = await makeGrid(owner, { title: { name: 'string' }, n: { name: 'integer' } }));
	await owner.create(`${grid}/entities`, { fields: ['Of another service', 1] });
	login = { ...there.service, url };
});
afterAll(async () => {
	try {
		await pages.close(here.service);
	} finally {
		proxy.close();
		proxy.closeAllConnections();
		await there.service.stop();
	}
});

const rows = () => owner.items(`${grid}/entities`, byKey);

inBrowser('behind a proxy with a path, the page works on the API of another service', async () => {
	const page = await pages.loggedIn();
	await open(page, 'Things');
	await edit(row(page, 'Of another service').locator('[data-column="1"]'), '7');
	await page.locator('#changes li', { hasText: 'N: 1 → 7' }).waitFor();
	await press(page, 'Add row');
	await submit(page, 'Add', { TITLE: 'Added' });
	await cell(page, 'Added').waitFor();
	await matches(rows, [{ n: 7 }, { title: 'Added' }]);
	await choose(page, 'Save as view');
	await submit(page, 'Save', { Name: 'A view' });
	await page.getByRole('heading', { name: 'A view' }).waitFor();
	await press(page, 'Access keys');
	await page.locator('dialog code', { hasText: login.url.replace(/\/$/, '') }).waitFor();
});

inBrowser('a public link and the API description open below the path, and no request leaves it', async () => {
	const path = await owner.create(`${grid}/links`, { kind: 'form' });
	const stranger = await pages.page();
	await stranger.goto(`${login.url}?link=${encodeURIComponent(path)}`);
	await stranger.getByLabel('TITLE').fill('By form');
	await press(stranger, 'Send');
	await stranger.getByText('Your answers were saved').waitFor();
	expect((await rows()).at(-1)).toMatchObject({ title: 'By form' });
	const docs = await pages.page();
	await docs.goto(`${login.url}api/docs#/Service/getVersion`);
	await docs.getByRole('button', { name: 'Try it out' }).click();
	const sent = docs.waitForRequest('**/api/version');
	await docs.getByRole('button', { name: 'Execute' }).click();
	expect((await sent).url()).toBe(`${login.url}api/version`);
	expect(outside).toEqual([]);
});
