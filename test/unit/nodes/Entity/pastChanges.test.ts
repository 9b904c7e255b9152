import fc from 'fast-check';
import type { Entity } from '../../../../client';
import { fieldSchema } from '../../../../client/resources/fields';
import { PastChanges, recordedChange } from '../../../../nodes/Entity/history/pastChanges';

const fields = [
	fieldSchema.parse({ id: 'f1', name: 'Name', key: 'name', type: { name: 'string' } }),
	fieldSchema.parse({ id: 'f2', name: 'Count', key: 'count', type: { name: 'integer' } }),
	fieldSchema.parse({ id: 'f3', name: 'Made', key: 'made', type: { name: 'createdat' } }),
];
const names = new Map(fields.map(({ id, name }) => [id, name]));
type Row = Partial<Record<'f1' | 'f2', unknown>>;
const entity = (values: Row): Entity => ({ ...values, _id: 'e', _links: new Map() });

function undo(items: readonly object[], present: Row | undefined, overwrites = false) {
	const past = new PastChanges(fields, names);
	for (const item of items) past.add(recordedChange({ _id: 'e', ...item }));
	const step = past.undo(present && entity(present), overwrites);
	return { step, reasons: step.reasons ?? [] };
}

const updated = (...changes: object[]) => ({ _outcome: 'updated', _changes: changes });
const rename = updated({ field: 'Name', old: 'a', new: 'b' });

test('a value that still is as written gets its old value; one that somebody edited stays and is named', () => {
	const both = updated({ field: 'Name', old: 'a', new: 'b' }, { field: 'Count', old: 1, new: 2 });
	expect(undo([both], { f1: 'b', f2: 7 })).toMatchObject({
		step: { kind: 'update', values: { f1: 'a' } },
		reasons: ['"Count" is 7, and was 2 after the change'],
	});
	expect(undo([both], { f1: 'b', f2: 7 }, true)).toMatchObject({
		step: { kind: 'update', values: { f1: 'a', f2: 1 } },
		reasons: [],
	});
	expect(undo([both], { f1: 'x', f2: 7 }).step).toMatchObject({ kind: 'conflict' });
	expect(undo([both], { f1: 'a', f2: 1 }).step.kind).toBe('unchanged');
});

test('several changes of a row count as one, in the order of their times', () => {
	const event = (minute: number, old: string, value: string) => ({
		...{ event: 'updated', changedAt: `2026-01-01T00:0${minute}:00Z` },
		changes: [{ field: 'Name', old, new: value }],
	});
	const events = [event(1, 'a', 'b'), event(2, 'b', 'c'), event(3, 'c', 'd')];
	for (const order of [events, events.toReversed()])
		expect(undo(order, { f1: 'd' }).step).toMatchObject({ kind: 'update', values: { f1: 'a' } });
	expect(undo([rename, updated({ field: 'Name', old: 'b', new: 'c' })], { f1: 'c' }).step).toMatchObject({
		values: { f1: 'a' },
	});
});

test('a created row goes again unless somebody wrote to it, a deleted one is made again', () => {
	const created = { _outcome: 'created', _changes: [{ fieldId: 'f1', field: 'x', old: null, new: 'a' }] };
	const deleted = { _outcome: 'deleted', _changes: [{ field: 'Name', old: 'a', new: null }] };
	expect(undo([created], { f1: 'a' }).step.kind).toBe('delete');
	expect(undo([created], { f1: 'a', f2: 3 })).toMatchObject({
		step: { kind: 'conflict' },
		reasons: ['"Count" is 3, and was null after the change'],
	});
	expect(undo([created], { f1: 'a', f2: 3 }, true).step.kind).toBe('delete');
	expect(undo([created], undefined)).toMatchObject({ step: { kind: 'conflict', reasons: [] }, reasons: [] });
	expect(undo([deleted], undefined).step).toEqual({ kind: 'create', values: { f1: 'a' }, reasons: [] });
	expect(undo([deleted], { f1: 'a' }).reasons).toEqual(['The row exists again']);
	expect(undo([rename], undefined).reasons).toEqual(['The row has been deleted since']);
	expect(
		undo([rename, { _outcome: 'deleted', _changes: [{ field: 'Name', old: 'b' }] }], undefined).step,
	).toEqual({
		kind: 'create',
		values: { f1: 'a' },
		reasons: [],
	});
});

test.each([
	[{}, /does not say which values of which row/],
	[{ _id: 'e', Name: 'a' }, /does not say which values of which row/],
	[{ _id: 'e', _outcome: 'update', _changes: [] }, /plan of a dry run/],
	[{ _id: 'e', _outcome: 'shipped', _changes: [] }, /"shipped", which is no change of a row/],
	[{ _id: 'e', event: 'structure', changes: [] }, /"structure", which is no change of a row/],
	[{ _id: 'e', _outcome: 'updated', _changes: [] }, /does not contain the values before/],
	[{ _id: 'e', _outcome: 'updated', _changes: [{ field: 'Name', new: 1 }] }, /what "Name" was before/],
])('%j is refused', (json, message) => {
	expect(() => {
		new PastChanges(fields, names).add(recordedChange(json));
	}).toThrow(message);
});

test('a column that is gone is named, and the others get their values', () => {
	const changes = updated({ field: 'Gone', old: 1, new: 2 }, { field: 'Name', old: 'a', new: 'b' });
	expect(undo([changes], { f1: 'b' })).toMatchObject({
		step: { values: { f1: 'a' } },
		reasons: ['The grid no longer has the column "Gone"'],
	});
});

/** Random changes of a row, some edits by others, and the undo: only the edits remain. */
test('after any changes, edits and undo, a row holds its old values except for the edits', () => {
	const value = fc.constantFrom(null, 'a', 'b', 'c');
	const step = fc.record({ column: fc.constantFrom<'f1' | 'f2'>('f1', 'f2'), value });
	const steps = fc.array(step, { maxLength: 6 });
	fc.assert(
		fc.property(fc.record({ f1: value, f2: value }), steps, steps, (before, changes, edits) => {
			const row: Row = { ...before };
			const items: object[] = [];
			for (const { column, value: to } of changes) {
				items.push(updated({ field: names.get(column) ?? '', old: row[column], new: to }));
				row[column] = to;
			}
			const written = { ...row };
			for (const { column, value: to } of edits) row[column] = to;
			const { step: change } = undo(items, row);
			const after = change.kind === 'update' ? { ...row, ...change.values } : row;
			for (const column of ['f1', 'f2'] as const) {
				const isEdited = row[column] !== written[column];
				expect(after[column]).toBe(isEdited ? row[column] : before[column]);
			}
		}),
	);
});
