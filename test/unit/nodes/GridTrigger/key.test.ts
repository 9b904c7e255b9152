import { readUpdate } from '../../../../client/updateRecord';
import { keyOf } from '../../../../nodes/GridTrigger/key';

const key = (raw: object) => {
	const update = readUpdate(raw);
	if (!update) throw new Error('Not recognised');
	return keyOf(update);
};

const event = {
	entityId: 'e1',
	type: 'updated',
	timestamp: '2026-03-01T12:00:00Z',
	changes: [{ fieldId: 'f', newValue: 1 }],
};

test('is 12 characters of base64url', () => {
	expect(key(event)).toMatch(/^[\w-]{12}$/);
});

test("an event's own id is enough", () => {
	expect(key({ ...event, id: 'u1' })).toBe(
		key({ id: 'u1', entityId: 'e1', timestamp: '2027-01-01T00:00:00Z' }),
	);
	expect(key({ ...event, id: 'u1' })).not.toBe(key({ ...event, id: 'u2' }));
});

test('without an id, entity, time, kind and content make it', () => {
	const other = [
		{ ...event, entityId: 'e2' },
		{ ...event, type: 'deleted' },
		{ ...event, timestamp: '2026-03-01T12:00:00.001Z' },
		{ ...event, changes: [{ fieldId: 'f', newValue: 2 }] },
	];
	expect(new Set([event, ...other].map(key)).size).toBe(5);
});

test('links, the order of members and what the entity has become since do not count', () => {
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

test('an entity that has changed is told from its other states by its time', () => {
	const first = { _id: 'e1', f: 1, updatedAt: '2026-03-01T12:00:00Z' };
	expect(key(first)).not.toBe(key({ ...first, updatedAt: '2026-03-01T12:00:01Z' }));
});
