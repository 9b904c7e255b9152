import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { GridTrigger } from '../../../nodes/GridTrigger/GridTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { activeTrigger, getUpdates, triggerSettings } from '../../simulation/feedNodes';
import { FeedService } from '../../simulation/feedService';
import { loadOptionsContext, pollContext, runNode } from '../../../testbed/engine/engine';

/**
 * Feeds and histories that the specification allows (§4, gaps; §6, gaps), read by the nodes in
 * n8n's engine.
 */
const trigger = new GridTrigger();
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

const keyOf = (identity: unknown[]) =>
	createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, 12);
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
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
		service.events = () => entries;
		expect(valuesOf(await active.poll())).toEqual([0, 1, 2, 3]);
		expect(await active.poll()).toEqual([]);
		expect(valuesOf((await getUpdates(service)).rows)).toEqual([0, 1, 2, 3]);
		expect(valuesOf((await history()).rows)).toEqual([0, 1, 2, 3]);
	});

	test('IDs that are unique only within their row', async () => {
		const active = await activeTrigger(service);
		const timestamp = ago(1000);
		const entry = (entityId: string) => ({ id: 1, entityId, type: 'created', timestamp, changes: [] });
		service.updates = () => [entry('e1'), entry('e2')];
		expect((await active.poll()).map(({ _id }) => _id)).toEqual(['e1', 'e2']);
		expect((await getUpdates(service)).rows).toHaveLength(2);
	});

	const entriesOf = () => fourChanges((index) => ({ id: `u${index}` }));
	type Entry = ReturnType<typeof entriesOf>[number] & { id?: string };
	const versions: Array<[number, (entry: Entry) => unknown[]]> = [
		// Version 1 identifies an event by its ID alone.
		[1, ({ id }) => ['id', id]],
		// Version 2 also uses the time and the changes as the service wrote them.
		[
			2,
			({ id, timestamp, type, changes }) => {
				const values = changes.map(({ newValue }) => [
					['field', 'f1'],
					['new', newValue],
					['old', null],
				]);
				return ['id', id, 'e1', timestamp, type, values];
			},
		],
	];

	test.each(versions)('a cursor stored by version %i repeats no emitted event', async (version, identity) => {
		const active = await activeTrigger(service);
		const entries: Entry[] = entriesOf();
		service.updates = () => entries;
		const seen = Object.fromEntries(
			entries
				.slice(0, 2)
				.map((entry) => [String(Math.floor(Date.parse(entry.timestamp) / 1000)), keyOf(identity(entry))]),
		);
		active.saved = (active.saved ?? '')
			.replaceAll('"v":3', `"v":${version}`)
			.replaceAll('"seen":{}', `"seen":${JSON.stringify(seen)}`);
		const loaded: GridTrigger[] = [];
		await jest.isolateModulesAsync(async () => {
			const module = await import('../../../nodes/GridTrigger/GridTrigger.node');
			loaded.push(new module.GridTrigger());
		});
		expect(active.saved).toContain(`"v":${version}`);
		expect(valuesOf(await active.activate(loaded[0]))).toEqual([2, 3]);
	});
});

describe('content of an item', () => {
	const entry = () => ({
		entityId: 'e1',
		type: 'updated',
		timestamp: ago(1000),
		entity: { _id: 'e1', f1: 7 },
	});
	const membersWith = (id: string) => ['entity', 'event', id, 'changedAt', 'changedBy', 'changes'];

	test.each<[string, number, INodeParameters, string[]]>([
		['with its ID as _id', 2, {}, membersWith('_id')],
		['with the members of version 1', 1, {}, [...membersWith('entityId'), 'raw']],
		['without the raw entry on request', 1, { includeRaw: false }, membersWith('entityId')],
	])('the row comes first, %s', async (_name, version, options, members) => {
		const active = await activeTrigger(service, options, version);
		service.updates = () => [entry()];
		const [item = {}] = await active.poll();
		expect(Object.keys(item)).toEqual(members);
		expect(item).toMatchObject({ entity: { Amount: 7 }, event: 'updated' });
	});
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

	test('times without an offset from a service west of UTC', async () => {
		const active = await activeTrigger(service);
		const local = (milliseconds: number) => ago(milliseconds + 5 * 3_600_000).replace('Z', '');
		const first = { id: 'u1', entityId: 'e1', type: 'created', timestamp: local(1000) };
		service.updates = () => [first];
		expect(await active.poll()).toHaveLength(1);
		expect(await active.poll()).toEqual([]);
		const second = { ...first, id: 'u2', timestamp: local(0) };
		service.updates = () => [first, second];
		expect(await active.poll()).toHaveLength(1);
		expect(await active.poll()).toEqual([]);
	});

	test('a feed that ignores since', async () => {
		service.updates = () =>
			fourChanges((index) => ({ id: `old${index}`, timestamp: `2020-01-0${index + 1}T00:00:00Z` }));
		const active = await activeTrigger(service);
		for (let polls = 0; polls < 5; polls++) expect(await active.poll()).toEqual([]);
	});

	test('since echoed in the page and in each entry', async () => {
		const active = await activeTrigger(service);
		const entries = fourChanges();
		service.updates = (query) => {
			const since = query.get('since');
			return { since, items: entries.map((entry) => ({ ...entry, since })) };
		};
		expect(await active.poll()).toHaveLength(4);
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
			return { items, page, pageSize: 4, numberOfItems: 30, numberOfPages: 8 };
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
	const pageOf = (all: ReturnType<typeof entries>, page: number, pageSize: number) => ({
		items: all.slice((page - 1) * pageSize, page * pageSize),
		page,
		pageSize,
		numberOfItems: all.length,
		numberOfPages: Math.ceil(all.length / pageSize),
	});

	test.each([1, 3, 7])(
		'Get Updates reads all pages of a service that returns at most %s changes',
		async (most) => {
			const all = entries(20);
			service.updates = (query) =>
				pageOf(all, Number(query.get('pageIndex')), Math.min(most, Number(query.get('pageSize'))));
			const { rows } = await getUpdates(service);
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
			return pageOf(shown, Number(query.get('pageIndex')), size);
		};
		const active = new ActiveTrigger(
			trigger,
			triggerSettings(service, { startFrom: '2026-02-01T00:00:00Z' }),
		);
		const emitted = [...(await active.activate()), ...(await active.poll())];
		expect(emitted.map(({ _id }) => _id)).toEqual(all.map(({ entityId }) => entityId));
		const { rows } = await getUpdates(service);
		expect(rows.map(({ _id }) => _id)).toEqual(all.map(({ entityId }) => entityId));
	});
});

test('recognizes the feed at each poll if the base URL ends with /api', async () => {
	service.prefix = '/api';
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
			entity: { _links: { self: { href: '/x/entities/e%201' } } },
		};
		service.updates = () => [entry];
		const active = await activeTrigger(service);
		const later = { ...entry, timestamp: ago(500) };
		service.updates = () => [entry, later];
		expect(await active.poll()).toMatchObject([{ event: 'updated', _id: 'e 1' }]);
	});

	test('trigger and Get Updates accept 204 as no changes', async () => {
		service.updates = (_query, response) => response.writeHead(204).end();
		const active = await activeTrigger(service);
		expect(await active.poll()).toEqual([]);
		expect(await getUpdates(service)).toMatchObject({ rows: [], error: undefined });
	});

	test('changes that are grouped by row are all reported', async () => {
		const active = await activeTrigger(service);
		const [first, second, ...others] = fourChanges(() => ({ entityId: undefined }));
		service.updates = () => ({
			items: [
				{ entityId: 'e1', events: [first, second] },
				{ entityId: 'e2', events: others },
			],
		});
		expect((await active.poll()).map(({ _id }) => _id)).toEqual(['e1', 'e1', 'e2', 'e2']);
		expect((await getUpdates(service)).rows).toHaveLength(4);
	});

	test('unknown kinds are reported unchanged and count as updates', async () => {
		const active = await activeTrigger(service);
		const entries = [
			{ id: 1, entityId: 'e1', type: 'archived', timestamp: ago(900) },
			{ type: 'ColumnAdd', timestamp: ago(800), fieldId: 'f2' },
		];
		service.updates = () => entries;
		expect(await active.poll()).toMatchObject([
			{ event: 'archived', _id: 'e1' },
			{ event: 'ColumnAdd', _id: null },
		]);
		expect((await getUpdates(service)).rows).toMatchObject([
			{ event: 'archived' },
			{ event: 'ColumnAdd', _id: null },
		]);
		active.settings = {
			...active.settings,
			parameters: { ...active.settings.parameters, events: ['created'] },
		};
		active.load();
		const third = { ...entries[0], id: 3, timestamp: ago(100) };
		service.updates = () => [...entries, third];
		expect(await active.poll()).toEqual([]);
	});

	describe('identical history events with equal times', () => {
		const eventOf = (type: string) => ({
			type,
			timestamp: '2026-01-01T00:00:00Z',
			changes: [{ fieldId: 'f1', newValue: 1 }],
		});
		const identical = ['updated', 'updated', 'updated', 'updated', 'created'];
		const response =
			(counts: object, types = identical) =>
			(query: URLSearchParams) => {
				const page = Number(query.get('pageIndex'));
				const items = types.slice(2 * page - 2, 2 * page).map(eventOf);
				return { items, page, pageSize: 2, ...counts };
			};

		test.each([
			['with counts', { numberOfItems: 5, numberOfPages: 3 }],
			['with the number of pages only', { numberOfPages: 3 }],
		])('are all reported over several pages %s', async (_name, counts) => {
			service.events = response(counts);
			expect((await history()).rows).toHaveLength(5);
		});

		test.each([
			['all pages differ', ['updated', 'updated', 'deleted', 'updated', 'created']],
			[
				'a different page follows two identical ones',
				['updated', 'updated', 'updated', 'updated', 'created'],
			],
			['an empty page follows', ['updated', 'updated', 'updated', 'updated']],
		])('are all reported without counts if %s', async (_name, types) => {
			service.events = response({}, types);
			expect((await history()).rows.map(({ event }) => event)).toEqual(types);
		});

		test.each([404, 204])(
			'are all reported without counts if a page with status %d follows',
			async (status) => {
				const types = ['created', 'updated', 'updated', 'updated', 'updated', 'updated'];
				service.events = (query, reply) => {
					if (Number(query.get('pageIndex')) <= 3) return response({}, types)(query);
					return reply.writeHead(status).end();
				};
				expect((await history()).rows).toHaveLength(6);
			},
		);

		test('are reported once by a service that returns the same page for each number', async () => {
			service.events = () => [eventOf('updated'), eventOf('created')];
			expect((await history()).rows.map(({ event }) => event)).toEqual(['updated', 'created']);
		});

		test('cause an error if only the number of pages is known and all pages are identical', async () => {
			service.events = (query) => ({ ...response({ numberOfPages: 3 })(query), items: [eventOf('updated')] });
			expect((await history()).error?.message).toContain('same items');
		});
	});
});

test('the list of views has the views of all pages', async () => {
	service.views = (query) => {
		const page = Number(query.get('pageIndex'));
		const items = [1, 2].map((index) => ({ id: `v${page}${index}`, name: `View ${page}${index}` }));
		return { items, page, pageSize: 2, numberOfItems: 4, numberOfPages: 2 };
	};
	const listed = await trigger.methods.loadOptions.getViews.call(
		loadOptionsContext(triggerSettings(service)),
	);
	expect(listed.map(({ value }) => value)).toEqual(['v11', 'v12', 'v21', 'v22']);
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

	test('outputs nothing for a grid without changes, without an error', async () => {
		expect(await fetched()).toEqual([]);
	});
});
