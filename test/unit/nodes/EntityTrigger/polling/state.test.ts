import { readState, stateOf, StateUnusable } from '../../../../../nodes/shared/feed/state';

const state = stateOf({ of: 'grid', low: 1000, seen: { '1': 'abcdefghijkl' } });
const pending = { process: 'p', keys: 'abcdefghijkl', low: 900 };

test('a state is read as it was stored', () => {
	const whole = { ...state, first: { until: 5 }, pending, again: { '1': 'aaaaaaaaaaaa' } };
	expect(readState(JSON.parse(JSON.stringify(whole)))).toEqual({ state: whole, mended: [] });
});

test.each([undefined, null])('%p is no state', (stored) => {
	expect(readState(stored)).toBeUndefined();
});

test.each<[string, object, string[]]>([
	['seen', { seen: 'broken' }, ['seen']],
	['keys of another length', { seen: { '1': 'abc' } }, ['seen']],
	['pending', { pending: { process: 1 } }, ['pending']],
	['members', { members: [] }, ['members']],
])('a damaged part is omitted: %s', (_name, damage, mended) => {
	expect(readState({ ...state, ...damage })).toMatchObject({ state: { low: 1000 }, mended });
});

test.each<[string, unknown, string]>([
	['its position is lost', { ...state, low: null }, 'cannot be read'],
	['it is something else', 'text', 'cannot be read'],
	['a newer version wrote it', { ...state, v: 2 }, 'newer version'],
])('it is refused if %s', (_name, stored, message) => {
	expect(() => readState(stored)).toThrow(StateUnusable);
	expect(() => readState(stored)).toThrow(message);
});
