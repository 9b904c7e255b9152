import { z } from 'zod/v4';
import { Form } from '../../../nodes/Form/Form.node';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { Space } from '../../../nodes/Space/Space.node';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { startTestServer, type TestServer } from '../../../testbed/testServer';
import { pageOf } from '../../fixtures/pageOf';

/**
 * Lists of the editor that are longer than a page. While a search text is entered, n8n asks for
 * further pages only when the user scrolls, which an empty or short list does not allow.
 */
const COUNT = 130;

/** Ways of paging that the specification allows (§2.2). */
const services = {
	'pages of the requested size': (query) => pageOf(all, query),
	'pages of 20': (query) => pageOf(all, query, 20),
	'too many pages': (query) => {
		const page = Number(query.get('pageIndex'));
		const items = [{ ...all[0], _id: `row ${page}`, f1: `Row ${page}` }];
		return { page, pageSize: 1, size: 1, numberOfItems: 1e6, numberOfPages: 1e6, items };
	},
	'one plain array where the list may be one': (query, mayBeBare) => (mayBeBare ? all : pageOf(all, query)),
	'a plain array for each page where the list may be one': (query, mayBeBare) => {
		const page = pageOf(all, query);
		return mayBeBare ? page.items : page;
	},
	'the same, and 404 after the last page': (query, mayBeBare) => {
		const page = pageOf(all, query);
		if (page.items.length === 0) return undefined;
		return mayBeBare ? page.items : page;
	},
} satisfies Record<string, (query: URLSearchParams, mayBeBare: boolean) => object | undefined>;

const names = Array.from({ length: COUNT }, (_none, index) => `Name ${index + 1}.`);
const all = names.map((name, index) => ({
	...{ id: `id${index + 1}`, name, _id: `id${index + 1}`, key: `k${index}` },
	...{ f1: name, email: name, role: 'reader', _links: {} },
}));
/** Lists that §4 calls paged. */
const PAGED = /\/(spaces|grids|entities|query|links)$/;

let server: TestServer;
let service: keyof typeof services;
/** Addresses that the key may not read. */
let closed = /^$/;

beforeAll(async () => {
	server = await startTestServer(({ url = '' }, response) => {
		response.setHeader('content-type', 'application/json');
		if (url.endsWith('/users/me')) return void response.writeHead(302, { location: '/api/users/u1' }).end();
		const { pathname, searchParams } = new URL(url, 'http://x');
		const isOne = /\/(users|spaces|grids|sviews)\/[^/]+$/.test(pathname);
		const fields = [{ id: 'f1', name: 'Title', key: 'title', type: { name: 'string' } }];
		const _links = Object.fromEntries(
			['addGrid', 'addEntity', 'entities', 'invitations', 'links', 'schema', 'shares', 'virtualGrids'].map(
				(rel) => [rel, { href: `${pathname}/${rel}`, method: 'get' }],
			),
		);
		const one = { id: 'x1', name: 'X', type: 'persistent', fields, _links };
		const text = searchParams.get('matching');
		const hits = all.filter(({ name }) => name === text);
		const rows =
			text === null ? services[service](searchParams, !PAGED.test(pathname)) : pageOf(hits, searchParams);
		// The list of shares ends with the invitations, which would have the same names.
		if (pathname.endsWith('/invitations')) return void response.end('[]');
		if (rows === undefined) response.statusCode = 404;
		if (closed.test(pathname)) response.statusCode = 403;
		response.end(JSON.stringify(isOne ? one : (rows ?? {})));
	});
});
afterAll(async () => {
	await server.stop();
});
beforeEach(() => {
	server.requests.length = 0;
	closed = /^$/;
});

const lists = {
	...new Space().methods.listSearch,
	...new Grid().methods.listSearch,
	...new Form().methods.listSearch,
};
type List = keyof typeof lists;

const id = (value: string) => ({ __rl: true, mode: 'id', value });
const chosen = { space: id('s1'), grid: id('g1'), board: id('v1') };

const context = (parameters: object) =>
	loadOptionsContext({
		type: 'n8n-nodes-datagrid.grid',
		parameters: { ...parameters },
		credentials: {
			dataGridApi: { baseUrl: server.url, authentication: 'apiKey', key: 'the-key', secret: 'the-secret' },
		},
	});

/** Returns the entries of a list after scrolling to its end. */
async function scrolled(list: List, parameters: object): Promise<string[]> {
	const found: string[] = [];
	let token: string | undefined;
	do {
		const page = await lists[list].call(context(parameters), undefined, token);
		found.push(...page.results.map(({ name }) => name));
		token = z.string().optional().parse(page.paginationToken);
		if (server.requests.length > 500) throw new Error('The list has no end');
	} while (token !== undefined);
	return found;
}

/** Of spaces and of their grids, of rows, and of what §4 only calls a list. */
const pickers = ['searchSpaces', 'searchGrids', 'searchEntities', 'searchBoards', 'searchShares'] as const;

const ending = (Object.keys(services) as Array<keyof typeof services>).filter(
	(name) => !name.startsWith('too'),
);

describe.each(ending)('%s', (name) => {
	beforeEach(() => {
		service = name;
	});

	test.each(pickers)('%s shows each entry once, and finds the last one by its name', async (list) => {
		const shown = await scrolled(list, chosen);
		expect(new Set(shown).size).toBe(COUNT);
		expect(shown).toHaveLength(COUNT);
		const { results } = await lists[list].call(context(chosen), 'name 130.');
		expect(results.map(({ value }) => value)).toEqual([expect.stringMatching(/id130$/)]);
	});
});

test('finds a row of a long list with the text search of the service', async () => {
	service = 'too many pages';
	const { results } = await lists.searchEntities.call(context(chosen), 'Name 99.');
	expect(results).toEqual([{ name: 'Name 99.', value: 'id99' }]);
	await expect(lists.searchEntities.call(context(chosen), 'no such row')).rejects.toThrow(
		'The list did not end within',
	);
});

test('a space whose grids may not be read does not hide the grids of other spaces', async () => {
	service = 'pages of the requested size';
	closed = /\/spaces\/(id3|x1)\/grids$/;
	const { results } = await lists.searchGrids.call(context({}), 'Name 7. (Name');
	const spaces = results.map(({ name }) => name.replace('Name 7. ', ''));
	expect(spaces.slice(0, 3)).toEqual(['(Name 1.)', '(Name 2.)', '(Name 4.)']);
	await expect(lists.searchGrids.call(context({ space: id('id3') }))).rejects.toThrow('Permission denied');
});
