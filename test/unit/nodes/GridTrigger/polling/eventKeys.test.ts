import { readUpdate } from '../../../../../client/resources/updates/updateRecord';
import { keysOf } from '../../../../../nodes/GridTrigger/polling/eventKeys';

const key = (raw: object) => {
	const update = readUpdate(raw);
	if (!update) throw new Error('Not recognized');
	return keysOf([update])[0];
};

const event = {
	entityId: 'e1',
	type: 'updated',
	timestamp: '2026-03-01T12:00:00Z',
	changes: [{ fieldId: 'f', newValue: 1 }],
};

test('a key has 12 characters of base64url', () => {
	expect(key(event)).toMatch(/^[\w-]{12}$/);
});

test('the key depends on ID, row, time, kind and changed values, but not on members that differ between reads', () => {
	const identified = { ...event, id: 'u1' };
	const others = [
		event,
		{ ...event, id: 'u2' },
		{ ...identified, entityId: 'e2' },
		{ ...identified, type: 'created' },
		{ ...identified, timestamp: '2027-01-01T00:00:00Z' },
		{ ...identified, changes: [{ fieldId: 'f', newValue: 2 }] },
	];
	expect(new Set([identified, ...others].map(key)).size).toBe(7);
	expect(key({ ...identified, readBy: 7, since: 'now' })).toBe(key(identified));
});

test('the ID of the row is not used as the ID of the event, whatever its name', () => {
	const update = (members: object) => readUpdate({ ...event, ...members });
	expect(update({ id: 'e1' })).not.toHaveProperty('id');
	expect(update({ _id: 'e1' })).not.toHaveProperty('id');
	expect(update({ _id: 'e1', id: 'u1' })).toMatchObject({ id: 'u1', entityId: 'e1' });
	const changed = { ...event, changes: [{ fieldId: 'f', newValue: 2 }] };
	expect(key({ ...event, _id: 'e1' })).not.toBe(key({ ...changed, _id: 'e1' }));
});

test('equal changes without an ID are separate changes; changes with the same ID are one change', () => {
	const update = readUpdate(event);
	const identified = readUpdate({ ...event, id: 'u1' });
	if (!update || !identified) throw new Error('Not recognized');
	expect(new Set(keysOf([update, update, update])).size).toBe(3);
	expect(keysOf([update, update])).toEqual(keysOf([update, update, update]).slice(0, 2));
	expect(new Set(keysOf([identified, identified])).size).toBe(1);
});

test('without an ID, the key depends on entity, time, kind and content', () => {
	const other = [
		{ ...event, entityId: 'e2' },
		{ ...event, type: 'deleted' },
		{ ...event, timestamp: '2026-03-01T12:00:00.001Z' },
		{ ...event, changes: [{ fieldId: 'f', newValue: 2 }] },
	];
	expect(new Set([event, ...other].map(key)).size).toBe(5);
});

test('links, the order of members and the current state of the entity do not matter', () => {
	const again = {
		changes: [{ newValue: 1, fieldId: 'f', _links: {} }],
		timestamp: event.timestamp,
		type: 'updated',
		entityId: 'e1',
		entity: { _id: 'e1', f: 'changed since' },
		_links: { entity: { href: '/x' } },
	};
	expect(key(again)).toBe(key(event));
});

test('the notation of a time and the order of changed columns do not matter', () => {
	const changes = [
		{ fieldId: 'f', newValue: 1 },
		{ fieldId: 'g', newValue: '2026-03-01T12:00:00Z' },
	];
	const rewritten = {
		changes: [{ fieldId: 'g', newValue: '2026-03-01T13:00:00.000+01:00' }, changes[0]],
		timestamp: '2026-03-01T07:00:00.000000-05:00',
	};
	for (const id of [{}, { id: 'u1' }])
		expect(key({ ...event, ...id, ...rewritten })).toBe(key({ ...event, ...id, changes }));
	const finer = { ...event, timestamp: '2026-03-01T12:00:00.0004Z' };
	expect(key(finer)).not.toBe(key(event));
	expect(key({ ...event, timestamp: '2026-03-01T12:00:00' })).not.toBe(key(event));
});

test('the time distinguishes the states of a changed entity', () => {
	const first = { _id: 'e1', f: 1, updatedAt: '2026-03-01T12:00:00Z' };
	expect(key(first)).not.toBe(key({ ...first, updatedAt: '2026-03-01T12:00:01Z' }));
});

test('if an entry contains only a row, the row distinguishes its changes', () => {
	const wrapped = (members: object) => ({ type: 'updated', entity: { _id: 'e1', f: 1, ...members } });
	expect(key(wrapped({ f: 2 }))).not.toBe(key(wrapped({})));
	expect(key(wrapped({ updatedAt: '2026-03-01T12:00:00Z' }))).not.toBe(key(wrapped({})));
	expect(key(wrapped({ _links: { self: { href: '/x' } } }))).toBe(key(wrapped({})));
	expect(key({ ...wrapped({ f: 2 }), id: 'u1' })).toBe(key({ ...wrapped({}), id: 'u1' }));
	expect(key({ ...wrapped({ f: 2 }), type: 'created' })).toBe(key({ ...wrapped({}), type: 'created' }));
});

test.each(['entity', 'record', 'since', 'until', 'asOf', 'row'])(
	'the key of a row without a time depends on a column called %s',
	(column) => {
		const row = { _id: 'e1', _links: { update: { href: '/x', method: 'put' } } };
		expect(key({ ...row, [column]: 'old' })).not.toBe(key({ ...row, [column]: 'new' }));
	},
);
