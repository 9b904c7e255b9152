import { EntryIdentities } from '../../../../client/resources/updates/updateIdentity';
import { entrySchema, readUpdate } from '../../../../client/resources/updates/updateRecord';
import { pageOf } from '../../../fixtures/pageOf';

const TIME = '2026-03-01T12:00:00.250+01:00';
const MILLISECONDS = Date.UTC(2026, 2, 1, 11, 0, 0, 250);
const problemOf = (entry: unknown) => entrySchema(readUpdate).safeParse(entry).error?.issues[0]?.message;
const change = { id: 'u1', type: 'updated', entityId: 'e1', timestamp: TIME };

describe('a change', () => {
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
			time: MILLISECONDS,
			timestamp: TIME,
			changedBy: 'p1',
			changes: [{ field: 'f1', old: 0, new: false }],
			entity: { _id: 'e1', f1: false },
			raw,
		});
	});

	test.each([
		[{ rowId: 'e1' }],
		[{ entity: 'e1' }],
		[{ row: { _id: 'e1' } }],
		[{ record: { _links: { self: { href: '/api/grids/g1/entities/e1{?layout}', method: 'get' } } } }],
		[{ _links: { entity: { href: 'https://a.example/entities/e1?x=1', method: 'get' } } }],
	])('%j names the row e1', (members) => {
		expect(readUpdate({ type: 'updated', ...members })).toMatchObject({ entityId: 'e1', kind: 'updated' });
	});

	test('names a row by the decoded segment of its address', () => {
		const self = { href: '/api/grids/g1/entities/50%25%20%C3%A9', method: 'get' };
		expect(readUpdate({ type: 'updated', row: { _links: { self } } })).toMatchObject({ entityId: '50% é' });
	});

	test.each([
		[{ type: 'ENTITY_CREATED' }, 'created'],
		[{ event: 'entity.removed' }, 'deleted'],
		[{ action: 'rowUpdated' }, 'updated'],
		[{ operation: 'delete' }, 'deleted'],
		[{ kind: 'archived' }, 'updated'],
		[{ deleted: true }, 'deleted'],
		[{}, 'updated'],
	])('with %j is %s', (members, kind) => {
		expect(readUpdate({ entityId: 'e1', ...members })?.kind).toBe(kind);
	});

	test.each([
		[TIME, MILLISECONDS],
		['2026-03-01T11:00:00.250123Z', MILLISECONDS],
		['2026-03-01', undefined],
		[MILLISECONDS, undefined],
	])('at %p has the time %p', (modifiedAt, time) => {
		expect(readUpdate({ entityId: 'e1', modifiedAt })?.time).toBe(time);
	});

	test.each([{ timestamp: '2026-03-01T11:00:00.250' }, { date: TIME.slice(0, -6), at: TIME.slice(0, -6) }])(
		'at %j, a time without an offset, cannot be read',
		(times) => {
			const entry = { entityId: 'e1', ...times };
			expect(readUpdate(entry)).toBeUndefined();
			expect(problemOf(entry)).toMatch(/^its time "2026-03-01T\d\d:00:00.250" has no offset/);
		},
	);

	test('has the time that has an offset', () => {
		const times = { timestamp: TIME.slice(0, -6), date: TIME };
		expect(readUpdate({ entityId: 'e1', ...times })?.time).toBe(MILLISECONDS);
	});

	test.each([
		[{ changes: { f1: { from: 1, to: 2 } } }, [{ field: 'f1', old: 1, new: 2 }]],
		[{ diff: { f1: 'x' } }, [{ field: 'f1', old: undefined, new: 'x' }]],
		[{ fields: [{ field: { id: 'f1' }, before: 1 }] }, [{ field: 'f1', old: 1, new: undefined }]],
		[{ changes: { f1: { old: 1, new: 2 } } }, [{ field: 'f1', old: 1, new: 2 }]],
		[{ changes: { f1: { before: 1, after: 2 } } }, [{ field: 'f1', old: 1, new: 2 }]],
		[{ changes: { f1: { previous: 1, current: 2 } } }, [{ field: 'f1', old: 1, new: 2 }]],
		[{ changes: { f1: { from: 1, value: 2 } } }, [{ field: 'f1', old: 1, new: 2 }]],
		[{ fieldId: 'f1', oldValue: null, newValue: 2 }, [{ field: 'f1', old: null, new: 2 }]],
		[{}, []],
	])('with %j has the changes %j', (members, changes) => {
		expect(readUpdate({ entityId: 'e1', ...members })?.changes).toEqual(changes);
	});

	test.each([[{ changedBy: 'p1' }], [{ author: { id: 'p1' } }], [{ by: { email: 'p1' } }]])(
		'with %j is by p1',
		(members) => {
			expect(readUpdate({ entityId: 'e1', ...members })?.changedBy).toBe('p1');
		},
	);

	test.each(['ColumnAdd', 'column.created', 'gridUpdated', 'FIELD_DELETED'])(
		'%s without a row is a change of the structure',
		(type) => {
			const raw = { type, by: 'p1', timestamp: TIME };
			const read = {
				kind: 'structure',
				entityId: '',
				time: MILLISECONDS,
				timestamp: TIME,
				changedBy: 'p1',
				changes: [],
			};
			expect(readUpdate(raw)).toEqual({ ...read, raw });
			const withId = { id: 'u1', ...raw };
			expect(readUpdate(withId)).toEqual({ ...read, id: 'u1', raw: withId });
		},
	);
});

describe('a changed row', () => {
	test('is read with its values', () => {
		const row = { _id: 'e1', updatedAt: TIME, f1: 'x' };
		expect(readUpdate(row)).toMatchObject({ isRow: true, entityId: 'e1', time: MILLISECONDS, entity: row });
	});

	test.each([
		[{ createdAt: TIME, updatedAt: TIME }, 'created'],
		[{ createdAt: TIME }, 'created'],
		[{ createdAt: '2026-01-01T00:00:00Z', updatedAt: TIME }, 'updated'],
		[{ createdAt: '2026-01-01T00:00:00Z' }, 'updated'],
		[{ deleted: true }, 'deleted'],
		[{}, 'updated'],
	])('with %j is %s', (members, kind) => {
		expect(readUpdate({ _id: 'e1', ...members }, MILLISECONDS - 1)?.kind).toBe(kind);
	});

	test('whose only time is that of its creation has no time of the change', () => {
		const update = readUpdate({ _id: 'e1', createdAt: TIME });
		expect(update).toMatchObject({ timestamp: TIME });
		expect(update).not.toHaveProperty('time');
	});
});

test.each([
	[7],
	[null],
	[{ when: TIME }],
	[{ type: 'created' }],
	[{ type: 'ENTITY_CREATED' }],
	[{ action: 'rowUpdated' }],
	[{ id: 'u1' }],
])('%j is neither a change nor a row', (entry) => {
	expect(readUpdate(entry)).toBeUndefined();
	expect(problemOf(entry)).toBe('it does not name the changed row');
});

test('a changed row whose time has no offset cannot be read', () => {
	const row = { _id: 'e1', createdAt: '2026-03-01T11:00:00' };
	expect(readUpdate(row)).toBeUndefined();
	expect(problemOf(row)).toMatch(/^its time "2026-03-01T11:00:00" has no offset/);
});

describe('the identity of an entry', () => {
	const identityOf = (entry: object, computed?: ReadonlySet<string>) => {
		const update = readUpdate(entry);
		if (!update) throw new Error('Not read');
		return new EntryIdentities().of({ items: [update] }, 1, computed)[0];
	};

	test.each<[string, object, object]>([
		['the links and current values of a change', change, { ...change, _links: {}, entity: { _id: 'e1' } }],
		['the members of a change with an id', change, { ...change, changes: [{ fieldId: 'f1' }] }],
		[
			'the order of members',
			{ entityId: 'e1', diff: { a: 1, b: 2 } },
			{ diff: { b: 2, a: 1 }, entityId: 'e1' },
		],
		[
			'the links within a change without an id',
			{ entityId: 'e1', diff: { f1: { uri: '/e2', _links: {} } } },
			{ entityId: 'e1', diff: { f1: { uri: '/e2', _links: { self: { href: '/x' } } } } },
		],
		['the links of a row', { _id: 'e1', f1: 1 }, { _id: 'e1', f1: 1, _links: { self: { href: '/x' } } }],
	])('does not depend on %s', (_what, one, other) => {
		expect(identityOf(other)).toBe(identityOf(one));
	});

	test.each<[string, object, object]>([
		['id', change, { ...change, id: 'u2' }],
		['row', change, { ...change, entityId: 'e2' }],
		['time', change, { ...change, timestamp: '2026-03-01T12:00:00.251+01:00' }],
		['kind', change, { ...change, type: 'deleted' }],
		['content without an id', { entityId: 'e1', diff: { a: 1 } }, { entityId: 'e1', diff: { a: 2 } }],
		['stored value of a row', { _id: 'e1', f1: 1 }, { _id: 'e1', f1: 2 }],
	])('depends on the %s', (_what, one, other) => {
		expect(identityOf(other)).not.toBe(identityOf(one));
	});

	test('does not depend on computed columns', () => {
		const computed = new Set(['sum']);
		expect(identityOf({ _id: 'e1', sum: 1 }, computed)).toBe(identityOf({ _id: 'e1', sum: 2 }, computed));
	});

	test.each([
		['a total of their own', [3, 4], 1],
		['the same total', [3, 3], 2],
		['no total', [undefined, undefined], 1],
	])('equal changes without an id on pages with %s', (_totals, totals, different) => {
		const identities = new EntryIdentities();
		const items = [{ entityId: 'e1' }].flatMap((entry) => readUpdate(entry) ?? []);
		const all = totals.flatMap((numberOfItems, index) => {
			const page = pageOf(items, new URLSearchParams());
			return identities.of(numberOfItems === undefined ? { items } : { ...page, numberOfItems }, index + 1);
		});
		expect(new Set(all).size).toBe(different);
	});

	test('distinguishes equal changes without an id on one page', () => {
		const updates = [{ entityId: 'e1' }, { entityId: 'e1' }].flatMap((entry) => readUpdate(entry) ?? []);
		expect(new Set(new EntryIdentities().of({ items: updates }, 1)).size).toBe(2);
	});
});
