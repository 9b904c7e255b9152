import type { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { activeTrigger } from '../../simulation/feedNodes';
import { FeedService } from '../../simulation/feedService';

let service: FeedService;

beforeEach(async () => {
	service = await FeedService.start();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

async function activated(): Promise<ActiveTrigger> {
	const active = await activeTrigger(service, { view: 'v1' });
	const timestamp = new Date().toISOString();
	service.updates = () =>
		['e1', 'e2'].map((entityId) => ({ id: entityId + 'u', entityId, type: 'created', timestamp }));
	return active;
}

const pagesRead = () => service.requests.filter((path) => path.includes('/entities')).length;
const pageOf = (query: URLSearchParams) => Number(query.get('pageIndex'));

test.each([
	['the same rows', () => [{ _id: 'x' }]],
	['no rows', () => []],
])('reading a view that claims a million pages and sends %s stops at once', async (_name, items) => {
	const active = await activated();
	service.entities = (query) => ({
		items: items(),
		page: pageOf(query),
		pageSize: 1,
		numberOfPages: 1_000_000,
	});
	expect(await active.poll()).toEqual([]);
	expect(pagesRead()).toBeLessThanOrEqual(6);
});

test('stops reading an endless view in time, with a message, and does not move the cursor', async () => {
	const active = await activated();
	const now = performance.now.bind(performance);
	let ahead = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
	service.entities = (query) => {
		ahead += 5000;
		return {
			items: [{ _id: `x${pageOf(query)}` }],
			page: pageOf(query),
			pageSize: 1,
			numberOfPages: 1_000_000,
		};
	};
	await expect(active.poll()).rejects.toThrow(
		'The view is too large to be searched within the time that a poll may take',
	);
	expect(pagesRead()).toBeLessThan(20);
	service.entities = () => ({
		items: [{ _id: 'e2' }],
		page: 1,
		pageSize: 1000,
		numberOfItems: 1,
		numberOfPages: 1,
	});
	expect(await active.poll()).toMatchObject([{ _id: 'e2' }]);
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
		items: rows(pageOf(query)).map((_id) => ({ _id })),
		page: pageOf(query),
		pageSize: 2,
		numberOfItems: 4,
		numberOfPages: 2,
	});
	expect(await active.poll()).toMatchObject([{ _id: 'e1' }]);
});

test('finds a row after a short page that links the next one', async () => {
	const active = await activated();
	const rows = ['x', 'y', 'z', 'e1'];
	service.entities = (query) => {
		const size = Math.min(2, Number(query.get('pageSize')));
		const to = pageOf(query) * size;
		return {
			items: rows.slice(to - size, to).map((_id) => ({ _id })),
			page: pageOf(query),
			pageSize: 1000,
			_links: to < rows.length ? { next: { href: '/next' } } : {},
		};
	};
	expect(await active.poll()).toMatchObject([{ _id: 'e1' }]);
});

test('finds a row of which the feed has only a link', async () => {
	const active = await activated();
	const timestamp = new Date().toISOString();
	const self = { href: '/opaque/1', method: 'get' };
	service.updates = () => [{ type: 'created', timestamp, entity: { _links: { self } } }];
	service.entities = () => ({ items: [{ _id: 'e1', _links: { self } }], numberOfItems: 1 });
	expect(await active.poll()).toMatchObject([{ event: 'created', _id: '/opaque/1' }]);
});
