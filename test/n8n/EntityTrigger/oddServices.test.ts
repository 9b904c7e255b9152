import type { INodeParameters } from 'n8n-workflow';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { pollContext } from '../../../testbed/engine/engine';
import { pageOf } from '../../fixtures/pageOf';
import { getChanges, runHistory, triggerSettings } from '../../simulation/feedNodes';
import { FeedService } from '../../simulation/feedService';

/** Services with unusual feeds that the specification allows. */
let service: FeedService;
/** Timestamp of all changes of a test, after the activation. */
let timestamp: string;
beforeEach(async () => {
	service = await FeedService.start();
	timestamp = new Date(Date.now() + 5000).toISOString();
});
afterEach(async () => {
	await service.stop();
});

async function activated(options: INodeParameters = {}): Promise<ActiveTrigger> {
	const active = new ActiveTrigger(new EntityTrigger(), triggerSettings(service, options));
	expect(await active.activate()).toEqual([]);
	return active;
}

test('a feed whose link differs at each reading of the grid counts as the same feed', async () => {
	let token = 0;
	service.links = () => ({ updates: { href: `/feed?token=${++token}`, method: 'get' } });
	let entries: object[] = [];
	service.other = (path) => (path === '/feed' ? entries : undefined);
	const active = await activated();
	service.other = () => undefined;
	await expect(active.poll()).rejects.toThrow();
	entries = [{ id: 'u1', type: 'created', entityId: 'e1', timestamp: timestamp }];
	service.other = (path) => (path === '/feed' ? entries : undefined);
	expect(await active.poll()).toMatchObject([{ event: 'created', _id: 'e1' }]);
	expect(token).toBeGreaterThan(1);
});

test('a watched column is recognized after it was renamed, also in a feed that has column names', async () => {
	const active = await activated({ watched: ['f1'] });
	const of = (id: string, field: string) => ({
		id,
		type: 'updated',
		entityId: 'e1',
		timestamp: timestamp,
		changes: [{ field, oldValue: 1, newValue: 2 }],
	});
	service.updates = () => [of('u1', 'Total'), of('u2', 'Amount')];
	expect(await active.poll()).toMatchObject([
		{ changes: [{ field: 'Total' }] },
		{ changes: [{ field: 'Amount' }] },
	]);
});

test('Column Becomes finds a column that was renamed, also in a feed that has column names', async () => {
	const active = await activated({ becomes: { to: { column: 'f1', values: ['2'] } } });
	service.fields = service.fields.map((field) => ({ ...field, name: 'Total' }));
	const changes = [{ field: 'Total', oldValue: 1, newValue: 2 }];
	service.updates = () => [{ id: 'u1', type: 'updated', entityId: 'e1', timestamp, changes }];
	expect(await active.poll()).toMatchObject([{ _id: 'e1', changes: [{ field: 'Total', new: 2 }] }]);
});

test.each(['f1', 'Amount', 'amount'])(
	'a column that the feed calls %s is named as the user chose',
	async (field) => {
		const active = await activated();
		const changes = [{ field, oldValue: 1, newValue: 2 }];
		service.updates = () => [{ id: 'u1', type: 'updated', entityId: 'e1', timestamp, changes }];
		expect(await active.poll()).toMatchObject([{ changes: [{ field: 'Amount', new: 2 }] }]);
		const { rows } = await getChanges(service, { options: { columnNaming: 'key' } });
		expect(rows).toMatchObject([{ changes: [{ field: 'amount', new: 2 }] }]);
	},
);

test.each(['f2', 'sum', 'Sum'])(
	'a changed row is the same change although its computed column %s has another value',
	async (column) => {
		const computed = {
			id: 'f2',
			name: 'Sum',
			key: 'sum',
			type: { name: 'integer' },
			schema: { readOnly: true },
		};
		service.fields = [...service.fields, computed];
		const active = await activated();
		let value = 0;
		service.updates = () => [{ _id: 'e1', f1: 1, [column]: ++value, updatedAt: timestamp }];
		expect(await active.poll()).toMatchObject([{ _id: 'e1' }]);
		expect(await active.poll()).toEqual([]);
		service.updates = () => [{ _id: 'e1', f1: 2, [column]: value, updatedAt: timestamp }];
		expect(await active.poll()).toMatchObject([{ _id: 'e1' }]);
	},
);

test('a base URL that ends with /api leads to the same feed at each poll', async () => {
	service.entered = '/api';
	const active = await activated();
	for (const id of ['e1', 'e2']) {
		service.updates = () => [{ id: `event-${id}`, entityId: id, type: 'created', timestamp }];
		expect((await active.poll()).map(({ _id }) => _id)).toEqual([id]);
	}
});

test('a change of an unknown kind is an update', async () => {
	const active = await activated();
	service.updates = () => [{ id: 'u1', entityId: 'e1', type: 'archived', timestamp }];
	expect(await active.poll()).toMatchObject([{ event: 'updated', _id: 'e1' }]);
	expect((await getChanges(service)).rows).toMatchObject([{ event: 'updated' }]);
});

test.each([
	['an object without a list', { ok: true }],
	['a list without its counts', { items: [] }],
	['a time without an offset', [{ id: 'u1', entityId: 'e1', timestamp: '2026-01-01T00:00:00' }]],
	['an entry that names no row', [{ type: 'created', timestamp: '2026-01-01T00:00:00Z' }]],
])('%s is an error of the poll, never "no changes"', async (_name, body) => {
	const active = await activated();
	service.updates = () => body;
	await expect(active.poll()).rejects.toThrow('The list at');
});

test('a column that was created does not keep changes of rows from being read', async () => {
	const active = await activated();
	service.updates = () => [
		{ id: 'u1', type: 'column.created', timestamp },
		{ id: 'u2', type: 'updated', entityId: 'e1', timestamp },
	];
	expect(await active.poll()).toMatchObject([{ event: 'updated', _id: 'e1' }]);
});

test('an event of a history that shows nothing that is known is an error, not an update', async () => {
	service.events = (query) => pageOf([{ entityId: 'e1', note: 'something' }], query);
	const entity = { __rl: true, mode: 'id', value: 'e1' };
	const { error } = await runHistory(service, { operation: 'getMany', entity });
	expect(String(error?.message)).toContain('it shows neither what changed nor when');
});

describe('Wait Until Quiet', () => {
	const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
	const change = (entityId: string, type: string, seconds: number, values?: [unknown, unknown]) => ({
		id: `${entityId} ${type} ${seconds}`,
		...{ entityId, type, timestamp: ago(seconds), userId: `user ${seconds}` },
		changes: values ? [{ field: 'f1', oldValue: values[0], newValue: values[1] }] : [],
	});
	const quiet = { times: { seconds: 60, atMost: 15 } };
	const from = (options: INodeParameters = {}) => ({ quiet, startFrom: ago(3600), ...options });
	const start = (options: INodeParameters) =>
		new ActiveTrigger(new EntityTrigger(), triggerSettings(service, options));
	afterEach(() => jest.restoreAllMocks());

	test('reports the changes of a row as one, once nothing has changed it for that long', async () => {
		const entries = [
			change('new', 'created', 100),
			change('new', 'updated', 90, [null, 1]),
			change('new', 'updated', 70, [1, 2]),
			change('gone', 'created', 99),
			change('gone', 'deleted', 98),
			change('deleted', 'updated', 97, [1, 2]),
			change('deleted', 'deleted', 96),
			change('busy', 'updated', 80, [3, 4]),
			change('busy', 'updated', 30, [4, 5]),
		];
		service.updates = () => entries;
		const active = start(from());
		expect(await active.activate()).toMatchObject([
			{ event: 'deleted', _id: 'deleted', changes: [] },
			{
				event: 'created',
				_id: 'new',
				changedBy: 'user 70',
				changes: [{ field: 'Amount', old: null, new: 2 }],
			},
		]);
		expect(await active.poll()).toEqual([]);
		const later = Date.now() + 31_000;
		jest.spyOn(Date, 'now').mockImplementation(() => later);
		const changes = [{ field: 'Amount', old: 3, new: 5 }];
		expect(await active.poll()).toMatchObject([{ event: 'updated', _id: 'busy', changes }]);
		expect(await active.poll()).toEqual([]);
	});

	test('waits no longer than At Most', async () => {
		// None is exactly At Most after the first one: milliseconds pass between them.
		const seconds = Array.from({ length: 60 }, (_, index) => 21 * (60 - index));
		service.updates = () => seconds.map((at) => change('busy', 'updated', at, [at, at - 20]));
		const rows = await start(from()).activate();
		expect(rows.map(({ changes }) => changes)).toEqual([[{ field: 'Amount', old: 1260, new: 358 }]]);
	});

	test('judges a row by what has become of it, and holds nothing for the changes of ignored users', async () => {
		service.updates = () => [
			change('typed', 'updated', 100, [0, 1]),
			change('typed', 'updated', 95, [1, 2]),
			change('wanted', 'updated', 100, [1, 2]),
			change('wanted', 'updated', 10, [2, 3]),
		];
		const becomes = { to: { column: 'f1', values: ['2'] } };
		const rows = await start(from({ becomes, ignoreChangesBy: ['user 10'] })).activate();
		expect(rows).toMatchObject([{ _id: 'wanted' }, { _id: 'typed', changes: [{ old: 0, new: 2 }] }]);
	});

	test('a wait longer than At Most is refused', async () => {
		const times = { seconds: 61, atMost: 1 };
		await expect(start({ quiet: { times } }).activate()).rejects.toThrow(
			'"At Most" is shorter than the wait',
		);
	});
});

test.each(['entered', 'left'])('moves into or out of a view (%s) need a view', async (event) => {
	const settings = triggerSettings(service, {}, { events: [event] });
	await expect(new ActiveTrigger(new EntityTrigger(), settings).activate()).rejects.toThrow(
		'"Row Enters View" and "Row Leaves View" need a view',
	);
});

describe('Start From', () => {
	test.each([
		['2026-01-15T12:00:00', 'Asia/Tokyo', '2026-01-15T02:59:59.999+00:00'],
		['2026-01-15T12:00:00', 'America/New_York', '2026-01-15T16:59:59.999+00:00'],
		['2026-01-15T12:00:00Z', 'Asia/Tokyo', '2026-01-15T11:59:59.999+00:00'],
	])('%s in the time zone %s is requested as %s', async (startFrom, timezone, expected) => {
		const settings = { ...triggerSettings(service, { startFrom }), timezone };
		await new ActiveTrigger(new EntityTrigger(), settings).activate();
		const path = service.requests.findLast((one) => one.includes('/updates')) ?? '/';
		expect(new URL(path, service.server.url).searchParams.get('since')).toBe(expected);
	});

	test.each(['2026-02-30T10:00:00', 'yesterday'])('%s is refused', async (startFrom) => {
		await expect(activated({ startFrom })).rejects.toThrow('"Start From" cannot be used');
	});
});

test.each(['ascending', 'descending'])(
	'Fetch Test Event outputs the newest event of a feed in %s order',
	async (order) => {
		const events = [0, 1, 2].map((newValue) => ({
			type: 'updated',
			entityId: 'e1',
			timestamp: new Date(Date.parse(timestamp) + newValue).toISOString(),
			changes: [{ fieldId: 'f1', newValue }],
		}));
		service.updates = () => (order === 'ascending' ? events : events.reverse());
		const { context } = pollContext(triggerSettings(service), { mode: 'manual', activation: 'manual' });
		const items = (await new EntityTrigger().poll.call(context))?.flat() ?? [];
		expect(items.map(({ json }) => json)).toMatchObject([{ changes: [{ new: 2 }] }]);
		expect(items[0]?.json).not.toHaveProperty('redelivered');
	},
);

test('Fetch Test Event looks at the 300 newest changes, even if the last page has a single one', async () => {
	const events = Array.from({ length: 601 }, (_, number) => ({
		id: `u${number}`,
		type: number === 400 ? 'created' : 'updated',
		entityId: `e${number}`,
		timestamp: new Date(Date.parse(timestamp) + number).toISOString(),
	}));
	service.updates = (query) => pageOf(events, query);
	const settings = triggerSettings(service, {}, { events: ['created'] });
	const { context } = pollContext(settings, { mode: 'manual', activation: 'manual' });
	const items = (await new EntityTrigger().poll.call(context))?.flat() ?? [];
	expect(items.map(({ json }) => json)).toMatchObject([{ event: 'created', _id: 'e400' }]);
});

test('Fetch Test Event names what leaves out the newest row of a feed without times', async () => {
	service.updates = () => [{ _id: 'e1', f1: 1 }];
	const settings = triggerSettings(service, {}, { events: ['deleted'] });
	const { context } = pollContext(settings, { mode: 'manual', activation: 'manual' });
	await expect(new EntityTrigger().poll.call(context)).rejects.toThrow(
		'"Events" leaves out the newest change (updated, row e1)',
	);
});

describe('equal changes without an ID on two pages', () => {
	const equal = () => ({ type: 'updated', entityId: 'e1', timestamp });
	/** Pages of two; after the first response, another change moves all to the next place. */
	const served = (changes: object[], inserted?: object) => {
		let all = changes;
		return (query: URLSearchParams) => {
			const page = pageOf(all, query, 2);
			if (inserted && !all.includes(inserted)) all = [inserted, ...all];
			return page;
		};
	};

	test('are two changes', async () => {
		const active = await activated();
		const other = { type: 'updated', entityId: 'e0', timestamp };
		service.updates = served([other, equal(), equal()]);
		expect((await active.poll()).map(({ _id }) => _id)).toEqual(['e0', 'e1', 'e1']);
		expect(await active.poll()).toEqual([]);
		expect((await getChanges(service)).rows).toHaveLength(3);
	});

	test('are one change if it may have moved to the next page', async () => {
		const active = await activated();
		const other = { type: 'updated', entityId: 'e0', timestamp };
		const last = { type: 'deleted', entityId: 'e2', timestamp };
		const first = { type: 'created', entityId: 'e3', timestamp };
		service.updates = served([other, equal(), last], first);
		const emitted = [...(await active.poll()), ...(await active.poll())].map(({ _id }) => _id);
		expect(emitted.sort()).toEqual(['e0', 'e1', 'e2', 'e3']);
	});
});
