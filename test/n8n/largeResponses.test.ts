import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { MAX_INTERACTIVE_VALUES, MAX_RESPONSE_BYTES } from '../../client/http/responseLimit';
import { Entity } from '../../nodes/Entity/Entity.node';
import { EntityTrigger } from '../../nodes/EntityTrigger/EntityTrigger.node';
import { POLL_LIMIT } from '../../nodes/EntityTrigger/run';
import { ActiveTrigger } from '../../testbed/engine/activeTrigger';
import { pageOf } from '../fixtures/pageOf';
import { triggerSettings } from '../simulation/feedNodes';
import { FeedService } from '../simulation/feedService';
import { loadOptionsContext, runNode, type NodeRun } from '../../testbed/engine/engine';

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
	// However slow the machine is, a poll reads on.
	jest.replaceProperty(POLL_LIMIT, 'ms', 3_600_000);
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

/** The page (§2.2) that the query requests, of items that are made of their numbers. */
const page = (query: URLSearchParams, indexes: number[], make: (index: number) => object, cap = 1000) =>
	pageOf(indexes.map(make), query, cap);

const all = () => sizes.map((_size, index) => index);
const since = (query: URLSearchParams) =>
	all().filter((index) => start + index >= Date.parse(query.get('since') ?? ''));

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
	const active = new ActiveTrigger(new EntityTrigger(), triggerSettings(service));
	const { updates } = service;
	service.updates = () => [];
	await active.activate();
	service.updates = updates;
	start = Date.now();
	return active;
}

const run = async (parameters: INodeParameters): Promise<NodeRun> =>
	await runNode({
		type: 'n8n-nodes-datagrid.entity',
		parameters: { grid: service.grid, returnAll: true, ...parameters },
		credentials: service.credentials,
	});
const getChanges = () =>
	run({ resource: 'history', operation: 'getChanges', since: new Date(start - 1000).toISOString() });
const getMany = () => run({ resource: 'entity', operation: 'getMany' });

const idsOf = (rows: IDataObject[]) => rows.map(({ _id }) => _id);
const idsExpected = () => all().map((index) => `e${index}`);

describe('pages that are too large are halved until they can be read', () => {
	test.each([
		['oldest first', 1000],
		['newest first', 75],
	])('trigger and Get Changes: a feed with the %s, at most %d per page', async (order, cap) => {
		const ordered = (indexes: number[]) => (order === 'oldest first' ? indexes : indexes.reverse());
		service.updates = (query) => page(query, ordered(since(query)), eventAt, cap);
		const rows = await pollAll(await activated());
		expect(idsOf(rows).sort()).toEqual(idsExpected().sort());
		expect(idsOf((await getChanges()).rows).sort()).toEqual(idsExpected().sort());
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
		// 31 of 1000, 500, 250, 125, 62, 31 could be read.
		expect(service.requests[0]).toMatch(/pageSize=62$/);
	});
});

describe('a single item that is too large', () => {
	const EXCESSIVE = 209;

	test.each(['oldest first', 'newest first'])(
		'is an error of the trigger, which names the position: %s',
		async (order) => {
			const ordered = (indexes: number[]) => (order === 'oldest first' ? indexes : indexes.reverse());
			sizes[EXCESSIVE] = EXCESSIVE_SIZE;
			service.updates = (query) => page(query, ordered(since(query)), eventAt);
			const active = await activated();
			const position = ordered(all()).indexOf(EXCESSIVE) + 1;
			const before = await active.poll();
			expect(before).toHaveLength(position > EXCESSIVE ? EXCESSIVE : 0);
			await expect(active.poll()).rejects.toThrow(
				new RegExp(`Change ${position} of the updates feed since .* is larger than`),
			);
			sizes[EXCESSIVE] = NORMAL_SIZE;
			expect(idsOf([...before, ...(await pollAll(active))]).sort()).toEqual(idsExpected().sort());
		},
	);

	test('makes Restore fail, because it needs the whole history', async () => {
		sizes[EXCESSIVE] = EXCESSIVE_SIZE;
		service.events = (query) => page(query, all(), (index) => ({ ...eventAt(index), entityId: 'e0' }));
		service.row = () => ({ ...rowAt(1), _id: 'e0', _links: { update: { href: '/x', method: 'put' } } });
		const { error } = await run({
			resource: 'history',
			operation: 'restore',
			entity: { __rl: true, mode: 'id', value: 'e0' },
			moment: new Date(start + 5).toISOString(),
		});
		expect(error?.message).toContain('larger than');
	});
});
