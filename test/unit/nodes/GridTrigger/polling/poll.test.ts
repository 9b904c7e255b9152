import {
	FeedUnusable,
	PageTooLarge,
	type Feed,
	type FeedEvent,
} from '../../../../../nodes/GridTrigger/polling/feed';
import { poll } from '../../../../../nodes/GridTrigger/polling/poll';
import { begun, event, keysOf, LOOKBACK, NOW, request, Service } from './service';

test('starts now: existing changes count as seen', async () => {
	const feed = new Service();
	feed.events = [event(-5)];
	const first = await poll(request(feed));
	expect(first).toMatchObject({ events: [], complete: true, state: { v: 3, of: 'grid' } });
	feed.events.push(event(1));
	expect(keysOf(await poll(request(feed, first.state)))).toEqual([event(1).key]);
});

test('does not modify the given state', async () => {
	const feed = new Service();
	const state = await begun(feed);
	const before = JSON.stringify(state);
	feed.events.push(event(1), event(2));
	await poll(request(feed, state));
	expect(JSON.stringify(state)).toBe(before);
});

test('requests one page if nothing has changed', async () => {
	const feed = new Service();
	const state = await begun(feed);
	feed.requests.length = 0;
	await poll(request(feed, state));
	expect(feed.requests).toHaveLength(1);
});

test('low follows the time of the service while nothing changes', async () => {
	const feed = new Service();
	const state = await begun(feed);
	feed.now += 3_600_000;
	const later = await poll(request(feed, state));
	expect(later.state.low).toBe(NOW + 3_600_000 - 1000 - LOOKBACK);
	expect(later.state.seen).toEqual({});
});

test('low does not move if only the Date header jumps ahead', async () => {
	const feed = new Service();
	const state = await begun(feed);
	const wall = feed.now;
	feed.now += 86_400_000;
	const later = await poll(request(feed, state, { clock: { wall: () => wall, isOver: () => false } }));
	expect(later.state.low).toBeLessThan(NOW);
});

test('events that the workflow does not select count as emitted, and not towards the limit', async () => {
	const feed = new Service();
	const state = await begun(feed);
	feed.events = [event(1), event(2), event(3)];
	const wanted = event(3).key;
	const result = await poll(request(feed, state, { limit: 1, accepts: ({ key }) => key === wanted }));
	expect(keysOf(result)).toEqual([wanted]);
	expect(keysOf(await poll(request(feed, result.state)))).toEqual([]);
});

test('a state of another grid is not used', async () => {
	const feed = new Service();
	const state = await begun(feed);
	feed.events = [event(1)];
	expect(keysOf(await poll(request(feed, { ...state, of: 'another grid' })))).toEqual([]);
});

test('beyond the maximum number of keys, low is raised with a note, but only after a complete reading', async () => {
	const feed = new Service();
	const state = await begun(feed);
	feed.now += 60_000;
	feed.events = Array.from({ length: 50 }, (_, index) => event(index + 1));
	const cut = await poll(request(feed, state, { maxKeys: 10, limit: 30 }));
	expect(cut).toMatchObject({ complete: false, notes: [] });
	const through = await poll(request(feed, cut.state, { maxKeys: 10 }));
	expect(through.notes).toHaveLength(1);
	expect(Object.keys(through.state.seen)).toHaveLength(10);
	expect(keysOf(await poll(request(feed, through.state, { maxKeys: 10 })))).toEqual([]);
});

test('events read before an error are emitted, and the next poll continues', async () => {
	const feed = new Service();
	feed.pageSize = 20;
	const state = await begun(feed);
	feed.events = Array.from({ length: 30 }, (_, index) => event(index + 1));
	const failing: Feed<FeedEvent> = {
		read: async (since, page) =>
			feed.requests.length > 1 ? await Promise.reject(new Error('503')) : await feed.read(since, page),
	};
	feed.requests.length = 0;
	feed.requests.push({ since: 0, page: 0 });
	const cut = await poll({ ...request(feed, state), feed: failing });
	expect(cut.events).toHaveLength(20);
	expect(cut.interruptedBy).toEqual(new Error('503'));
	const rest = await poll(request(feed, cut.state));
	expect(keysOf(rest)).toEqual(feed.events.slice(20).map(({ key }) => key));
});

test('throws an error that occurs before anything was read', async () => {
	const feed = new Service();
	const state = await begun(feed);
	const broken: Feed<FeedEvent> = { read: async () => await Promise.reject(new Error('503')) };
	await expect(poll({ ...request(feed, state), feed: broken })).rejects.toThrow('503');
});

test('a service that sends the same page for every number causes an error, not an endless loop', async () => {
	const feed = new Service();
	const state = await begun(feed);
	feed.answer = () => ({ events: [event(1), event(2)], more: 'yes', date: feed.now, took: 0 });
	const circle = poll(request(feed, state, { accepts: () => false }));
	await expect(circle).rejects.toThrow(FeedUnusable);
	expect(feed.requests.length).toBeLessThan(20);
});

test('an empty page does not end the feed if more pages are counted', async () => {
	const feed = new Service();
	const state = await begun(feed);
	const pages = [[event(1)], [], [event(2)]];
	feed.answer = (page) => ({
		events: pages[page - 1] ?? [],
		more: page < pages.length ? 'yes' : 'no',
		date: feed.now,
		took: 0,
	});
	const result = await poll(request(feed, state));
	expect(result.complete).toBe(true);
	expect(keysOf(result)).toEqual([event(1).key, event(2).key]);
});

test('requests only a few empty pages from a service that also counts changes before since', async () => {
	const feed = new Service();
	const state = await begun(feed);
	const isShown = (page: number, since: number) => page === 1 && since < NOW + 1000;
	feed.answer = (page, since) => ({
		events: isShown(page, since) ? [event(1)] : [],
		more: 'yes',
		date: feed.now,
		took: 0,
	});
	feed.requests.length = 0;
	const result = await poll(request(feed, state));
	expect(result.complete).toBe(true);
	expect(keysOf(result)).toEqual([event(1).key]);
	expect(feed.requests.length).toBeLessThan(50);
});

test('does not start without a Date header, and reports why', async () => {
	const feed = new Service();
	feed.answer = () => ({ events: [], more: 'no', took: 0 });
	await expect(begun(feed)).rejects.toThrow('no usable Date header');
});

describe('at least once', () => {
	const first = { atLeastOnce: { process: 'first' } };
	const second = { atLeastOnce: { process: 'second' } };

	test('another process emits the last batch again, marked, and then new events', async () => {
		const feed = new Service();
		const state = await begun(feed, first);
		feed.events = [event(1), event(2)];
		const lost = await poll(request(feed, state, first));
		feed.events.push(event(3));
		const again = await poll(request(feed, lost.state, second));
		expect(again.events.map(({ event: { key }, redelivered }) => [key, redelivered])).toEqual([
			[event(1).key, true],
			[event(2).key, true],
			[event(3).key, false],
		]);
		expect(keysOf(await poll(request(feed, again.state, second)))).toEqual([]);
	});

	test('a batch of a larger burst is emitted again', async () => {
		const feed = new Service();
		feed.pageSize = 20;
		const state = await begun(feed, first);
		feed.now += 3_600_000;
		feed.events = Array.from({ length: 100 }, (_, index) => event(index + 1));
		const one = await poll(request(feed, state, { ...first, limit: 30 }));
		const two = await poll(request(feed, one.state, { ...first, limit: 30 }));
		const again = await poll(request(feed, two.state, { ...second, limit: 30 }));
		expect(keysOf(again)).toEqual(keysOf(two));
		const rest = await poll(request(feed, again.state, second));
		expect(keysOf(rest)).toEqual(feed.events.slice(60).map(({ key }) => key));
	});

	test('a batch for which the other process needs several polls is emitted again', async () => {
		const feed = new Service();
		const state = await begun(feed, first);
		feed.events = Array.from({ length: 30 }, (_, index) => event(index + 1));
		const lost = await poll(request(feed, state, first));
		const some = await poll(request(feed, lost.state, { ...second, limit: 10 }));
		const rest = await poll(request(feed, some.state, second));
		expect([...keysOf(some), ...keysOf(rest)]).toEqual(keysOf(lost));
		expect([...some.events, ...rest.events].every(({ redelivered }) => redelivered)).toBe(true);
		expect(rest.state.unconfirmed).toBeUndefined();
	});

	test('a batch that the feed shows some polls later is emitted again', async () => {
		const feed = new Service();
		const state = await begun(feed, first);
		feed.events = [event(1), event(2)];
		const lost = await poll(request(feed, state, first));
		const all = feed.events;
		feed.events = all.slice(0, 1);
		const some = await poll(request(feed, lost.state, second));
		feed.events = [];
		const none = await poll(request(feed, some.state, second));
		feed.events = all;
		const rest = await poll(request(feed, none.state, second));
		expect([some, none, rest].map(({ complete }) => complete)).toEqual([true, true, true]);
		expect([some, none, rest].map(({ events }) => events)).toEqual([
			[{ event: event(1), redelivered: true }],
			[],
			[{ event: event(2), redelivered: true }],
		]);
		expect(rest.state.unconfirmed).toBeUndefined();
	});

	test('a batch that does not appear again is discarded with the keys before low', async () => {
		const feed = new Service();
		const state = await begun(feed, first);
		feed.events = [event(1)];
		const lost = await poll(request(feed, state, first));
		feed.events = [];
		const waiting = await poll(request(feed, lost.state, second));
		expect(waiting.state.unconfirmed).toEqual({ [NOW / 1000 + 1]: event(1).key });
		feed.now += LOOKBACK + 60_000;
		const later = await poll(request(feed, waiting.state, second));
		expect(later.state.low).toBeGreaterThan(NOW + 2000);
		const last = await poll(request(feed, later.state, second));
		expect(last.state.unconfirmed).toBeUndefined();
	});

	test('the placeholder of a change that is too large is emitted again', async () => {
		const feed = new Service();
		const state = await begun(feed, first);
		feed.events = [event(1), event(2), event(3)];
		const large = event(2).key;
		const limited: Feed<FeedEvent> = {
			read: async (since, page, size) => {
				feed.pageSize = size;
				const answer = await feed.read(since, page);
				if (answer.events.some(({ key }) => key === large)) throw new PageTooLarge();
				return answer;
			},
		};
		const lost = await poll({ ...request(feed, state, first), feed: limited });
		expect(lost.events).toHaveLength(3);
		const again = await poll({ ...request(feed, lost.state, second), feed: limited });
		expect(again.events.map(({ redelivered }) => redelivered)).toEqual([true, true, true]);
		expect(keysOf(again)).toEqual(keysOf(lost));
		expect(keysOf(await poll({ ...request(feed, again.state, second), feed: limited }))).toEqual([]);
	});

	test('the same process discards the batch with its next poll', async () => {
		const feed = new Service();
		const state = await begun(feed, first);
		feed.events = [event(1)];
		const emitted = await poll(request(feed, state, first));
		expect(emitted.state.pending?.keys).toBe(event(1).key);
		const next = await poll(request(feed, emitted.state, first));
		expect(next).toMatchObject({ events: [] });
		expect(next.state.pending).toBeUndefined();
	});
});

describe('a page that the service does not have (404)', () => {
	/** Eight changes on two pages; the second one is missing for the given number of requests. */
	async function feedWithout(missing: number, counts: { total?: number }) {
		const feed = new Service();
		const state = await begun(feed);
		feed.now += 3_600_000;
		const events = Array.from({ length: 8 }, (_, index) => event(8 - index));
		feed.answer = (page, since) => {
			const rest = { date: feed.now, took: 0 };
			if (since > NOW + 8000) return { events: [], more: 'no', total: 0, ...rest };
			if (page === 1) return { events: events.slice(0, 4), more: 'yes', ...counts, ...rest };
			return missing-- > 0
				? { events: [], more: 'no', isMissing: true, took: 0 }
				: { events: events.slice(4), more: 'no', ...counts, ...rest };
		};
		return { feed, state };
	}

	test.each([
		['counted', { total: 8 }],
		['announced', {}],
	])('hides no change that is %s: it is emitted when the page is there', async (_how, counts) => {
		const { feed, state } = await feedWithout(4, counts);
		const first = await poll(request(feed, state));
		expect(first.events).toHaveLength(4);
		expect((await poll(request(feed, first.state))).events).toHaveLength(4);
	});

	test('is the end if it stays missing', async () => {
		const { feed, state } = await feedWithout(Infinity, { total: 8 });
		const first = await poll(request(feed, state));
		const second = await poll(request(feed, first.state));
		expect([first, second]).toMatchObject([{ complete: false }, { complete: true, events: [] }]);
	});
});
