import type { ServerResponse } from 'node:http';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { activeTrigger, getChanges } from '../../simulation/feedNodes';
import { pageOf } from '../../fixtures/pageOf';
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

const changes = () =>
	['e1', 'e2', 'e3', 'e4'].map((entityId, index) => ({
		id: `u${index}`,
		entityId,
		type: 'created',
		timestamp: new Date(Date.now() + index).toISOString(),
	}));

const shapes: Array<[string, (members: unknown[], query: URLSearchParams) => unknown[] | object]> = [
	['an array', (members, query) => pageOf(members, query).items],
	['pages of two', (members, query) => pageOf(members, query, 2)],
];

test.each(shapes)('the trigger and Get Updates read a feed to its end: %s', async (_name, shape) => {
	const active = await activeTrigger(service);
	const members = changes();
	service.updates = (query, response) =>
		Number(query.get('pageIndex')) > 2 ? notThere(response) : shape(members, query);
	expect((await active.poll()).map(({ _id }) => _id)).toEqual(['e1', 'e2', 'e3', 'e4']);
	expect(await active.poll()).toEqual([]);
	const { rows } = await getChanges(service);
	expect(rows.map(({ _id }) => _id)).toEqual(['e1', 'e2', 'e3', 'e4']);
});

test('changes that are deleted while they are read lead to no error', async () => {
	const active = await activeTrigger(service);
	const members = changes();
	service.updates = (query, response) => {
		const page = pageOf(members, query, 2);
		members.length = 2;
		return page.items.length === 0 ? notThere(response) : page;
	};
	expect((await active.poll()).map(({ _id }) => _id)).toEqual(['e1', 'e2']);
	expect((await getChanges(service)).rows.map(({ _id }) => _id)).toEqual(['e1', 'e2']);
});

test('an address without a feed is still an error', async () => {
	const active = await activeTrigger(service);
	service.updates = (_query, response) => notThere(response);
	await expect(active.poll()).rejects.toThrow('Resource not found');
});

test('the trigger reads a view again that became shorter meanwhile', async () => {
	const active = await activeTrigger(service, { view: 'v1' });
	const members = changes();
	service.updates = () => members;
	let rows = ['x', 'y', 'e1'];
	service.entities = (query, response) => {
		const page = pageOf(
			rows.map((_id) => ({ _id })),
			query,
			2,
		);
		// After the first response, another user deletes x, so e1 moves to the first page.
		rows = ['y', 'e1'];
		return page.items.length === 0 ? notThere(response) : page;
	};
	expect((await active.poll()).map(({ _id }) => _id)).toEqual(['e1']);
});

test('the list of views ends if views were deleted meanwhile', async () => {
	let views = Array.from({ length: 60 }, (_none, index) => ({ id: `v${index}`, name: `View ${index}` }));
	service.views = (query, response) => {
		const page = pageOf(views, query);
		views = views.slice(0, 50);
		return page.items.length === 0 ? notThere(response) : page;
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
