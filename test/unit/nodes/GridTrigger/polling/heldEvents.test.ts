import type { FeedEvent } from '../../../../../nodes/GridTrigger/polling/feed';
import { HeldEvents } from '../../../../../nodes/GridTrigger/polling/heldEvents';

const MEGABYTE = 1024 * 1024;
const held = (limit: number, events: FeedEvent[], bytes = 1) => {
	const all = new HeldEvents(limit);
	for (const event of events) all.add(event, bytes, false);
	return all;
};
const keysOf = (all: HeldEvents<FeedEvent>) => all.release().events.map(({ event }) => event.key);
const leftKeysOf = (all: HeldEvents<FeedEvent>) => all.release().left.map(({ event }) => event.key);
const event = (key: string, time: number | undefined, members: Partial<FeedEvent> = {}): FeedEvent => ({
	key,
	time,
	...members,
});

test('keeps the oldest events, in whatever order they arrive, and those without a time last', () => {
	const all = held(2, [event('c', 3), event('none', undefined), event('a', 1), event('b', 2)]);
	expect(keysOf(all)).toEqual(['a', 'b']);
	expect(leftKeysOf(all)).toEqual(['c', 'none']);
	expect(all.hasDropped).toBe(false);
	expect(keysOf(held(9, [event('none', undefined), event('b', 2), event('a', 1)]))).toEqual([
		'a',
		'b',
		'none',
	]);
});

test('events with equal times keep the order of the feed, reversed if it lists the newest first', () => {
	const same = ['z', 'a', 'm'].map((key) => event(key, 1));
	expect(keysOf(held(9, same))).toEqual(['z', 'a', 'm']);
	const turned = held(9, same);
	turned.isDescending = true;
	expect(keysOf(turned)).toEqual(['m', 'a', 'z']);
});

test('for one row and time, a creation is first and a deletion last; other rows keep their positions', () => {
	const events = [
		event('deleted', 1, { row: 'r', kind: 'deleted' }),
		event('other', 1, { row: 's', kind: 'updated' }),
		event('updated', 1, { row: 'r', kind: 'updated' }),
		event('created', 1, { row: 'r', kind: 'created' }),
	];
	expect(keysOf(held(9, events))).toEqual(['created', 'other', 'updated', 'deleted']);
});

test('holds at most 64 MB, or one event of any size', () => {
	const events = Array.from({ length: 100 }, (_, index) => event(`e${index}`, 100 - index));
	const all = held(1000, events, MEGABYTE);
	expect(all.isFull).toBe(true);
	expect(keysOf(all)).toEqual(
		events
			.slice(36)
			.reverse()
			.map(({ key }) => key),
	);
	expect(keysOf(held(10, [event('huge', 1)], 100 * MEGABYTE))).toEqual(['huge']);
});

test('holds the oldest events for later polls, up to 10,000 or 8 MB, and records that newer ones are missing', () => {
	const events = Array.from({ length: 30_000 }, (_, index) => event(`e${index}`, 30_000 - index));
	const many = held(10, events);
	expect(leftKeysOf(many)).toEqual(
		events
			.slice(-10_010, -10)
			.reverse()
			.map(({ key }) => key),
	);
	expect(many.hasDropped).toBe(true);
	const large = held(1, events.slice(0, 20), MEGABYTE);
	expect(leftKeysOf(large)).toHaveLength(8);
	expect(large.hasDropped).toBe(true);
});
