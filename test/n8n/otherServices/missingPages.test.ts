import type { ServerResponse } from 'node:http';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { activeTrigger, getUpdates } from '../../simulation/feedNodes';
import { FeedService } from '../../simulation/feedService';

/** A service that responds with 404 to a page after the last one (§2.2 does not say). */
let service: FeedService;

beforeEach(async () => {
	service = await FeedService.start();
});
afterEach(async () => {
	await service.stop();
});

const notThere = (response: ServerResponse) =>
	response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"No such page"}');

/** Responds with pages of two members; a missing page has none. */
function paged(members: readonly unknown[], shape: (page: unknown[], pageIndex: number) => unknown) {
	return (query: URLSearchParams, response: ServerResponse) => {
		const pageIndex = Number(query.get('pageIndex') ?? 1);
		const page = members.slice((pageIndex - 1) * 2, pageIndex * 2);
		return page.length === 0 && pageIndex > 1 ? notThere(response) : shape(page, pageIndex);
	};
}

const changes = () =>
	['e1', 'e2', 'e3', 'e4'].map((entityId, index) => ({
		id: `u${index}`,
		entityId,
		type: 'created',
		timestamp: new Date(Date.now() - 4000 + index * 1000).toISOString(),
	}));

const shapes: Array<[string, (page: unknown[]) => unknown]> = [
	['an array', (page) => page],
	['a page without counts', (items) => ({ items })],
	['a page that counts more than it shows', (items) => ({ items, pageSize: 2, numberOfItems: 5 })],
];

test.each(shapes)('the trigger and Get Updates read a feed to its end: %s', async (_name, shape) => {
	const active = await activeTrigger(service);
	service.updates = paged(changes(), shape);
	expect((await active.poll()).map(({ _id }) => _id)).toEqual(['e1', 'e2', 'e3', 'e4']);
	expect(await active.poll()).toEqual([]);
	const { rows } = await getUpdates(service);
	expect(rows.map(({ _id }) => _id)).toEqual(['e1', 'e2', 'e3', 'e4']);
});

test.each([
	['may be missing', 0, [expect.stringMatching('^Changes may be missing')]],
	['are only counted, whatever "since" is', 4, []],
])('Get Updates reports a missing page if its changes %s', async (_name, countedLater, hints) => {
	service.updates = (query, response) => {
		if (Date.parse(query.get('since') ?? '') > Date.now()) return { items: [], numberOfItems: countedLater };
		if (query.get('pageIndex') !== '1') return notThere(response);
		return { items: changes().slice(0, 2), pageSize: 2, numberOfItems: 4 };
	};
	const run = await getUpdates(service);
	expect(run.rows.map(({ _id }) => _id)).toEqual(['e1', 'e2']);
	expect(run.hints).toEqual(hints);
});

test('an address without a feed is still an error', async () => {
	const active = await activeTrigger(service);
	service.updates = (_query, response) => notThere(response);
	await expect(active.poll()).rejects.toThrow('Resource not found');
});

test('the trigger reads a view without counts to its end', async () => {
	const active = await activeTrigger(service, { view: 'v1' });
	service.updates = paged(changes(), (page) => page);
	const rows = ['x', 'e1', 'y', 'e3'].map((_id) => ({ _id }));
	service.entities = paged(rows, (items) => ({ items, pageSize: 2 }));
	expect((await active.poll()).map(({ _id }) => _id)).toEqual(['e1', 'e3']);
});

test.each([
	['with counts', true],
	['without counts', false],
])('the trigger reads a view again that became shorter meanwhile: %s', async (_name, isCounted) => {
	const active = await activeTrigger(service, { view: 'v1' });
	service.updates = paged(changes(), (page) => page);
	let rows = ['x', 'y', 'e1'];
	service.entities = (query, response) => {
		const page = paged(
			rows.map((_id) => ({ _id })),
			(items) => ({ items, pageSize: 2, ...(isCounted ? { numberOfItems: rows.length } : {}) }),
		)(query, response);
		// After the first response, another user deletes x, so e1 moves to the first page.
		rows = ['y', 'e1'];
		return page;
	};
	expect((await active.poll()).map(({ _id }) => _id)).toEqual(['e1']);
});

test('the list of views ends if views were deleted meanwhile', async () => {
	const views = Array.from({ length: 60 }, (_none, index) => ({ id: `v${index}`, name: `View ${index}` }));
	service.views = (query, response) => {
		const first = Number(query.get('pageIndex')) === 1;
		return first ? { items: views.slice(0, 50), pageSize: 50, numberOfItems: 60 } : notThere(response);
	};
	const context = () =>
		loadOptionsContext({
			type: 'n8n-nodes-datagrid.grid',
			parameters: { grid: service.grid },
			credentials: service.credentials,
		});
	const { searchViews } = new Grid().methods.listSearch;
	const { results, paginationToken } = await searchViews.call(context());
	expect(results).toHaveLength(50);
	expect(await searchViews.call(context(), '', String(paginationToken))).toEqual({ results: [] });
	expect((await searchViews.call(context(), 'View 4')).results).toHaveLength(11);
});
