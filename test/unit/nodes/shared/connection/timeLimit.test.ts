import { getEventListeners } from 'node:events';
import { TimeLimit } from '../../../../../nodes/shared/connection/timeLimit';

test('a timer is kept only while requests run', () => {
	const limit = new TimeLimit(60_000, undefined);
	const [first, second] = [limit.start(), limit.start()];
	const listeners = () => getEventListeners(first.signal, 'abort').length;
	expect(second.signal).toBe(first.signal);
	limit.end(first);
	expect(listeners()).toBe(1);
	limit.end(second);
	expect(listeners()).toBe(0);
	limit.end(limit.start());
	expect(listeners()).toBe(0);
});
