import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { MAX_VALUES } from '../../../client/formats/json';
import { MAX_INTERACTIVE_VALUES, MAX_RESPONSE_BYTES } from '../../../client/http/responseLimit';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { FeedService } from '../../simulation/feedService';
import { loadOptionsContext, runNode, type NodeRun } from '../../../testbed/engine/engine';

/** Maximum size of a response in these tests, in bytes, instead of 128 MB. */
const LIMIT = 20_000;
const COUNT = 300;
/** Size of a normal item, and of one that exceeds the limit on its own. */
const NORMAL_SIZE = 300;
const EXCESSIVE_SIZE = 30_000;

let service: FeedService;
let sizes: number[];
/** Time of the first event. */
let start: number;

beforeEach(async () => {
	jest.replaceProperty(MAX_RESPONSE_BYTES, 'text', LIMIT);
	service = await FeedService.start();
	start = Date.now();
	sizes = Array.from({ length: COUNT }, () => NORMAL_SIZE);
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

const eventAt = (index: number) => ({
	id: `u${index}`,
	entityId: `e${index}`,
	type: 'created',
	timestamp: new Date(start + index).toISOString(),
	changes: [{ fieldId: 'f1', newValue: 'x'.repeat(sizes[index] ?? 0) }],
});
const rowAt = (index: number) => ({ _id: `e${index}`, f1: 'x'.repeat(sizes[index] ?? 0) });

/**
 * Returns the page (§2.2) that the query requests.
 * @param cap maximum page size
 */
function page(query: URLSearchParams, indexes: number[], make: (index: number) => object, cap = 1000) {
	const pageIndex = Number(query.get('pageIndex'));
	const pageSize = Math.min(cap, Number(query.get('pageSize')));
	const items = indexes.slice((pageIndex - 1) * pageSize, pageIndex * pageSize).map(make);
	const numberOfPages = Math.ceil(indexes.length / pageSize);
	return {
		items,
		page: pageIndex,
		pageSize,
		size: items.length,
		numberOfItems: indexes.length,
		numberOfPages,
	};
}

const all = () => sizes.map((_size, index) => index);
const since = (query: URLSearchParams) =>
	all().filter((index) => start + index >= Date.parse(query.get('since') ?? ''));

const settings = () => ({
	type: 'n8n-nodes-datagrid.entityTrigger',
	parameters: { grid: service.grid, events: ['created', 'updated', 'deleted'] },
	credentials: service.credentials,
});

/** Polls until three consecutive polls are empty. */
async function pollAll(active: ActiveTrigger): Promise<IDataObject[]> {
	const rows: IDataObject[] = [];
	for (let quiet = 0; quiet < 3; ) {
		const polled = await active.poll();
		rows.push(...polled);
		quiet = polled.length === 0 ? quiet + 1 : 0;
	}
	return rows;
}

/** A trigger that is active before the first event. */
async function activated(): Promise<ActiveTrigger> {
	const active = new ActiveTrigger(new EntityTrigger(), settings());
	const { updates } = service;
	service.updates = () => [];
	await active.activate();
	service.updates = updates;
	start = Date.now();
	return active;
}

const run = async (type: string, parameters: INodeParameters): Promise<NodeRun> =>
	await runNode({
		type: `n8n-nodes-datagrid.${type}`,
		parameters: { grid: service.grid, returnAll: true, ...parameters },
		credentials: service.credentials,
	});
const getChanges = () =>
	run('entity', {
		resource: 'history',
		operation: 'getChanges',
		since: new Date(start - 1000).toISOString(),
	});
const getMany = () => run('entity', { resource: 'entity', operation: 'getMany' });
const history = () =>
	run('entity', {
		resource: 'history',
		operation: 'getMany',
		entity: { __rl: true, mode: 'id', value: 'e0' },
	});

const idsOf = (rows: IDataObject[]) => rows.map(({ _id }) => _id);
const idsExpected = () => all().map((index) => `e${index}`);

describe('pages that are too large are halved until they can be read', () => {
	const shapes: Array<[string, (indexes: number[]) => number[], number]> = [
		['oldest first', (indexes) => indexes, 1000],
		['newest first', (indexes) => indexes.reverse(), 1000],
		['oldest first, at most 75 per page', (indexes) => indexes, 75],
		['newest first, at most 75 per page', (indexes) => indexes.reverse(), 75],
	];

	test.each(shapes)('trigger and Get Updates: a feed %s', async (_name, order, cap) => {
		service.updates = (query) => page(query, order(since(query)), eventAt, cap);
		const rows = await pollAll(await activated());
		expect(idsOf(rows).sort()).toEqual(idsExpected().sort());
		expect(idsOf((await getChanges()).rows).sort()).toEqual(idsExpected().sort());
	});

	test('Get Many and history', async () => {
		service.entities = (query) => page(query, all(), rowAt);
		service.events = (query) => page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' }));
		expect(idsOf((await getMany()).rows)).toEqual(idsExpected());
		expect((await history()).rows).toHaveLength(COUNT);
	});

	test('Get Many, of rows with many values', async () => {
		const many = { f1: Array<object>(15_000).fill({}) };
		service.entities = (query) => page(query, all(), (index) => ({ _id: `e${index}`, ...many }));
		expect(MAX_VALUES).toBeLessThan(COUNT * 15_000);
		jest.restoreAllMocks();
		expect(idsOf((await getMany()).rows)).toEqual(idsExpected());
		expect(service.requests.filter((path) => path.includes('/entities')).length).toBeGreaterThan(2);
	});

	test('a list in the editor accepts fewer values than Get Many', async () => {
		const filler = Array<object>(MAX_INTERACTIVE_VALUES).fill({});
		service.entities = (query) => page(query, [0], (index) => ({ _id: `e${index}`, f1: filler }));
		jest.restoreAllMocks();
		const { searchEntities } = new Entity().methods.listSearch;
		const settings = { type: 'n8n-nodes-datagrid.entity', parameters: { grid: service.grid } };
		const context = loadOptionsContext({ ...settings, credentials: service.credentials });
		await expect(searchEntities.call(context)).rejects.toThrow('larger than 200,000 values');
		expect(idsOf((await getMany()).rows)).toEqual(['e0']);
	});

	test('the next reading tries twice the size that was found', async () => {
		service.updates = (query) => page(query, since(query), eventAt);
		const active = await activated();
		await pollAll(active);
		service.requests.length = 0;
		await active.poll();
		expect(service.requests[0]).toMatch(/pageSize=64$/);
		jest.replaceProperty(MAX_RESPONSE_BYTES, 'text', 10 * LIMIT);
		service.requests.length = 0;
		await active.poll();
		await active.poll();
		expect(service.requests.map((path) => /\bpageSize=(\d+)/.exec(path)?.[1])).toContain('128');
	});

	test('a refused page size is lowered, too, and an idle poll takes one request', async () => {
		service.updates = (query, response) => {
			if (Number(query.get('pageSize')) <= 300) return page(query, since(query), eventAt);
			response.writeHead(400).end('{"message":"pageSize: at most 300"}');
			return undefined;
		};
		sizes.fill(1);
		expect((await getChanges()).rows).toHaveLength(COUNT);
		sizes = [];
		const active = new ActiveTrigger(new EntityTrigger(), settings());
		await active.activate();
		await active.poll();
		service.requests.length = 0;
		await active.poll();
		expect(service.requests).toHaveLength(1);
	});
});

describe('a single item that is too large', () => {
	const EXCESSIVE = 209;
	const orders: Array<[string, (indexes: number[]) => number[]]> = [
		['oldest first', (indexes) => indexes],
		['newest first', (indexes) => indexes.reverse()],
	];

	test.each(orders)('is an error of the trigger, which names the position: %s', async (_name, order) => {
		sizes[EXCESSIVE] = EXCESSIVE_SIZE;
		service.updates = (query) => page(query, order(since(query)), eventAt);
		const active = await activated();
		const position = order(all()).indexOf(EXCESSIVE) + 1;
		const before = await active.poll();
		expect(before).toHaveLength(position > EXCESSIVE ? EXCESSIVE : 0);
		await expect(active.poll()).rejects.toThrow(
			new RegExp(`Change ${position} of the updates feed since .* is larger than`),
		);
		sizes[EXCESSIVE] = NORMAL_SIZE;
		expect(idsOf([...before, ...(await pollAll(active))]).sort()).toEqual(idsExpected().sort());
	});

	test.each([
		['Get Many', getMany],
		['history', history],
		['Get Changes', getChanges],
	])('%s names the position of a row that is too large, and returns nothing', async (_name, run) => {
		sizes[EXCESSIVE] = EXCESSIVE_SIZE;
		service.updates = (query) => page(query, since(query), eventAt);
		service.entities = (query) => page(query, all(), rowAt);
		service.events = (query) => page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' }));
		const { rows, error } = await run();
		expect(error?.message).toContain('Number 210 of the list is too large to read');
		expect(rows).toEqual([]);
	});

	test('two items of one page that only exceed the limit together are read', async () => {
		sizes = Array.from({ length: 16 }, () => NORMAL_SIZE);
		sizes[9] = sizes[10] = 0.6 * LIMIT;
		service.updates = (query) => page(query, since(query), eventAt);
		service.entities = (query) => page(query, all(), rowAt);
		service.events = (query) => page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' }));
		for (const { rows } of [await getChanges(), await getMany(), await history()]) {
			expect(rows).toHaveLength(16);
		}
		expect(idsOf(await pollAll(await activated())).sort()).toEqual(idsExpected().sort());
	});

	test('Restore fails, because it needs the whole history', async () => {
		sizes[EXCESSIVE] = EXCESSIVE_SIZE;
		service.events = (query) => page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' }));
		service.entities = () => ({ ...rowAt(1), _id: 'e0', _links: { update: { href: '/x', method: 'put' } } });
		const { error } = await run('entity', {
			resource: 'history',
			operation: 'restore',
			entity: { __rl: true, mode: 'id', value: 'e0' },
			moment: new Date(start + 5).toISOString(),
		});
		expect(error?.message).toContain('larger than');
	});
});

describe('a page that the service ends early', () => {
	const CONTRADICTION = /has \d+ items on page 1, but 300 in all/;
	/** Ends a page after 5,000 characters; `size` has the number of its items (§2.2). */
	const cut = (body: ReturnType<typeof page>) => {
		let length = 0;
		const items = body.items.filter((item, index) => {
			length += JSON.stringify(item).length;
			return index === 0 || length < 5000;
		});
		return { ...body, items, size: items.length };
	};

	test('is an error', async () => {
		service.updates = (query) => cut(page(query, since(query), eventAt));
		service.entities = (query) => cut(page(query, all(), rowAt));
		service.events = (query) => cut(page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' })));
		for (const { rows, error } of [await getMany(), await history(), await getChanges()]) {
			expect(error?.message).toMatch(CONTRADICTION);
			expect(rows).toEqual([]);
		}
		await expect(pollAll(await activated())).rejects.toThrow(CONTRADICTION);
	});
});
