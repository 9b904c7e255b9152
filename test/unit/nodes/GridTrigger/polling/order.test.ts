import type { FeedEvent } from '../../../../../nodes/GridTrigger/polling/feed';
import { poll } from '../../../../../nodes/GridTrigger/polling/poll';
import { begun, event, keysOf, NOW, request, Service } from './service';

describe('changes with the same time', () => {
	/** Starts a feed with pages of two changes with equal times, newest first and without counts. */
	const newestFirst = async (earlier: readonly FeedEvent[] = []) => {
		const feed = new Service();
		feed.events = [...earlier];
		feed.answer = (page, since) => {
			const shown = feed.events.filter(({ time = 0 }) => time >= since).reverse();
			const events = shown.slice((page - 1) * 2, page * 2);
			return { events, more: 'maybe', date: feed.now, took: 0 };
		};
		return { feed, state: await begun(feed) };
	};
	const pairAt = (number: number) => [
		event(number),
		{ ...event(number + 1), time: event(number).time, row: 'r' },
	];

	test('a feed that lists the newest first is reversed, also if the times differ only between pages', async () => {
		const { feed, state } = await newestFirst();
		feed.events = [...pairAt(1), ...pairAt(3)];
		const result = await poll(request(feed, state));
		expect(keysOf(result)).toEqual(feed.events.map(({ key }) => key));
	});

	test('the order is stored for polls in which all times are equal', async () => {
		const { feed, state } = await newestFirst([...pairAt(-9), ...pairAt(-7)]);
		feed.now += 3_600_000;
		const quiet = await poll(request(feed, state));
		const added = pairAt(3500);
		feed.events.push(...added);
		const result = await poll(request(feed, quiet.state));
		expect(keysOf(result)).toEqual(added.map(({ key }) => key));
	});

	test('changes left for later polls keep their order', async () => {
		const { feed, state } = await newestFirst();
		feed.events = [...pairAt(1), ...pairAt(3)];
		const first = await poll(request(feed, state, { limit: 1 }));
		const rest = await poll(request(feed, first.state, { left: first.left }));
		expect([...keysOf(first), ...keysOf(rest)]).toEqual(feed.events.map(({ key }) => key));
	});

	test('wherever a poll ends, the order is kept, also if it is proved while pages are read', async () => {
		for (let rises = 0; rises < 12; rises++)
			for (let end = 1; end <= 24; end++) {
				const feed = new Service();
				const begin = await begun(feed);
				feed.pageSize = 2;
				feed.events = [1, 1, 1, 1, 60, 61, 61, 62, 130, 130, 130, 130].map((second, index) => ({
					...event(index + 1),
					time: NOW + second * 1000,
				}));
				feed.now = NOW + 131_000;
				const last = feed.requests.length + end;
				const clock = { wall: () => feed.now, isOver: () => feed.requests.length >= last };
				const first = await poll(request(feed, { ...begin, rises }, { clock }));
				const second = await poll(request(feed, first.state, { left: first.left }));
				const third = await poll(request(feed, second.state, { left: second.left }));
				const emitted = [first, second, third].flatMap(keysOf);
				expect({ rises, end, emitted }).toEqual({ rises, end, emitted: feed.events.map(({ key }) => key) });
			}
	});

	test('a page of updates with one time does not show that they are the oldest', async () => {
		const feed = new Service();
		const state = await begun(feed);
		const rows = Array.from({ length: 120 }, (_, index) => `r${index}`);
		feed.events = ['created', 'updated'].flatMap((kind, turn) =>
			rows.map((row, index) => ({ ...event(turn * 120 + index), time: NOW + 1000, row, kind })),
		);
		feed.answer = (page) => {
			const events = [...feed.events].reverse().slice((page - 1) * 120, page * 120);
			return { events, more: page === 1 ? 'yes' : 'no', total: 240, date: feed.now, took: 0 };
		};
		const emitted: string[] = [];
		let last = await poll(request(feed, state, { limit: 50 }));
		for (let polls = 0; polls < 6; polls++) {
			emitted.push(...keysOf(last));
			last = await poll(request(feed, last.state, { limit: 50, left: last.left }));
		}
		expect(emitted).toEqual(feed.events.map(({ key }) => key));
	});

	test('a change that becomes visible between two passes is emitted in its position', async () => {
		const feed = new Service();
		const state = await begun(feed);
		feed.pageSize = 2;
		const [one, late, other] = [1, 2, 3].map((number) => ({ ...event(number), time: NOW + 1000 }));
		if (!one || !late || !other) throw new Error('No events');
		feed.answer = (page) => {
			feed.events = feed.requests.length > 3 ? [one, late, other] : [one, other];
			const events = feed.events.slice((page - 1) * 2, page * 2);
			return { events, more: 'maybe', date: feed.now, took: 0 };
		};
		expect(keysOf(await poll(request(feed, state)))).toEqual([one, late, other].map(({ key }) => key));
	});
});

test('no change is emitted after a step in time that may have skipped some', async () => {
	const feed = new Service();
	feed.events = Array.from({ length: 20 }, (_, index) => event(index - 400));
	const state = await begun(feed);
	expect(state.order).toBe('ascending');
	feed.now += 600_000;
	feed.pageSize = 4;
	feed.events = Array.from({ length: 16 }, (_, index) => event(index + 1));
	// The service compares `since` with a hidden time, so a step in time skips four changes.
	feed.answer = (page, since) => {
		const shown = feed.events.filter(({ time = 0 }) => since < NOW || time >= since + 4000);
		const events = shown.slice((page - 1) * 4, page * 4);
		const more = page * 4 < shown.length ? 'yes' : 'no';
		return { events, more, total: shown.length, date: feed.now, took: 0 };
	};
	const emitted: string[] = [];
	let last = await poll(request(feed, state, { limit: 2 }));
	for (let polls = 0; polls < 20; polls++) {
		emitted.push(...keysOf(last));
		last = await poll(request(feed, last.state, { limit: 2, left: last.left }));
	}
	expect(emitted).toEqual(feed.events.map(({ key }) => key));
});
