import { poll, type Memory, type PollRequest } from '../../../../../nodes/shared/feed/poll';
import { BadRequest, type PageRequest, ResponseTooLarge } from '../../../../../client';
import type { FeedEntry, FeedPage } from '../../../../../nodes/shared/feed/feed';
import { keyOf } from '../../../../../nodes/shared/feed/state';
import type { TriggerState } from '../../../../../nodes/shared/feed/state';
import { pageOf } from '../../../../fixtures/pageOf';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 15, 12);

/** An entry at a number of milliseconds after the start. */
const entry = (name: string, at: number, more: Partial<FeedEntry> = {}): FeedEntry => ({
	key: keyOf(name),
	isRow: false,
	time: START + at,
	row: name,
	kind: 'updated',
	...more,
});

/** The whole feed on one page. */
const counted = (items: FeedEntry[]) => pageOf(items, new URLSearchParams());

/** A trigger whose feed and clock a test sets. */
class Trigger {
	now = START;
	/** The whole feed, in its order. */
	feed: FeedEntry[] = [];
	pageSize = 1000;
	/** Called before each response; throws to fail the request. */
	before: (page: number, size: number) => void = () => undefined;
	requests = 0;
	/** How long each response takes. */
	took = 0;
	/** How far the clock of n8n is ahead of the service's. */
	ahead = 0;
	/** Whether the feed is a bare array. */
	isBare = false;
	/** Whether the service returns the first page whatever is requested. */
	ignoresPages = false;
	state: TriggerState | undefined;
	private memory: Memory<FeedEntry> | undefined;

	constructor(private readonly options: Partial<PollRequest<FeedEntry>> = {}) {}

	async poll(budget = 100) {
		const begun = this.requests;
		const result = await poll({
			state: this.state,
			memory: this.memory,
			of: 'grid',
			feed: { read: async (since, request) => await Promise.resolve(this.respond(since, request)) },
			clock: { wall: () => this.now + this.ahead, isOver: () => this.requests - begun >= budget },
			lookback: 2 * MINUTE,
			limit: 1000,
			accepts: () => true,
			...this.options,
		});
		if (result.hasProgress) this.state = result.state;
		this.memory = result.memory;
		return { ...result, rows: result.events.map(({ entry: { row } }) => row) };
	}

	private respond(since: number, { pageIndex: page, pageSize: size }: PageRequest): FeedPage<FeedEntry> {
		this.requests += 1;
		this.before(page, size);
		const served = Math.min(size, this.pageSize);
		const matching = this.feed.filter(({ time = Infinity }) => time >= since);
		const from = this.ignoresPages ? 0 : (page - 1) * served;
		const items = matching.slice(from, from + served);
		this.now += this.took;
		const facts = { items, bytes: 100, date: this.now, took: this.took };
		if (this.isBare) return facts;
		const query = new URLSearchParams({ pageIndex: String(page), pageSize: String(served) });
		return { ...facts, ...pageOf(matching, query) };
	}
}

async function activated(options: Partial<PollRequest<FeedEntry>> = {}): Promise<Trigger> {
	const trigger = new Trigger(options);
	expect((await trigger.poll()).rows).toEqual([]);
	trigger.now += MINUTE;
	return trigger;
}

const fail = () => {
	throw new Error('503');
};

test('a first poll that is too slow for what is there loses no row created after the activation', async () => {
	const trigger = new Trigger();
	trigger.pageSize = 2;
	// n8n's clock is right, so only what is dated after the request can be new.
	trigger.feed = ['a', 'b', 'c', 'd', 'e'].map((name) => entry(name, 0));
	expect((await trigger.poll(1)).rows).toEqual([]);
	trigger.now += MINUTE;
	trigger.feed.push(entry('new', MINUTE - 1));
	const rows = [...(await trigger.poll(1)).rows, ...(await trigger.poll(1)).rows];
	trigger.now += MINUTE;
	rows.push(...(await trigger.poll()).rows);
	expect(rows).toEqual(['new']);
});

test.each([
	['right', 0],
	['ahead', 5 * MINUTE],
])(
	'what the first page of a new trigger shows was there before (clock of n8n: %s)',
	async (_clock, ahead) => {
		const trigger = new Trigger();
		trigger.ahead = ahead;
		trigger.feed = [entry('ahead', 1000), entry('there', 0)];
		expect((await trigger.poll()).rows).toEqual([]);
		trigger.now += MINUTE;
		expect((await trigger.poll()).rows).toEqual([]);
	},
);

test.each([
	['newest first', (index: number) => 60 - index],
	['in no order', (index: number) => (index * 23) % 61],
])('a feed %s whose second page is refused emits nothing out of order', async (_order, at) => {
	const trigger = await activated();
	trigger.pageSize = 25;
	trigger.feed = Array.from({ length: 50 }, (_, index) => entry(`c${index}`, at(index) * 100, { row: 'r' }));
	trigger.before = (page) => (page === 2 ? fail() : undefined);
	const times: number[] = [];
	const take = async () => {
		for (const {
			entry: { time = 0 },
		} of (await trigger.poll()).events)
			times.push(time);
	};
	await take();
	trigger.before = () => undefined;
	await take();
	await take();
	expect(times).toHaveLength(50);
	expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('one reading fills a queue, and polls drain it without a request', async () => {
	const trigger = await activated({ limit: 2 });
	trigger.feed = [5, 4, 3, 2, 1].map((at) => entry(`c${at}`, at));
	const before = trigger.requests;
	const rows = [await trigger.poll(), await trigger.poll(), await trigger.poll()].map(
		(result) => result.rows,
	);
	expect(rows).toEqual([['c1', 'c2'], ['c3', 'c4'], ['c5']]);
	expect(trigger.requests - before).toBe(1);
});

test.each([
	['oldest', (index: number) => index],
	['newest', (index: number) => 44_999 - index],
])(
	'a long backlog, %s first, is read again, so that few of its changes are stored with each batch',
	async (_first, at) => {
		const trigger = await activated();
		trigger.feed = Array.from({ length: 45_000 }, (_, index) => entry(`c${at(index)}`, 1000 + at(index)));
		const rows: string[] = [];
		const stored: number[] = [];
		for (let polls = 0; polls < 46; polls++) {
			rows.push(...(await trigger.poll()).rows);
			stored.push(JSON.stringify(trigger.state).length);
			trigger.now += MINUTE;
		}
		expect(rows).toEqual(Array.from({ length: 45_000 }, (_, index) => `c${index}`));
		// Twelve bytes a key.
		expect(Math.max(...stored)).toBeLessThan(15_000 * 12);
		expect(stored.reduce((sum, bytes) => sum + bytes)).toBeLessThan(3_000_000);
		expect(trigger.requests).toBeLessThan(160);
	},
);

test('a long backlog of one moment is not read again, because none of it could be forgotten', async () => {
	const trigger = await activated();
	trigger.feed = Array.from({ length: 45_000 }, (_, index) => entry(`c${index}`, 1000));
	let events = 0;
	for (let polls = 0; polls < 46; polls++) {
		events += (await trigger.poll()).rows.length;
		trigger.now += MINUTE;
	}
	expect(events).toBe(45_000);
	// Each page once, and again once all is handled.
	expect(trigger.requests).toBeLessThanOrEqual(1 + 2 * 46);
});

test('a backlog that polls are too short to read again to its end is worked off', async () => {
	const trigger = await activated();
	trigger.feed = Array.from({ length: 30_000 }, (_, index) => entry(`c${index}`, 1000 + index));
	const rows: string[] = [];
	for (let polls = 0; polls < 60; polls++) {
		rows.push(...(await trigger.poll(5)).rows);
		trigger.now += 3 * MINUTE;
	}
	expect(rows).toEqual(Array.from({ length: 30_000 }, (_, index) => `c${index}`));
});

test('a backlog that is read again is worked off up to a page that always fails', async () => {
	const trigger = await activated();
	trigger.feed = Array.from({ length: 30_000 }, (_, index) => entry(`c${index}`, 1000 + index));
	trigger.before = (page) => (page === 25 ? fail() : undefined);
	const rows: string[] = [];
	for (let polls = 0; polls < 60; polls++) {
		rows.push(...(await trigger.poll()).rows);
		trigger.now += 3 * MINUTE;
	}
	expect(rows).toHaveLength(24_000);
});

test('of equal times a creation comes first and a deletion last, the others as the feed has them', async () => {
	const trigger = await activated();
	const all = (name: string, kind: FeedEntry['kind'], row: string) => entry(name, 5, { kind, row });
	trigger.feed = [
		all('1', 'deleted', 'a'),
		all('2', 'updated', 'b'),
		all('3', 'updated', 'a'),
		all('4', 'created', 'a'),
		all('5', 'updated', 'b'),
	];
	const { events } = await trigger.poll();
	expect(events.map(({ entry: { key } }) => key)).toEqual(['4', '2', '3', '1', '5'].map(keyOf));
});

test('an entry without a time is new although the clock seems to have gone back', async () => {
	const trigger = await activated();
	trigger.now -= MINUTE + 5000;
	trigger.feed = [entry('timeless', 0, { isRow: true, time: undefined })];
	expect((await trigger.poll()).rows).toEqual(['timeless']);
	expect((await trigger.poll()).rows).toEqual([]);
});

test('rows without a time hold the position until none of them is left', async () => {
	const trigger = await activated({ limit: 1 });
	const low = trigger.state?.low;
	trigger.now += 10 * MINUTE;
	trigger.feed = ['a', 'b'].map((name) => entry(name, 0, { isRow: true, time: undefined }));
	expect((await trigger.poll()).rows).toEqual(['a']);
	expect(trigger.state?.low).toBe(low);
	expect((await trigger.poll()).rows).toEqual(['b']);
	expect(trigger.state?.low).toBe(trigger.now - 2 * MINUTE);
});

test('as many changes are remembered as the maximum allows; the others follow after the lookback', async () => {
	const trigger = await activated({ maxima: { keys: 3, queue: 100 }, limit: 2 });
	trigger.feed = [1, 2, 3, 4].map((at) => entry(`c${at}`, at));
	expect((await trigger.poll()).rows).toEqual(['c1', 'c2']);
	const { rows, notes } = await trigger.poll();
	expect(rows).toEqual(['c3']);
	expect(notes).toEqual([expect.stringContaining('which is the maximum')]);
	trigger.now += 3 * MINUTE;
	expect((await trigger.poll()).rows).toEqual(['c4']);
});

test('a change during a slow response is emitted later, although the clock of n8n is ahead', async () => {
	const trigger = await activated();
	trigger.ahead = 10 * MINUTE;
	trigger.took = 5 * MINUTE;
	expect((await trigger.poll()).rows).toEqual([]);
	trigger.took = 0;
	trigger.feed = [entry('meanwhile', trigger.now - START - 4 * MINUTE)];
	expect((await trigger.poll()).rows).toEqual(['meanwhile']);
});

test('a row that moved out of sight in a growing feed of rows is emitted later', async () => {
	const trigger = await activated();
	trigger.now += 10 * MINUTE;
	trigger.pageSize = 2;
	const row = (name: string, at: number) => entry(name, at, { key: keyOf(`${name} ${at}`), isRow: true });
	trigger.feed = [row('a', 1), row('b', 2), row('c', 3), row('d', 4)];
	trigger.before = (page) => {
		if (page === 2) trigger.feed = [...trigger.feed.slice(1, 4), row('a', 9 * MINUTE), row('e', 9 * MINUTE)];
	};
	const rows = (await trigger.poll()).rows;
	expect(rows).not.toContain('c');
	trigger.before = () => undefined;
	expect((await trigger.poll()).rows).toEqual(['c']);
});

test('an entry that is not accepted is handled, too', async () => {
	const trigger = await activated({ accepts: ({ row }) => row === 'b', limit: 1 });
	trigger.feed = [entry('a', 1), entry('b', 2), entry('c', 3)];
	expect((await trigger.poll()).rows).toEqual(['b']);
	expect((await trigger.poll()).rows).toEqual([]);
});

test('a page that is too large, or of a size that the service refuses, is read in smaller pages', async () => {
	const trigger = await activated();
	trigger.feed = [entry('a', 1), entry('b', 2), entry('c', 3)];
	trigger.before = (_page, size) => {
		if (size > 300) throw new BadRequest({ status: 400 });
		if (size > 2) throw new ResponseTooLarge(1);
	};
	expect((await trigger.poll()).rows).toEqual(['a', 'b', 'c']);
	const before = trigger.requests;
	trigger.feed = [];
	trigger.before = () => undefined;
	await trigger.poll();
	expect(trigger.requests - before).toBe(1);
});

test('a change that is too large to be read alone is an error that names it', async () => {
	const trigger = await activated();
	trigger.feed = [entry('a', 1), entry('b', 2)];
	trigger.before = (page, size) => {
		if (size > 1 || page === 2) throw new ResponseTooLarge(1);
	};
	expect((await trigger.poll()).rows).toEqual([]);
	expect((await trigger.poll()).interruptedBy).toMatchObject({
		message: expect.stringContaining('Change 2 of the updates feed') as unknown,
	});
});

/** A feed of arrays of exactly the documented size, newest first. */
const arrays = (count: number, from = 0) =>
	Array.from({ length: 300 * count }, (_, index) => entry(`c${from + index}`, 10_000 - from - index));

test('an array that new entries push to the next page is read on', async () => {
	const trigger = await activated();
	trigger.isBare = true;
	trigger.feed = arrays(2);
	trigger.before = (page) => {
		if (page === 2 && trigger.feed.length === 600) trigger.feed.unshift(...arrays(1, -300));
	};
	expect((await trigger.poll(3)).rows).toEqual([]);
	trigger.before = () => undefined;
	expect((await trigger.poll()).rows).toHaveLength(600);
	expect((await trigger.poll()).rows).toHaveLength(300);
});

test('a service that returns the same array for each page has no more', async () => {
	const trigger = await activated();
	trigger.isBare = true;
	trigger.ignoresPages = true;
	trigger.feed = arrays(1);
	const before = trigger.requests;
	expect((await trigger.poll()).rows).toHaveLength(300);
	// One in the largest size, then the first array and two that repeat it.
	expect(trigger.requests - before).toBe(4);
});

test('an error of the first request leaves everything as it was', async () => {
	const trigger = await activated();
	trigger.feed = [entry('a', 1)];
	trigger.before = fail;
	const failed = await trigger.poll();
	expect(failed).toMatchObject({ hasProgress: false, rows: [], interruptedBy: new Error('503') });
	trigger.before = () => undefined;
	expect((await trigger.poll()).rows).toEqual(['a']);
});

test('neither a state nor the page size of another grid is used', async () => {
	const trigger = await activated();
	trigger.before = (_page, size) => {
		if (size > 300) throw new BadRequest({ status: 400 });
	};
	const { memory } = await trigger.poll();
	expect(memory.pages.size).toBe(300);
	const sizes: number[] = [];
	const other = await poll({
		state: trigger.state,
		memory,
		of: 'another grid',
		feed: {
			read: async (_since, { pageSize }) => {
				sizes.push(pageSize);
				return await Promise.resolve({
					...counted([entry('a', 1)]),
					bytes: 1,
					date: trigger.now,
					took: 0,
				});
			},
		},
		clock: { wall: () => trigger.now, isOver: () => false },
		lookback: 0,
		limit: 10,
		accepts: () => true,
	});
	expect(other.events).toEqual([]);
	expect(other.state).toMatchObject({ of: 'another grid', low: trigger.now });
	expect(sizes).toEqual([1000]);
});

test('"Start From" emits what changed since', async () => {
	const trigger = new Trigger({ startFrom: START - MINUTE });
	trigger.feed = [entry('before', -2 * MINUTE), entry('since', -1)];
	expect((await trigger.poll()).rows).toEqual(['since']);
});

test('a service without a Date header is refused at first, and later does not move the position', async () => {
	const undated = async () => await Promise.resolve({ ...counted([]), bytes: 1, took: 0 });
	const request = {
		of: 'grid',
		feed: { read: undated },
		clock: { wall: () => START, isOver: () => false },
		lookback: 0,
		limit: 10,
		accepts: () => true,
	};
	expect((await poll({ state: undefined, ...request })).interruptedBy).toMatchObject({
		message: expect.stringContaining('no usable Date header') as unknown,
	});
	const { state } = await activated();
	expect((await poll({ state, ...request })).state.low).toBe(state?.low);
});

test('clocks that differ by more than five minutes are reported', async () => {
	const trigger = await activated();
	expect((await trigger.poll()).notes).toEqual([]);
	const { state } = trigger;
	const { notes } = await poll({
		state,
		of: 'grid',
		feed: {
			read: async () => await Promise.resolve({ ...counted([]), bytes: 1, date: START, took: 0 }),
		},
		clock: { wall: () => START + 6 * MINUTE, isOver: () => false },
		lookback: 0,
		limit: 10,
		accepts: () => true,
	});
	expect(notes).toEqual([expect.stringContaining('differ by 6 minutes')]);
});

test('changes of a row that is not quiet are no news for the next poll', async () => {
	const merge = (entries: readonly FeedEntry[]) => entries.at(-1);
	const quiet = { wait: 10 * MINUTE, atMost: 15 * MINUTE, holds: () => true, merge };
	const trigger = await activated({ quiet });
	trigger.feed.push(entry('a', MINUTE));
	const news = [];
	for (let polls = 0; polls < 2; polls++) news.push((await trigger.poll()).hasNews);
	trigger.feed.push(entry('b', 2 * MINUTE));
	news.push((await trigger.poll()).hasNews);
	expect(news).toEqual([true, false, true]);
	trigger.now += 11 * MINUTE;
	expect((await trigger.poll()).rows).toEqual(['a', 'b']);
	expect((await trigger.poll()).rows).toEqual([]);
});
