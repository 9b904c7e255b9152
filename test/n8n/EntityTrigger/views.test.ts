import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { POLL_LIMIT } from '../../../nodes/EntityTrigger/run';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { pollContext } from '../../../testbed/engine/engine';
import { activeTrigger, anotherProcess, triggerSettings } from '../../simulation/feedNodes';
import { FeedService } from '../../simulation/feedService';
import { pageOf } from '../../fixtures/pageOf';

let service: FeedService;

beforeEach(async () => {
	service = await FeedService.start();
	log.length = 0;
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

/**
 * Pages of two rows while a row in front leaves and another one is added behind: the counts agree,
 * and `c` is on neither page.
 */
const shifting = (query: URLSearchParams) =>
	pageOf(numberIn(query) === 1 ? ['a', 'b', 'c', 'd'] : ['b', 'c', 'd', 'z'], query, 2);
const asRows = <Page extends { items: string[] }>(page: Page) => ({
	...page,
	items: page.items.map((_id) => ({ _id })),
});
const inView = (...ids: string[]) => {
	const path = (id: string) => `/api/users/u1/spaces/s1/grids/v1/entities/${id}`;
	service.rowInView = (asked) => {
		const found = ids.find((id) => path(id) === asked);
		return found === undefined ? undefined : { _id: found };
	};
};
/** Changes of rows, so that the view is listed. */
const log: object[] = [];
const changeOf = (entityId: string) => {
	const timestamp = new Date(Date.now() + 5000).toISOString();
	log.push({ id: `change${log.length}`, entityId, type: 'updated', timestamp });
	service.updates = () => log;
};
const MOVES = { events: ['entered', 'left'] };

test('a change of a row that a list of the view passes over is emitted', async () => {
	const active = await activeTrigger(service, { view: 'v1' });
	service.entities = (query) => asRows(shifting(query));
	inView('c');
	changeOf('c');
	changeOf('gone');
	expect(await active.poll()).toMatchObject([{ event: 'updated', _id: 'c' }]);
});

test('a row that a list of the view passes over has not left it, and does not enter it again', async () => {
	service.entities = (query) => asRows(pageOf(['a', 'b', 'c', 'd'], query, 2));
	const active = await activeTrigger(service, { view: 'v1' }, MOVES);
	service.entities = (query) => asRows(shifting(query));
	inView('b', 'c', 'd', 'z');
	changeOf('x');
	expect(await active.poll()).toMatchObject([{ event: 'entered', _id: 'z' }]);
	service.entities = (query) => asRows(pageOf(['b', 'c', 'd', 'z'], query, 2));
	changeOf('x');
	expect(await active.poll()).toMatchObject([{ event: 'left', _id: 'a' }]);
});

test('rows that the first list of a view passes over do not enter it later', async () => {
	service.entities = (query) => asRows(shifting(query));
	const active = new ActiveTrigger(new EntityTrigger(), triggerSettings(service, { view: 'v1' }, MOVES));
	let pages = 0;
	service.entities = (query) => {
		const rows = ++pages > 1 ? ['b', 'c', 'd', 'z'] : ['a', 'b', 'c', 'd'];
		return asRows(pageOf(rows, query, 2));
	};
	expect(await active.activate()).toEqual([]);
	inView('b', 'c', 'd', 'z');
	changeOf('x');
	expect(await active.poll()).toMatchObject([{ event: 'left', _id: 'a' }]);
});

const textOf = (value: unknown) => z.string().parse(value);

describe('at least once, after a restart', () => {
	const options = { view: 'v1', delivery: 'atLeastOnce' };
	const rowsOf = (...ids: string[]) => {
		service.entities = (query) => asRows(pageOf(ids, query));
	};
	const told = (rows: IDataObject[]) =>
		rows.map(
			({ event, _id, redelivered }) => `${textOf(event)} ${textOf(_id)}${redelivered ? ' again' : ''}`,
		);
	const restarted = async (active: ActiveTrigger) => {
		const node = await anotherProcess();
		const rows = told(await active.activate(node));
		return { node, rows };
	};

	test.each([
		['entered', [], ['a'], 'left a'],
		['left', ['a'], [], 'entered a'],
	])('a row that %s and then moved back is told to have done so', async (kind, first, second, opposite) => {
		rowsOf(...first);
		const active = await activeTrigger(service, options, MOVES);
		rowsOf(...second);
		changeOf('x');
		expect(told(await active.poll())).toEqual([`${kind} a`]);
		rowsOf(...first);
		expect((await restarted(active)).rows).toEqual([opposite]);
	});

	test('what is told again past Events per Execution is marked, too', async () => {
		rowsOf();
		const active = await activeTrigger(service, { ...options, eventsPerExecution: 2 }, MOVES);
		rowsOf('a', 'b');
		changeOf('x');
		expect(told(await active.poll())).toEqual(['entered a', 'entered b']);
		active.settings = triggerSettings(service, { ...options, eventsPerExecution: 1 }, MOVES);
		const { node, rows } = await restarted(active);
		expect(rows).toEqual(['entered a again']);
		expect(told(await active.poll(node))).toEqual(['entered b again']);
		expect(told(await active.poll(node))).toEqual([]);
	});
});

describe('a view that no longer fits is an error, not a view that all rows have left', () => {
	test.each([
		[
			'a deleted column',
			{ filter: { gone: { $eq: 1 } } },
			'it names a column that no longer exists ("gone")',
		],
		[
			'a deleted option',
			{ filter: { $and: [{ f2: { $in: ['Paid', 'Late'] } }] } },
			'"State" has no option "Late"',
		],
		[
			'a deleted column to sort by',
			{ sorting: { gone: { $order: 'ascending' } } },
			'is sorted by a column that the grid no longer has: "gone"',
		],
	])('%s', async (_what, definition, message) => {
		const type = { name: 'enum', options: ['Paid', 'Open'] };
		service.fields = [...service.fields, { id: 'f2', name: 'State', key: 'state', type, schema: {} }];
		service.definition = {
			filter: { f1: { $eq: 1 }, f2: { $eq: 'Paid' } },
			sorting: { f1: { $order: 'ascending' } },
		};
		service.entities = (query) => asRows(pageOf(['a'], query));
		const active = await activeTrigger(service, { view: 'v1' }, MOVES);
		service.definition = definition;
		changeOf('a');
		await expect(active.poll()).rejects.toThrow(message);
		service.definition = {};
		service.entities = (query) => asRows(pageOf(['a', 'b'], query));
		expect(await active.poll()).toEqual([]);
	});
});

test('a view of another grid is refused', async () => {
	service.views = [];
	await expect(activeTrigger(service, { view: 'v1' })).rejects.toThrow('The grid has no view "v1"');
});

test('Fetch Test Event lists the view once', async () => {
	service.entities = (query) => asRows(pageOf(['a'], query));
	changeOf('not in the view');
	const settings = triggerSettings(service, { view: 'v1' });
	const { context } = pollContext(settings, { mode: 'manual', activation: 'manual' });
	await expect(new EntityTrigger().poll.call(context)).rejects.toThrow(
		'There is no event to show: "Only Rows in View" leaves out the newest change (updated, row not in the view',
	);
	expect(pagesRead()).toBe(1);
});

test('Fetch Test Event shows a row of the view if nothing has changed', async () => {
	service.entities = (query) => asRows(pageOf(['a'], query));
	const settings = triggerSettings(service, { view: 'v1' }, MOVES);
	const { context } = pollContext(settings, { mode: 'manual', activation: 'manual' });
	const [item] = (await new EntityTrigger().poll.call(context))?.flat() ?? [];
	expect(item?.json).toMatchObject({ event: 'entered', _id: 'a' });
	expect(item?.json).not.toHaveProperty('redelivered');
});

test('a long reading of the feed leaves requests for the rows', async () => {
	const active = await activeTrigger(service, { fullEntity: true });
	const timestamp = new Date(Date.now() + 5000).toISOString();
	const all = Array.from({ length: 20 }, (_, number) => `r${number}`);
	const entries = all.map((entityId) => ({ id: `u${entityId}`, entityId, type: 'updated', timestamp }));
	service.updates = (query) => pageOf(entries, query, 1);
	service.row = ({ _id }) => ({ _id });
	jest.replaceProperty(POLL_LIMIT, 'requests', 20);
	expect(await active.poll()).toHaveLength(20);
});
