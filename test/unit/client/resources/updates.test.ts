import { UnreadableResponse } from '../../../../client/errors';
import { parseUpdates } from '../../../../client/resources/updates/feedPage';
import { readUpdate } from '../../../../client/resources/updates/updateRecord';

const TIME = '2026-03-01T12:00:00.250+01:00';
const MILLISECONDS = Date.UTC(2026, 2, 1, 11, 0, 0, 250);
const change = { id: 'u1', type: 'updated', entityId: 'e1', timestamp: TIME };

describe('the shape of a page', () => {
	test.each([
		['an array', [change], 'maybe', undefined],
		['an empty array', [], 'no', undefined],
		[
			'a paged collection with more',
			{ items: [change], page: 1, numberOfPages: 2, numberOfItems: 2 },
			'yes',
			2,
		],
		['the last page', { items: [change], page: 2, numberOfPages: 2, numberOfItems: 2 }, 'no', 2],
		['a page with counts only', { items: [change], page: 1, pageSize: 1, numberOfItems: 3 }, 'yes', 3],
		[
			'a page that links to the next',
			{ items: [change], _links: { next: { href: '/x' } } },
			'yes',
			undefined,
		],
		['an empty page before others', { items: [], page: 2, numberOfPages: 3 }, 'yes', undefined],
		['an empty page with a link', { items: [], _links: { next: { href: '/x' } } }, 'no', undefined],
		['everything on one page', { items: [change], numberOfItems: 1 }, 'no', 1],
		['a list under _embedded', { _embedded: { updates: [change] } }, 'maybe', undefined],
		['a list under another name', { changes: [change], until: TIME }, 'maybe', undefined],
	])('%s is read', (_name, body, more, total) => {
		const page = parseUpdates(body);
		expect({ more: page.more, total: page.total }).toEqual({ more, total });
		expect(page.updates.every(({ entityId }) => entityId === 'e1')).toBe(true);
	});

	test.each([
		['an object without a list', { ok: true }],
		['two lists of rows', { rows: [{ _id: 'e1' }], tombstones: [{ _id: 'e2' }] }],
		['null', null],
		['a text', 'no changes'],
		['an entry that names no entity', [{ when: TIME }]],
		['an entry that is no object', [7]],
	])('%s causes an error that quotes the response', (_name, body) => {
		expect(() => parseUpdates(body)).toThrow(UnreadableResponse);
		expect(() => parseUpdates(body)).toThrow(/began with: \S/);
	});

	it('does not contain the credential of the caller, which a service may echo', () => {
		const identity = Buffer.from('the-key:the-very-secret').toString('base64');
		expect(() => parseUpdates({ headers: `Basic ${identity}` })).toThrow(
			/began with: \{"headers":"Basic \*\*\*"\}$/,
		);
	});

	it('does not contain the beginning of the credential either, wherever the text is cut', () => {
		const identity = Buffer.from('the-key:the-very-secret').toString('base64');
		for (let before = 150; before < 200; before++) {
			const echo = `${'x'.repeat(before)} Basic ${identity}`;
			expect(() => parseUpdates({ echo })).toThrow(/^(?!.*Basic dG)/);
		}
	});
});

describe('an entry', () => {
	test.each([1.6e89, 8.64e15 + 1, Number.MAX_VALUE])('whose time is %p has no time', (timestamp) => {
		expect(readUpdate({ entityId: 'e1', timestamp })).not.toHaveProperty('time');
	});

	test('of the embedded service is read', () => {
		const raw = {
			...change,
			userId: 'p1',
			changes: [{ fieldId: 'f1', oldValue: 0, newValue: false }],
			entity: { _id: 'e1', f1: false },
			_links: { entity: { href: '/api/e1', method: 'get' } },
		};
		expect(readUpdate(raw)).toEqual({
			id: 'u1',
			kind: 'updated',
			entityId: 'e1',
			entityHref: '/api/e1',
			time: MILLISECONDS,
			timestamp: TIME,
			changedBy: 'p1',
			changes: [{ field: 'f1', old: 0, new: false }],
			entity: { _id: 'e1', f1: false },
			raw,
		});
	});

	test('that is only a changed entity has no event ID', () => {
		const update = readUpdate({ _id: 'e1', updatedAt: TIME, f1: 'x' });
		expect(update).toMatchObject({ entityId: 'e1', kind: 'updated', time: MILLISECONDS, changes: [] });
		expect(update).not.toHaveProperty('id');
	});

	test.each([
		[{ type: 'ENTITY_CREATED' }, 'created'],
		[{ action: 'insert' }, 'created'],
		[{ event: 'entity.removed' }, 'deleted'],
		[{ deleted: true }, 'deleted'],
		[{ kind: 'edit' }, 'updated'],
		[{ createdAt: TIME, updatedAt: TIME }, 'created'],
		[{ createdAt: '2026-01-01T00:00:00Z', updatedAt: TIME }, 'updated'],
		[{}, 'updated'],
	])('%j has the kind %s', (members, kind) => {
		expect(readUpdate({ entityId: 'e1', ...members })?.kind).toBe(kind);
	});

	test.each([
		[TIME, MILLISECONDS],
		['2026-03-01T11:00:00.250', MILLISECONDS],
		['2026-03-01T11:00:00.250123Z', MILLISECONDS],
		[MILLISECONDS, MILLISECONDS],
		[1_772_362_800, 1_772_362_800_000],
		[1_772_362_800_123_456, 1_772_362_800_123],
		['1772362800', 1_772_362_800_000],
		[String(MILLISECONDS), MILLISECONDS],
		['20260301', undefined],
		['yesterday', undefined],
		[true, undefined],
	])('the time %p', (timestamp, expected) => {
		expect(readUpdate({ entityId: 'e1', timestamp })?.time).toBe(expected);
	});

	test.each([
		[{ changes: { f1: { from: 1, to: 2 } } }, [{ field: 'f1', old: 1, new: 2 }]],
		[{ changes: { f1: null } }, [{ field: 'f1', old: undefined, new: null }]],
		[{ diff: [{ field: { id: 'f1' }, before: '', after: 'x' }] }, [{ field: 'f1', old: '', new: 'x' }]],
		[{ fieldId: 'f1', oldValue: 1, newValue: 0 }, [{ field: 'f1', old: 1, new: 0 }]],
	])('the changes of %j', (members, expected) => {
		expect(readUpdate({ entityId: 'e1', ...members })?.changes).toEqual(expected);
	});

	test('uses the time of its row if it has none', () => {
		const entity = { _id: 'e1', f1: 'x', createdAt: '2026-01-01T00:00:00Z', updatedAt: TIME };
		expect(readUpdate({ type: 'updated', entity })).toMatchObject({ time: MILLISECONDS, timestamp: TIME });
		expect(readUpdate({ entity })).toMatchObject({ kind: 'updated', time: MILLISECONDS });
		// An entry with its own time, ID or values does not use those of the current row.
		const own = { type: 'updated', entity };
		expect(readUpdate({ ...own, timestamp: '2026-02-01T00:00:00Z' })?.time).toBe(Date.UTC(2026, 1, 1));
		expect(readUpdate({ ...own, id: 'u1' })?.time).toBeUndefined();
		expect(readUpdate({ ...own, changes: { f1: 'x' } })?.time).toBeUndefined();
		expect(readUpdate({ type: 'created', entity })?.time).toBeUndefined();
	});

	test.each([
		[{ entity: { _id: 'e1' } }],
		[{ rowId: 'e1' }],
		[{ type: 'updated', _links: { entity: { href: '/api/grids/g/entities/e1{?layout}' } } }],
	])('the entity of %j', (members) => {
		expect(readUpdate(members)?.entityId).toBe('e1');
	});
});

describe('changes grouped by row or by kind', () => {
	const first = { type: 'created', timestamp: TIME };
	const second = { type: 'updated', timestamp: TIME, changes: [{ fieldId: 'f1', newValue: 2 }] };
	const expected = [
		{ entityId: 'e1', kind: 'created', time: MILLISECONDS },
		{ entityId: 'e1', kind: 'updated', changes: [{ field: 'f1', new: 2 }] },
		{ entityId: 'e2', kind: 'created' },
	];

	test.each([
		[
			'rows with lists of events',
			{
				items: [
					{ entityId: 'e1', events: [first, second] },
					{ rowId: 'e2', events: [first] },
				],
			},
		],
		[
			'rows with lists of changes',
			[
				{ _id: 'e1', changes: [first, second] },
				{ id: 'e2', changes: [first] },
			],
		],
		[
			'rows with only a link',
			[
				{ _links: { entity: { href: '/grids/g/entities/e1' } }, history: [first, second] },
				{ entity: { _links: { self: { href: '/grids/g/entities/e2' } } }, history: [first] },
			],
		],
		['an object by row', { e1: [first, second], e2: [first] }],
		[
			'an object by row beside the paging',
			{ page: 1, since: TIME, items: { e1: [{ ...first, id: 7 }, second], e2: first } },
		],
	])('%s are read', (_name, body) => {
		const { updates, total } = parseUpdates(body);
		expect(updates).toMatchObject(expected);
		expect(updates).toHaveLength(3);
		expect(total).toBeUndefined();
	});

	test('counts of groups show whether another page follows, and are no counts of changes', () => {
		const items = [{ entityId: 'e1', events: [first, second] }];
		expect(parseUpdates({ items, page: 1, pageSize: 1, numberOfItems: 2, numberOfPages: 2 })).toMatchObject({
			more: 'yes',
			total: undefined,
		});
	});

	test('lists by kind contain rows, and the IDs of deleted rows', () => {
		const body = { created: [{ _id: 'e1', f1: 1 }], updated: [], removed: ['e2'], count: 2 };
		expect(parseUpdates(body).updates).toMatchObject([
			{ entityId: 'e1', kind: 'created', entity: { f1: 1 } },
			{ entityId: 'e2', kind: 'deleted' },
		]);
	});

	test.each([[{}], [{ items: {} }], [{ created: [], deleted: [] }], [{ e1: [] }]])(
		'%j contains no change',
		(body) => {
			expect(parseUpdates(body).updates).toEqual([]);
		},
	);

	test('a change with a time for each value is one change', () => {
		const changes = [{ fieldId: 'f1', newValue: 1, at: TIME }];
		expect(parseUpdates([{ entityId: 'e1', type: 'updated', changes }]).updates).toMatchObject([
			{ kind: 'updated', changes: [{ field: 'f1', new: 1 }] },
		]);
	});
});

describe('a page that ends early', () => {
	test.each([
		[{ page: 1, pageSize: 1000, numberOfItems: 285, numberOfPages: 1 }, true],
		[{ page: 1, pageSize: 1000, numberOfPages: 2 }, true],
		[{ page: 1, pageSize: 1, numberOfItems: 285, numberOfPages: 285 }, undefined],
		[{ page: 286, pageSize: 1, numberOfItems: 286, numberOfPages: 286 }, undefined],
		[{ page: 1, pageSize: 1000, numberOfItems: 1, numberOfPages: 1 }, undefined],
	])('%j', (paging, isShort) => {
		const page = parseUpdates({ ...paging, items: [change] });
		expect(page.isShort).toBe(isShort);
		if (isShort) expect(page.more).toBe('yes');
	});
});

describe('the row of an entry', () => {
	const EVENT = { id: 'u1', type: 'updated', timestamp: TIME };

	test.each([
		[
			'a link in the row',
			{ entity: { _links: { self: { href: '/grids/g/entities/a%20b?layout=field' } } } },
			'a b',
		],
		[
			'an opaque link in the row',
			{ entity: { _links: { self: { href: '/opaque/x?y=1' } } } },
			'/opaque/x?y=1',
		],
		['a link to the row', { _links: { row: { href: '/grids/g/entities/e1' } } }, 'e1'],
		['its own link, below the row', { _links: { self: { href: '/grids/g/entities/e1/events/u1' } } }, 'e1'],
		['the ID instead of the row', { entity: 'e1' }, 'e1'],
		['the address instead of the row', { record: '/grids/g/entities/e1' }, 'e1'],
	])('is identified by %s', (_name, members, entityId) => {
		expect(readUpdate({ ...EVENT, ...members })).toMatchObject({ entityId, id: 'u1' });
	});

	test('a row is recognized by its links, whatever its columns are named', () => {
		const row = { _id: 'e1', record: 'A', type: 'New', entityId: 7, _links: { update: { href: '/x' } } };
		expect(readUpdate(row)).toMatchObject({ entityId: 'e1', kind: 'updated', changes: [], entity: row });
		const read = { _id: 'e1', entry: 'B', _links: { self: { href: '/grids/g/entities/e1' } } };
		expect(readUpdate(read)).toMatchObject({ entityId: 'e1', entity: read });
	});

	test('an event with the ID of its row still contains its changes', () => {
		const changes = [{ fieldId: 'f1', oldValue: 1, newValue: 2 }];
		const update = readUpdate({ _id: 'e1', type: 'updated', timestamp: TIME, changes });
		expect(update).toMatchObject({ entityId: 'e1', changes: [{ field: 'f1', old: 1, new: 2 }] });
		expect(update).not.toHaveProperty('id');
	});
});

describe('the kind of a change', () => {
	test.each([
		['archived', 'archived'],
		['address', 'address'],
		['ColumnAdd', 'ColumnAdd'],
		['commentAdded', 'commentAdded'],
		['verschoben', 'verschoben'],
		['entity.has_been_created', 'created'],
		['rowAdded', 'created'],
		['fieldChanged', 'updated'],
		['CHANGE', 'updated'],
		['d', 'deleted'],
	])('%s is %s', (word, kind) => {
		expect(readUpdate({ entityId: 'e1', type: word })?.kind).toBe(kind);
	});

	test('the most specific member is used', () => {
		expect(readUpdate({ entityId: 'e1', type: 'change', action: 'created' })?.kind).toBe('created');
		expect(readUpdate({ entityId: 'e1', type: 'event', kind: 'archived' })?.kind).toBe('archived');
		expect(readUpdate({ entityId: 'e1', type: 'entity', createdAt: TIME })?.kind).toBe('created');
	});

	test('an event with the ID of its row has a kind, unlike a row with a column of that name', () => {
		expect(readUpdate({ _id: 'e1', type: 'archived', timestamp: TIME })?.kind).toBe('archived');
		expect(readUpdate({ _id: 'e1', type: 'archived', updatedAt: TIME })?.kind).toBe('updated');
	});

	test('an event that concerns no row keeps its kind; a change of a row without a kind has none', () => {
		expect(readUpdate({ type: 'ColumnAdd', timestamp: TIME, fieldId: 'f9' })).toMatchObject({
			entityId: '',
			kind: 'ColumnAdd',
			time: MILLISECONDS,
		});
		expect(readUpdate({ type: 'created', timestamp: TIME })).toBeUndefined();
	});

	test('a row that was created before the requested time counts as updated', () => {
		const row = { _id: 'e1', createdAt: TIME };
		expect(readUpdate(row, MILLISECONDS + 1000)?.kind).toBe('updated');
		expect(readUpdate(row, MILLISECONDS)?.kind).toBe('created');
	});
});

test.each([
	['an ID', 'e1', 'e1'],
	['the address of a row', '/api/users/u/spaces/s/grids/g/entities/e1', 'e1'],
	['an address of another form', '/rows?of=e1', '/rows?of=e1'],
])('the entity of a change named by %s', (_, entity, entityId) => {
	expect(readUpdate({ id: 'u1', type: 'updated', timestamp: TIME, entity })).toMatchObject({ entityId });
});
