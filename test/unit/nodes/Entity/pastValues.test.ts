import { fieldSchema } from '../../../../client/resources/fields';
import { readUpdate, type Update } from '../../../../client/resources/updates/updateRecord';
import { pastValues } from '../../../../nodes/Entity/history/pastValues';

const fields = [
	fieldSchema.parse({ id: 'f1', name: 'Name', key: 'name', type: { name: 'string' } }),
	fieldSchema.parse({ id: 'f2', name: 'Count', key: 'count', type: { name: 'integer' } }),
];

function event(raw: Record<string, unknown>): Update {
	const read = readUpdate({ entityId: 'e', ...raw });
	if (!read) throw new Error('Not an event');
	return read;
}

const at = (minute: number) => `2026-01-01T00:0${minute}:00Z`;
const moment = Date.parse(at(3));

test.each(['oldest first', 'newest first'])(
	'a value set by an event before the time is used, %s',
	(order) => {
		const events = [
			event({
				type: 'created',
				timestamp: at(1),
				changes: [{ fieldId: 'f1', oldValue: null, newValue: 'a' }],
			}),
			event({
				type: 'updated',
				timestamp: at(2),
				changes: [{ fieldId: 'f1', oldValue: 'a', newValue: 'b' }],
			}),
			event({
				type: 'updated',
				timestamp: at(4),
				changes: [{ fieldId: 'f1', oldValue: 'b', newValue: 'c' }],
			}),
			event({
				type: 'updated',
				timestamp: at(5),
				changes: [{ fieldId: 'f1', oldValue: 'c', newValue: 'd' }],
			}),
		];
		const given = order === 'newest first' ? events.reverse() : events;
		expect(pastValues(given, fields, moment)).toEqual({ values: { f1: 'b' }, gone: [] });
	},
);

test('otherwise the value that the first later event replaced is used, whatever its name for the column', () => {
	const events = [
		event({ type: 'updated', timestamp: at(5), changes: [{ field: 'count', old: 0, new: 2 }] }),
		event({ type: 'updated', timestamp: at(6), changes: [{ field: 'count', old: 2, new: 3 }] }),
	];
	expect(pastValues(events, fields, moment).values).toEqual({ f2: 0 });
});

test('columns without changes since then are kept, and deleted columns are named', () => {
	const events = [
		event({ type: 'updated', timestamp: at(2), changes: [{ field: 'Name', old: 'a', new: 'b' }] }),
		event({ type: 'updated', timestamp: at(5), changes: [{ field: 'Lost', old: 1, new: 2 }] }),
	];
	expect(pastValues(events, fields, moment)).toEqual({ values: {}, gone: ['Lost'] });
});

test('refuses a history without times or replaced values', () => {
	const timeless = event({ type: 'updated', changes: [{ field: 'f1', old: 'a', new: 'b' }] });
	expect(() => pastValues([timeless], fields, moment)).toThrow('does not contain the times');
	const oneSided = event({ type: 'updated', timestamp: at(5), changes: [{ field: 'f1', new: 'b' }] });
	expect(() => pastValues([oneSided], fields, moment)).toThrow('does not contain the value of "Name"');
});

test('refuses to restore a row to a time before its creation', () => {
	const created = event({ type: 'created', timestamp: at(4), changes: [] });
	expect(() => pastValues([created], fields, moment)).toThrow('created after that time');
});
