import { UnreadableAnswer } from '../../../client/errors';
import { parseUpdates } from '../../../client/updates';
import { readUpdate } from '../../../client/updateRecord';

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
		['everything on one page', { items: [change], numberOfItems: 1 }, 'no', 1],
		['a list under _embedded', { _embedded: { updates: [change] } }, 'maybe', undefined],
		['a list under another name', { changes: [change], until: TIME }, 'maybe', undefined],
	])('%s', (_name, body, more, total) => {
		const page = parseUpdates(body);
		expect({ more: page.more, total: page.total }).toEqual({ more, total });
		expect(page.updates.every(({ entityId }) => entityId === 'e1')).toBe(true);
	});

	test.each([
		['an object without a list', { ok: true }],
		['two lists', { added: [change], removed: [] }],
		['null', null],
		['a text', 'no changes'],
		['an entry that names no entity', [{ when: TIME }]],
		['an entry that is no object', [7]],
	])('%s is an error that shows what came, never "no changes"', (_name, body) => {
		expect(() => parseUpdates(body)).toThrow(UnreadableAnswer);
		expect(() => parseUpdates(body)).toThrow(/began with: \S/);
	});

	it('without the identity of the caller, which a service may send back', () => {
		const identity = Buffer.from('the-key:the-very-secret').toString('base64');
		expect(() => parseUpdates({ headers: `Basic ${identity}` })).toThrow(
			/began with: \{"headers":"Basic \*\*\*"\}$/,
		);
	});

	it('without the beginning of it either, wherever the words are cut', () => {
		const identity = Buffer.from('the-key:the-very-secret').toString('base64');
		for (let before = 150; before < 200; before++) {
			const echo = `${'x'.repeat(before)} Basic ${identity}`;
			expect(() => parseUpdates({ echo })).toThrow(/^(?!.*Basic dG)/);
		}
	});
});

describe('an entry', () => {
	test.each([1.6e89, 8.64e15 + 1, Number.MAX_VALUE])('whose time %p is none has none', (timestamp) => {
		expect(readUpdate({ entityId: 'e1', timestamp })).not.toHaveProperty('time');
	});

	test('as the embedded service writes it', () => {
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

	test('that is only a changed entity has no id of its own', () => {
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
	])('%j happened as %s', (members, kind) => {
		expect(readUpdate({ entityId: 'e1', ...members })?.kind).toBe(kind);
	});

	test.each([
		[TIME, MILLISECONDS],
		['2026-03-01T11:00:00.250', MILLISECONDS],
		['2026-03-01T11:00:00.250123Z', MILLISECONDS],
		[MILLISECONDS, MILLISECONDS],
		[1_772_362_800, 1_772_362_800_000],
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

	test.each([
		[{ entity: { _id: 'e1' } }],
		[{ rowId: 'e1' }],
		[{ type: 'updated', _links: { entity: { href: '/api/grids/g/entities/e1{?layout}' } } }],
	])('the entity of %j', (members) => {
		expect(readUpdate(members)?.entityId).toBe('e1');
	});
});
