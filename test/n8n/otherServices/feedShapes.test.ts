import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { activeTrigger, getChanges, triggerSettings } from '../../simulation/feedNodes';
import { pageOf } from '../../fixtures/pageOf';
import { FeedService } from '../../simulation/feedService';
import { loadOptionsContext, pollContext, runNode } from '../../../testbed/engine/engine';

/**
 * Feeds and histories that the specification allows (§4, gaps; §6, gaps), read by the nodes in
 * n8n's engine.
 */
const trigger = new EntityTrigger();
let service: FeedService;

beforeEach(async () => {
	service = await FeedService.start();
});
afterEach(async () => {
	await service.stop();
});

const history = async () =>
	await runNode({
		type: 'n8n-nodes-datagrid.entity',
		parameters: {
			resource: 'history',
			operation: 'getMany',
			grid: service.grid,
			entity: { __rl: true, mode: 'id', value: 'e1' },
			returnAll: true,
		},
		credentials: service.credentials,
	});

/** Moments after the activation of a trigger: `ago(1000)` is before `ago(0)`. */
const ago = (milliseconds: number) => new Date(Date.now() + 5000 - milliseconds).toISOString();
/** Four changes of one row, in order. */
const fourChanges = (members: (index: number) => object = () => ({})) =>
	[0, 1, 2, 3].map((index) => ({
		type: index === 0 ? 'created' : 'updated',
		timestamp: ago(4000 - index * 1000),
		changes: [{ fieldId: 'f1', newValue: index }],
		entityId: 'e1',
		...members(index),
	}));
const changesSchema = z.array(z.object({ new: z.unknown() }));
const valuesOf = (rows: IDataObject[]) => rows.map(({ changes }) => changesSchema.parse(changes)[0]?.new);

describe('an ID identifies an event only together with its other members', () => {
	const ids: Array<[string, (index: number) => object]> = [
		["the row's ID as _id", () => ({ _id: 'e1' })],
		["the row's ID as id", () => ({ id: 'e1' })],
		["the row's ID in some entries", (index) => ({ id: index % 2 === 0 ? 'e1' : `u${index}` })],
		['an ID that is reused', (index) => ({ id: index % 2 })],
		['an ID that all changes share', () => ({ id: 'transaction' })],
		['no ID', () => ({})],
	];

	test.each(ids)('%s: trigger, Get Updates and history have all four changes', async (_name, members) => {
		const active = await activeTrigger(service);
		const entries = fourChanges(members);
		service.updates = () => entries;
		service.events = (query) => pageOf(entries, query);
		expect(valuesOf(await active.poll())).toEqual([0, 1, 2, 3]);
		expect(await active.poll()).toEqual([]);
		expect(valuesOf((await getChanges(service)).rows)).toEqual([0, 1, 2, 3]);
		expect(valuesOf((await history()).rows)).toEqual([0, 1, 2, 3]);
	});

	test('IDs that are unique only within their row', async () => {
		const active = await activeTrigger(service);
		const timestamp = ago(1000);
		const entry = (entityId: string) => ({ id: 1, entityId, type: 'created', timestamp, changes: [] });
		service.updates = () => [entry('e1'), entry('e2')];
		expect((await active.poll()).map(({ _id }) => _id)).toEqual(['e1', 'e2']);
		expect((await getChanges(service)).rows).toHaveLength(2);
	});
});

test('an item has the row first', async () => {
	const active = await activeTrigger(service);
	service.updates = () => [
		{ entityId: 'e1', type: 'updated', timestamp: ago(1000), entity: { _id: 'e1', f1: 7 } },
	];
	const [item = {}] = await active.poll();
	expect(Object.keys(item)).toEqual(['entity', 'event', '_id', 'changedAt', 'changedBy', 'changes']);
	expect(item).toMatchObject({ entity: { Amount: 7 }, event: 'updated' });
});

describe('entries that the feed sends repeatedly are emitted once', () => {
	test('rows with only an old creation time', async () => {
		const active = await activeTrigger(service);
		const row = (id: string, f1: number) => ({ _id: id, createdAt: '2020-01-01T00:00:00Z', f1 });
		service.updates = () => [row('e1', 1), row('e2', 1)];
		expect(await active.poll()).toMatchObject([{ event: 'updated' }, { event: 'updated' }]);
		for (let polls = 0; polls < 5; polls++) expect(await active.poll()).toEqual([]);
		service.updates = () => [row('e1', 2), row('e2', 1)];
		expect(await active.poll()).toMatchObject([{ _id: 'e1', entity: { Amount: 2 } }]);
		expect(await active.poll()).toEqual([]);
	});
});

describe('events with equal times keep the order of the feed', () => {
	const rowsAt = (timestamp: string) =>
		Array.from({ length: 30 }, (_, index) => ({
			id: `u${index}`,
			entityId: `e${index}`,
			type: 'created',
			timestamp,
		}));
	let time: string;
	let rows: ReturnType<typeof rowsAt>;
	beforeEach(() => {
		// Set for each test, because a time from loading the file may be too old for the trigger.
		time = ago(1000);
		rows = rowsAt(time);
	});
	const idsOf = (items: IDataObject[]) => items.map(({ _id }) => _id);

	test('over pages and polls', async () => {
		const active = await activeTrigger(service, { eventsPerExecution: 7 });
		service.updates = (query) => {
			const page = Number(query.get('pageIndex'));
			const items = rows.slice((page - 1) * 4, page * 4);
			return { items, page, pageSize: 4, size: items.length, numberOfItems: 30, numberOfPages: 8 };
		};
		const emitted: unknown[] = [];
		for (let polls = 0; polls < 6; polls++) emitted.push(...idsOf(await active.poll()));
		expect(emitted).toEqual(rows.map(({ entityId }) => entityId));
	});

	test('reversed if the feed lists the newest first', async () => {
		const active = await activeTrigger(service);
		const older = {
			id: 'older',
			entityId: 'e-older',
			type: 'created',
			timestamp: new Date(Date.parse(time) - 1).toISOString(),
		};
		service.updates = () => [...[...rows].reverse(), older];
		expect(idsOf(await active.poll())).toEqual(['e-older', ...rows.map(({ entityId }) => entityId)]);
	});

	test('a creation comes first and a deletion last', async () => {
		const active = await activeTrigger(service);
		const kinds = ['deleted', 'updated', 'created'];
		service.updates = () =>
			kinds.map((type, index) => ({ id: index, entityId: 'e1', type, timestamp: time }));
		expect((await active.poll()).map(({ event }) => event)).toEqual(['created', 'updated', 'deleted']);
	});
});

describe('page sizes of a feed', () => {
	const entries = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			id: `event-${index}`,
			entityId: `e${index}`,
			type: 'created',
			timestamp: new Date(Date.parse('2026-03-01T00:00:00Z') + index * 1000).toISOString(),
		}));
	const feedPage = (all: ReturnType<typeof entries>, page: number, pageSize: number) => {
		const items = all.slice((page - 1) * pageSize, page * pageSize);
		const numberOfPages = Math.ceil(all.length / pageSize);
		return { items, page, pageSize, size: items.length, numberOfItems: all.length, numberOfPages };
	};

	test.each([1, 3, 7])(
		'Get Updates reads all pages of a service that returns at most %s changes',
		async (most) => {
			const all = entries(20);
			service.updates = (query) =>
				feedPage(all, Number(query.get('pageIndex')), Math.min(most, Number(query.get('pageSize'))));
			const { rows } = await getChanges(service);
			expect(rows.map(({ _id }) => _id)).toEqual(all.map(({ entityId }) => entityId));
		},
	);

	test('requests default pages from a service that refuses pages of more than 500', async () => {
		const all = entries(350);
		service.updates = (query, response) => {
			const size = Number(query.get('pageSize'));
			if (size > 500) return response.writeHead(400).end('{}');
			const since = Date.parse(query.get('since') ?? '');
			const shown = all.filter(({ timestamp }) => Date.parse(timestamp) >= since);
			return feedPage(shown, Number(query.get('pageIndex')), size);
		};
		const active = new ActiveTrigger(
			trigger,
			triggerSettings(service, { startFrom: '2026-02-01T00:00:00Z' }),
		);
		const emitted = [...(await active.activate()), ...(await active.poll())];
		expect(emitted.map(({ _id }) => _id)).toEqual(all.map(({ entityId }) => entityId));
		const { rows } = await getChanges(service);
		expect(rows.map(({ _id }) => _id)).toEqual(all.map(({ entityId }) => entityId));
	});
});

test('recognizes the feed at each poll if the base URL ends with /api', async () => {
	service.entered = '/api';
	const active = await activeTrigger(service);
	for (const id of ['e1', 'e2']) {
		const timestamp = new Date().toISOString();
		service.updates = () => [{ id: `event-${id}`, entityId: id, type: 'created', timestamp }];
		expect((await active.poll()).map(({ _id }) => _id)).toEqual([id]);
	}
});

describe('shapes of a feed', () => {
	test('the trigger reports rows of which the feed has only a link', async () => {
		const entry = {
			type: 'updated',
			timestamp: ago(60_000),
			entity: { _links: { self: { href: '/x/entities/e%201', method: 'get' } } },
		};
		service.updates = () => [entry];
		const active = await activeTrigger(service);
		const later = { ...entry, timestamp: ago(500) };
		service.updates = () => [entry, later];
		expect(await active.poll()).toMatchObject([{ event: 'updated', _id: 'e 1' }]);
	});

	test.each([
		['an object without a list', { ok: true }],
		['a list without its counts', { items: [] }],
		['changes that are grouped by row', [{ events: [{ type: 'created' }] }]],
		['an entry that names no row', [{ type: 'created', timestamp: '2026-01-01T00:00:00Z' }]],
	])('%s is an error of the poll, never "no changes"', async (_name, body) => {
		const active = await activeTrigger(service);
		service.updates = () => body;
		await expect(active.poll()).rejects.toThrow('The list at');
	});

	test('an unknown kind is an update', async () => {
		const active = await activeTrigger(service);
		service.updates = () => [{ id: 'u1', entityId: 'e1', type: 'archived', timestamp: ago(900) }];
		expect(await active.poll()).toMatchObject([{ event: 'updated', _id: 'e1' }]);
		expect((await getChanges(service)).rows).toMatchObject([{ event: 'updated' }]);
	});

	test('identical history events with equal times are all reported, over several pages', async () => {
		const types = ['updated', 'updated', 'updated', 'updated', 'created'];
		const events = types.map((type) => ({
			type,
			timestamp: '2026-01-01T00:00:00Z',
			changes: [{ fieldId: 'f1', newValue: 1 }],
		}));
		service.events = (query) => pageOf(events, query, 2);
		expect((await history()).rows.map(({ event }) => event)).toEqual(types);
	});
});

test('the list of views has the views of all pages', async () => {
	const views = ['v1', 'v2', 'v3', 'v4'].map((id) => ({ id, name: `View ${id}` }));
	service.views = (query) => pageOf(views, query, 2);
	const context = loadOptionsContext(triggerSettings(service));
	const { results } = await trigger.methods.listSearch.searchViews.call(context);
	expect(results.map(({ value }) => value)).toEqual(['v1', 'v2', 'v3', 'v4']);
});

describe('Start From', () => {
	const sinceOf = () =>
		new URL(
			service.requests.findLast((path) => path.includes('/updates')) ?? '/',
			service.server.url,
		).searchParams.get('since');

	test.each([
		['2026-01-15T12:00:00', 'Asia/Tokyo', '2026-01-15T02:59:59.999+00:00'],
		['2026-01-15T12:00:00', 'America/New_York', '2026-01-15T16:59:59.999+00:00'],
		['2026-01-15T12:00:00Z', 'Asia/Tokyo', '2026-01-15T11:59:59.999+00:00'],
	])('%s in the time zone %s is requested as %s', async (startFrom, timezone, expected) => {
		const settings = { ...triggerSettings(service, { startFrom }), timezone };
		await new ActiveTrigger(trigger, settings).activate();
		expect(sinceOf()).toBe(expected);
	});

	test.each(['2026-02-30T10:00:00', 'yesterday'])('%s is refused', async (startFrom) => {
		await expect(activeTrigger(service, { startFrom })).rejects.toThrow('"Start From" cannot be used');
	});
});

describe('Fetch Test Event', () => {
	const fetched = async () => {
		const { context } = pollContext(triggerSettings(service), { mode: 'manual', activation: 'manual' });
		return (await trigger.poll.call(context))?.flat().map(({ json }) => json);
	};

	test('outputs only the newest event', async () => {
		service.updates = () => fourChanges();
		expect(await fetched()).toMatchObject([{ event: 'updated', changes: [{ new: 3 }] }]);
		service.updates = () => fourChanges().reverse();
		expect(await fetched()).toMatchObject([{ event: 'updated', changes: [{ new: 3 }] }]);
	});

	test('says that a grid without changes has no event to show', async () => {
		await expect(fetched()).rejects.toThrow('There is no event to show');
	});
});
