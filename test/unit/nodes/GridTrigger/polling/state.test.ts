import { splitKeys, SeenKeys } from '../../../../../nodes/GridTrigger/polling/seenKeys';
import { readState, StateUnusable, type TriggerState } from '../../../../../nodes/GridTrigger/polling/state';

const KEY = 'abcdefghijk_';
const OTHER = 'ABCDEFGHIJK-';
const state: TriggerState = {
	v: 3,
	of: 'grid',
	low: 1000,
	high: 5000,
	at: { date: 6000, wall: 6000 },
	order: 'ascending',
	rises: 12,
	seen: { '4': KEY + OTHER },
	scan: { since: 999, page: 2, current: { count: 1, sum: 7 } },
};

describe('readState', () => {
	test('returns what was stored as JSON', () => {
		expect(readState(JSON.parse(JSON.stringify(state)))).toEqual({ state, mended: [] });
	});

	test.each([undefined, null])('%p is not a state', (nothing) => {
		expect(readState(nothing)).toBeUndefined();
	});

	test('ignores invalid keys and keeps the position', () => {
		const read = readState({ ...state, seen: { '4': KEY, '5': 'short', x: KEY } });
		expect(read).toMatchObject({ state: { low: 1000, seen: { '4': KEY } }, mended: ['seen'] });
	});

	test.each([
		['scan', { scan: { since: 'x' } }],
		['pending', { pending: 7 }],
		['order', { order: 'sideways' }],
		['high', { high: null }],
		['seen', { seen: 'gone' }],
	])('ignores an invalid %s', (name, broken) => {
		expect(readState({ ...state, ...broken })).toMatchObject({ state: { low: 1000 }, mended: [name] });
	});

	test('reads the batch to repeat as stored by an earlier release', () => {
		const read = readState({ ...state, again: KEY + OTHER });
		expect(read).toEqual({ state: { ...state, unconfirmed: { '6': KEY + OTHER } }, mended: [] });
	});

	test('does not use an invalid time: low stays until a change is read', () => {
		expect(readState({ ...state, at: 'x' })?.state).toMatchObject({
			high: 1000,
			at: { wall: Number.MAX_SAFE_INTEGER },
		});
	});

	test.each([
		['a newer version', { ...state, v: 4 }],
		['an unknown older version', { lastTimeChecked: 7 }],
		['a position that is not a number', { ...state, low: '1000' }],
		['a text', 'x'],
		['an empty object', {}],
	])('%s is refused', (_name, stored) => {
		expect(() => readState(stored)).toThrow(StateUnusable);
	});
});

describe('SeenKeys', () => {
	test('stores keys by second, joined, and a key of two seconds with the later one', () => {
		const seen = new SeenKeys({ '9': KEY });
		seen.add(OTHER, 4);
		seen.add(OTHER, 9);
		seen.add(OTHER, 5);
		expect([seen.has(KEY), seen.has(OTHER), seen.size]).toEqual([true, true, 2]);
		expect(seen.toRecord()).toEqual({ '9': KEY + OTHER });
		expect(splitKeys(KEY + OTHER)).toEqual([KEY, OTHER]);
	});

	test('removes whole seconds and single keys', () => {
		const seen = new SeenKeys({ '4': KEY, '5': OTHER });
		seen.forgetBefore(5);
		expect([seen.has(KEY), seen.has(OTHER)]).toEqual([false, true]);
		seen.forget(new Set([OTHER]));
		expect(seen.toRecord()).toEqual({});
	});

	test('removes the oldest seconds first, but never the newest one or those in the future', () => {
		const keys = (letter: string) => letter.repeat(12);
		const seen = new SeenKeys({ '1': keys('a'), '2': keys('b'), '3': keys('c'), '900': keys('d') });
		expect(seen.shrinkTo(4, 3)).toBeUndefined();
		expect(seen.shrinkTo(1, 3)).toBe(3);
		expect(seen.toRecord()).toEqual({ '3': keys('c'), '900': keys('d') });
	});
});
