import { FeedOrder } from '../../../../nodes/shared/feed/reading';
import { TriggerSession } from '../../../../nodes/EntityTrigger/session';

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
