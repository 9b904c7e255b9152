import { FeedOrder } from '../../../../nodes/shared/feed/reading';
import { stateOf } from '../../../../nodes/shared/feed/state';
import { Cursor, TriggerSession } from '../../../../nodes/EntityTrigger/session';

const MEMORY = { order: new FeedOrder(120_000), reading: undefined, pages: { size: 1000, max: 1000 } };

describe('what a trigger has found out', () => {
	test('is used with the settings and the state that it belongs to', () => {
		const session = new TriggerSession();
		session.use('lookback 120');
		session.keep(7, MEMORY);
		session.use('lookback 120');
		expect(session.takeMemory(7)).toBe(MEMORY);
		expect(session.takeMemory(7)).toBeUndefined();
		session.keep(7, MEMORY);
		expect(session.takeMemory(8)).toBeUndefined();
	});

	test('does not outlive a change of the settings', () => {
		const session = new TriggerSession();
		session.use('lookback 120');
		session.keep(7, MEMORY);
		session.hasToldOfUsers = true;
		session.source = { href: '/feed', of: 'grid', fields: [], userId: undefined };
		session.use('lookback 300');
		expect(session.takeMemory(7)).toBeUndefined();
		expect([session.hasToldOfUsers, session.source]).toEqual([false, undefined]);
	});
});

describe('the position that n8n passes to a poll', () => {
	const state = stateOf({ of: 'grid', low: 1000, seen: {} });
	const stored = (serial: number, node = 'n1') => ({ node, serial, state });
	const read = (own: unknown, shared?: unknown) => {
		const data = { nodeId: 'n1', own: { cursor: own }, shared: { 'dataEntityTrigger:n1': shared } };
		const cursor = new Cursor(data, {}, 'always');
		return cursor.read() && cursor.serial;
	};

	test.each<[unknown, unknown, number | undefined]>([
		[stored(3), stored(5), 3],
		[stored(3, 'n2'), stored(5), 5],
		[undefined, stored(5), 5],
		['broken', stored(5), 5],
		[stored(3, 'n2'), undefined, undefined],
		[null, undefined, undefined],
	])('%j in the data of the node and %j in that of the workflow: number %p', (own, shared, serial) => {
		expect(read(own, shared)).toBe(serial);
	});

	test.each(['broken', 7, {}, { node: 'n1', state }, stored(1.5), { ...stored(3), state: 'broken' }])(
		'is refused, and does not count as missing, if it is %j',
		(own) => {
			expect(() => read(own)).toThrow('cannot be read');
		},
	);
});
