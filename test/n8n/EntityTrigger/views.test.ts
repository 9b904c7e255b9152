import type { INodeParameters } from 'n8n-workflow';
import { POLL_LIMIT } from '../../../nodes/EntityTrigger/run';
import type { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { activeTrigger } from '../../simulation/feedNodes';
import { FeedService } from '../../simulation/feedService';
import { pageOf } from '../../fixtures/pageOf';

let service: FeedService;

beforeEach(async () => {
	service = await FeedService.start();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

async function activated(parameters: INodeParameters = {}): Promise<ActiveTrigger> {
	const active = await activeTrigger(service, { view: 'v1' }, parameters);
	const timestamp = new Date(Date.now() + 5000).toISOString();
	service.updates = () =>
		['e1', 'e2'].map((entityId) => ({ id: entityId + 'u', entityId, type: 'created', timestamp }));
	return active;
}

const pagesRead = () => service.requests.filter((path) => path.includes('/entities')).length;
const numberIn = (query: URLSearchParams) => Number(query.get('pageIndex'));
/** A page with one row of a list of this many pages. */
const oneOf = (pages: number, query: URLSearchParams) => ({
	...{ page: numberIn(query), pageSize: 1, size: 1, numberOfItems: pages, numberOfPages: pages },
	items: [{ _id: `x${numberIn(query)}` }],
});

test('a view that claims a million pages is refused at once', async () => {
	const active = await activated();
	service.entities = (query) => oneOf(1_000_000, query);
	await expect(active.poll()).rejects.toThrow('The list has 1000000 pages');
	expect(pagesRead()).toBe(1);
});

test('a view that claims a million rows and sends none is refused at once', async () => {
	const active = await activated();
	service.entities = (query) => ({ ...pageOf([], query), numberOfItems: 1_000_000, numberOfPages: 1000 });
	await expect(active.poll()).rejects.toThrow('has 0 items on page 1, but 1000000 in all');
	expect(pagesRead()).toBe(3);
});

test('stops reading an endless view in time, with a message, and does not move the cursor', async () => {
	const active = await activated();
	const now = performance.now.bind(performance);
	let ahead = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
	service.entities = (query) => {
		ahead += 5000;
		return oneOf(9000, query);
	};
	await expect(active.poll()).rejects.toThrow(
		'The view is too large to be searched within the time and the requests that a poll may take',
	);
	expect(pagesRead()).toBeLessThan(20);
	service.entities = (query) => pageOf([{ _id: 'e2' }], query);
	expect(await active.poll()).toMatchObject([{ _id: 'e2' }]);
});

test.each([
	['looking for changed rows', {}],
	['comparing its rows', { events: ['entered', 'left'] }],
])('reads a view within the requests of a poll, %s', async (_purpose, parameters) => {
	const active = await activated(parameters);
	jest.replaceProperty(POLL_LIMIT, 'requests', 20);
	const before = service.requests.length;
	service.entities = (query) => oneOf(9000, query);
	await expect(active.poll()).rejects.toThrow('The view is too large to be searched');
	expect(service.requests.length - before).toBeLessThanOrEqual(25);
});

test('finds a row that moved to a page already read by reading again', async () => {
	const active = await activated();
	let requests = 0;
	const rows = (page: number) => {
		requests += 1;
		// Between the first two responses `e1` moves from the second page to the first.
		if (requests === 1) return ['x', 'y'];
		if (requests === 2) return ['y', 'z'];
		return page === 1 ? ['e1', 'x'] : ['y', 'z'];
	};
	service.entities = (query) => ({
		...{ page: numberIn(query), pageSize: 2, size: 2, numberOfItems: 4, numberOfPages: 2 },
		items: rows(numberIn(query)).map((_id) => ({ _id })),
	});
	expect(await active.poll()).toMatchObject([{ _id: 'e1' }]);
});

test('a row that a view passed over while it kept changing is emitted by the next poll', async () => {
	const active = await activated();
	// In each of the three readings a deletion moves `e1` from the second page to the first.
	service.entities = (query) => {
		const items = numberIn(query) === 1 ? ['x', 'y'] : ['z'];
		const numberOfItems = numberIn(query) === 1 ? 4 : 3;
		return {
			...{ page: numberIn(query), pageSize: 2, size: items.length, numberOfItems, numberOfPages: 2 },
			items: items.map((_id) => ({ _id })),
		};
	};
	await expect(active.poll()).rejects.toThrow('The view kept changing while it was read 3 times');
	service.entities = (query) => pageOf([{ _id: 'e1' }], query);
	expect(await active.poll()).toMatchObject([{ _id: 'e1' }]);
});
