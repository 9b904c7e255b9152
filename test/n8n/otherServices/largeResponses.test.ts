import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { MAX_RESPONSE_BYTES } from '../../../client/http/responseLimit';
import { GridTrigger } from '../../../nodes/GridTrigger/GridTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { FeedService } from '../../simulation/feedService';
import { runNode, type NodeRun } from '../../../testbed/engine/engine';

/** Maximum size of a response in these tests, in bytes, instead of 128 MB. */
const LIMIT = 20_000;
const COUNT = 300;
/** Size of a normal item, and of one that exceeds the limit on its own. */
const NORMAL_SIZE = 300;
const EXCESSIVE_SIZE = 30_000;

let service: FeedService;
let sizes: number[];
/** Time of the first event, within the two minutes that the trigger looks back. */
let start: number;

beforeEach(async () => {
	jest.replaceProperty(MAX_RESPONSE_BYTES, 'text', LIMIT);
	service = await FeedService.start();
	start = Date.now() - 60_000;
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
	type: 'n8n-nodes-datagrid.gridTrigger',
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

async function activated(): Promise<ActiveTrigger> {
	const active = new ActiveTrigger(new GridTrigger(), settings());
	const [updates] = [service.updates];
	service.updates = () => [];
	await active.activate();
	service.updates = updates;
	return active;
}

const run = async (type: string, parameters: INodeParameters): Promise<NodeRun> =>
	await runNode({
		type: `n8n-nodes-datagrid.${type}`,
		parameters: { grid: service.grid, returnAll: true, ...parameters },
		credentials: service.credentials,
	});
const getUpdates = () =>
	run('grid', { resource: 'grid', operation: 'getUpdates', since: new Date(start - 1000).toISOString() });
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
		expect(idsOf((await getUpdates()).rows).sort()).toEqual(idsExpected().sort());
	});

	test('Get Many and history', async () => {
		service.entities = (query) => page(query, all(), rowAt);
		service.events = (query) => page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' }));
		expect(idsOf((await getMany()).rows)).toEqual(idsExpected());
		expect((await history()).rows).toHaveLength(COUNT);
	});

	test('the next poll starts with the size that was found, which grows again with small pages', async () => {
		service.updates = (query) => page(query, since(query), eventAt);
		const active = await activated();
		await pollAll(active);
		service.requests.length = 0;
		await active.poll();
		expect(service.requests[0]).toMatch(/pageSize=(62|31)$/);
		jest.replaceProperty(MAX_RESPONSE_BYTES, 'text', 10 * LIMIT);
		service.requests.length = 0;
		await active.poll();
		expect(service.requests.join()).toMatch(/pageSize=(124|125)\b/);
	});

	test('a refused page size is lowered, too, and an idle poll takes one request', async () => {
		service.updates = (query, response) => {
			if (Number(query.get('pageSize')) <= 300) return page(query, since(query), eventAt);
			response.writeHead(400).end('{"message":"pageSize: at most 300"}');
			return undefined;
		};
		sizes.fill(1);
		expect((await getUpdates()).rows).toHaveLength(COUNT);
		sizes = [];
		const active = new ActiveTrigger(new GridTrigger(), settings());
		await active.activate();
		await active.poll();
		service.requests.length = 0;
		await active.poll();
		expect(service.requests).toHaveLength(1);
	});
});

describe('a single change that is too large is skipped and reported', () => {
	const EXCESSIVE = [0, 100, 101, COUNT - 1];
	const others = () => idsExpected().filter((_id, index) => !EXCESSIVE.includes(index));

	beforeEach(() => {
		for (const index of EXCESSIVE) sizes[index] = EXCESSIVE_SIZE;
	});

	test.each([
		['oldest first', (indexes: number[]) => indexes],
		['newest first', (indexes: number[]) => indexes.reverse()],
	])('trigger: once each, with a feed %s', async (_name, order) => {
		service.updates = (query) => page(query, order(since(query)), eventAt);
		const rows = await pollAll(await activated());
		const isSkipped = ({ event }: IDataObject) => event === 'unreadable';
		expect(idsOf(rows.filter((row) => !isSkipped(row))).sort()).toEqual(others().sort());
		const skipped = rows.filter(isSkipped);
		expect(skipped).toHaveLength(EXCESSIVE.length);
		expect(skipped[0]).toMatchObject({ _id: null, changes: [] });
		expect(JSON.stringify(skipped)).toContain('larger than');
	});

	test('Get Updates, Get Many and history report it in its position', async () => {
		service.updates = (query) => page(query, since(query), eventAt);
		service.entities = (query) => page(query, all(), rowAt);
		service.events = (query) => page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' }));
		for (const { rows, error } of [await getUpdates(), await getMany(), await history()]) {
			expect(error).toBeUndefined();
			expect(rows).toHaveLength(COUNT);
			for (const [index, row] of rows.entries()) {
				if (!EXCESSIVE.includes(index)) expect(row).not.toHaveProperty('error');
				else {
					expect(row).toMatchObject({ position: index + 1 });
					expect(row['error']).toContain(`Number ${index + 1} of the list was skipped`);
				}
			}
		}
	});

	test('skips two rows of one page that each exceed the limit', async () => {
		sizes = Array.from({ length: 16 }, () => NORMAL_SIZE);
		sizes[9] = sizes[12] = EXCESSIVE_SIZE;
		service.updates = (query) => page(query, since(query), eventAt);
		service.entities = (query) => page(query, all(), rowAt);
		service.events = (query) => page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' }));
		for (const { rows } of [await getUpdates(), await getMany(), await history()])
			expect(rows.flatMap((row, index) => (row['error'] === undefined ? [] : [index]))).toEqual([9, 12]);
		const events = (await pollAll(await activated())).map(({ event }) => event);
		expect(events.filter((event) => event === 'unreadable')).toHaveLength(2);
		expect(events.filter((event) => event === 'created')).toHaveLength(14);
	});

	test('reads two rows of one page that only exceed the limit together', async () => {
		sizes = Array.from({ length: 16 }, () => NORMAL_SIZE);
		sizes[9] = sizes[10] = 0.6 * LIMIT;
		service.updates = (query) => page(query, since(query), eventAt);
		service.entities = (query) => page(query, all(), rowAt);
		service.events = (query) => page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' }));
		for (const { rows } of [await getUpdates(), await getMany(), await history()]) {
			expect(rows).toHaveLength(16);
			for (const row of rows) expect(row).not.toHaveProperty('error');
		}
		expect(idsOf(await pollAll(await activated())).sort()).toEqual(idsExpected().sort());
	});

	test('Restore fails, because it needs the whole history', async () => {
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
	/** Ends a page after 5,000 characters; `size` has the number of its items (§2.2). */
	const cut = (body: ReturnType<typeof page>) => {
		let length = 0;
		const items = body.items.filter((item, index) => {
			length += JSON.stringify(item).length;
			return index === 0 || length < 5000;
		});
		return { ...body, items, size: items.length };
	};

	test.each([
		['oldest first', (indexes: number[]) => indexes],
		['newest first', (indexes: number[]) => indexes.reverse()],
	])('is read in smaller pages by trigger, Get Updates, Get Many and history: %s', async (_name, order) => {
		service.updates = (query) => cut(page(query, order(since(query)), eventAt));
		service.entities = (query) => cut(page(query, all(), rowAt));
		service.events = (query) => cut(page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' })));
		expect(idsOf(await pollAll(await activated())).sort()).toEqual(idsExpected().sort());
		expect(idsOf((await getUpdates()).rows).sort()).toEqual(idsExpected().sort());
		expect(idsOf((await getMany()).rows)).toEqual(idsExpected());
		expect((await history()).rows).toHaveLength(COUNT);
	});
});
