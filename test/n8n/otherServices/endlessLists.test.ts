import { Entity } from '../../../nodes/Entity/Entity.node';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { LIST_LIMITS } from '../../../nodes/shared/connection/boundedTransport';
import { LIST_PAGE } from '../../../nodes/shared/inputs/pickers/pagedList';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { startTestServer, type TestServer } from '../../../testbed/testServer';

/** A service with endless lists: each page has new items and claims a million pages. */
let server: TestServer;
let perPage = 2;

beforeAll(async () => {
	let made = 0;
	server = await startTestServer(({ url = '' }, response) => {
		response.setHeader('content-type', 'application/json');
		if (url.endsWith('/users/me')) return void response.writeHead(302, { location: '/api/users/u1' }).end();
		const { pathname, searchParams } = new URL(url, 'http://x');
		const page = Number(searchParams.get('pageIndex') ?? 1);
		if (/\/grids\/[^/]+$/.test(pathname)) return void response.writeHead(404).end('{}');
		const items = Array.from({ length: perPage }, () => ({ id: `i${++made}`, name: `N${made}`, _links: {} }));
		const counts = { pageSize: perPage, size: perPage, numberOfItems: 1e6 * perPage, numberOfPages: 1e6 };
		response.end(JSON.stringify({ id: 'x', name: 'X', _links: {}, page, ...counts, items }));
	}); // prettier-ignore
});
afterAll(async () => {
	await server.stop();
});
beforeEach(() => {
	server.requests.length = 0;
	perPage = 2;
});

const context = (parameters: object = {}) =>
	loadOptionsContext({
		type: 'n8n-nodes-datagrid.entity',
		parameters: { ...parameters },
		credentials: {
			dataGridApi: { baseUrl: server.url, authentication: 'apiKey', key: 'the-key', secret: 'the-secret' },
		},
	});

const { searchGrids, searchWritableGrids } = new Entity().methods.listSearch;

test.each([
	['all spaces', {}],
	['one space', { space: { __rl: true, mode: 'id', value: 's1' } }],
])('the list of grids of %s stops and can be continued', async (_name, parameters) => {
	const first = await searchGrids.call(context(parameters));
	expect(server.requests.length).toBeLessThan(70);
	expect(first.results.length).toBe(LIST_PAGE);
	const second = await searchGrids.call(context(parameters), undefined, String(first.paginationToken));
	expect(second.results.length).toBe(LIST_PAGE);
	expect(second.paginationToken).not.toBe(first.paginationToken);
	const pages = server.requests.map(({ path }) => path).filter((path) => path.includes('/grids?'));
	expect(new Set(pages).size).toBe(pages.length);
});

test('a search without results fails after a limited number of requests', async () => {
	const search = searchWritableGrids.call(context(), 'no such name');
	await expect(search).rejects.toThrow('The list did not end within 150 requests');
	expect(server.requests.length).toBeLessThan(160);
});

test.each(['', 'x', '1.2', '1 0 -1', '1 0 1 1', '9999999 1 1', '1e9 1 1'])(
	'an invalid token (%j) starts from the beginning',
	async (token) => {
		await searchGrids.call(context(), undefined, token);
		expect(server.requests.find(({ path }) => path.includes('/spaces?'))?.path).toContain('pageIndex=1&');
	},
);

test('getFields of a grid in an unknown space stops after the maximum number of requests', async () => {
	perPage = 300;
	const grid = { __rl: true, mode: 'id', value: 'g1' };
	const { getFields } = new EntityTrigger().methods.loadOptions;
	await expect(getFields.call(context({ grid }))).rejects.toThrow('The list did not end within');
	expect(server.requests.length).toBeLessThanOrEqual(LIST_LIMITS.requests);
});
