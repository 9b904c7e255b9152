import type { Feed, FeedEvent, FeedPage } from '../../../../../nodes/GridTrigger/polling/feed';
import { poll, type PollRequest, type PollResult } from '../../../../../nodes/GridTrigger/polling/poll';
import { Remainders } from '../../../../../nodes/GridTrigger/polling/remainders';

const NOW = Date.UTC(2026, 2, 1, 12);

/** A feed with the newest events first and without counts. */
class NewestFirst implements Feed<FeedEvent> {
	requests = 0;
	private readonly events: FeedEvent[] = [];

	write(count: number): void {
		for (let index = 0; index < count; index++) {
			const number = this.events.length;
			this.events.unshift({ key: `event${String(number).padStart(7, '0')}`, time: NOW + number });
		}
	}

	async read(since: number, page: number): Promise<FeedPage<FeedEvent>> {
		this.requests += 1;
		const found = this.events.filter(({ time = 0 }) => time >= since);
		const events = found.slice((page - 1) * 5, page * 5);
		const more = page * 5 < found.length ? 'yes' : 'no';
		return await Promise.resolve({ events, more, date: NOW + this.events.length, took: 0 });
	}
}

type Result = PollResult<FeedEvent>;

const pollAgain = async (
	feed: NewestFirst,
	before: Result | undefined,
	changes: Partial<PollRequest<FeedEvent>> = {},
): Promise<Result> =>
	await poll({
		state: before?.state,
		left: before?.left,
		of: 'grid',
		feed,
		clock: { wall: () => NOW, isOver: () => false },
		lookback: 60_000,
		limit: 4,
		accepts: () => true,
		unreadable: (change) => change,
		...changes,
	});

const keysOf = ({ events }: Result) => events.map(({ event }) => Number(event.key.slice(5)));

async function afterBatch(): Promise<{ feed: NewestFirst; batch: Result }> {
	const feed = new NewestFirst();
	const begun = await pollAgain(feed, undefined);
	feed.write(20);
	const batch = await pollAgain(feed, begun);
	expect(keysOf(batch)).toEqual([0, 1, 2, 3]);
	return { feed, batch };
}

/** Returns the events that the polls after a batch emit. */
async function drained(
	feed: NewestFirst,
	batch: Result,
	changes: Partial<PollRequest<FeedEvent>> = {},
): Promise<number[]> {
	const emitted: number[] = [];
	let last = batch;
	for (let polls = 0; polls < 20; polls++) {
		last = await pollAgain(feed, last, changes);
		emitted.push(...keysOf(last));
	}
	expect(last).toMatchObject({ complete: true, left: undefined });
	return emitted;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test('events beyond the limit are emitted by the next polls without further requests', async () => {
	const { feed, batch } = await afterBatch();
	const requests = feed.requests;
	const next = await pollAgain(feed, batch);
	expect(keysOf(next)).toEqual([4, 5, 6, 7]);
	expect(feed.requests).toBe(requests);
	feed.write(3);
	expect(await drained(feed, next)).toEqual(numbers(8, 23));
});

test('another process without held events reads the feed again: nothing is lost or duplicated', async () => {
	const { feed, batch } = await afterBatch();
	expect(await drained(feed, { ...batch, left: undefined })).toEqual(numbers(4, 20));
});

test('a poll repeated from an older state duplicates none of its own events', async () => {
	const { feed, batch } = await afterBatch();
	const second = await pollAgain(feed, batch);
	expect(keysOf(await pollAgain(feed, batch))).toEqual(keysOf(second));
	expect(await drained(feed, { ...second, left: batch.left })).toEqual(numbers(8, 20));
});

test('the held events of another grid are not used', async () => {
	const { feed, batch } = await afterBatch();
	const other = await pollAgain(feed, batch, { of: 'other' });
	expect(other).toMatchObject({ events: [], left: undefined });
});

test('held events that the workflow does not select count as emitted', async () => {
	const { feed, batch } = await afterBatch();
	const accepts = ({ key }: FeedEvent) => key.endsWith('9');
	expect(await drained(feed, batch, { accepts })).toEqual([9, 19]);
});

test('at least once: the batch of a killed process is emitted again, then the rest', async () => {
	const { feed, batch } = await afterBatch();
	const first = await pollAgain(feed, batch, { atLeastOnce: { process: 'one' } });
	const again = await pollAgain(feed, { ...first, left: undefined }, { atLeastOnce: { process: 'two' } });
	expect(keysOf(again)).toEqual(keysOf(first));
	expect(again.events.every(({ redelivered }) => redelivered)).toBe(true);
	expect(await drained(feed, again, { atLeastOnce: { process: 'two' } })).toEqual(numbers(8, 20));
});

test('held events belong to the state stored with them, and at most ten triggers hold some', async () => {
	const { left } = (await afterBatch()).batch;
	const remainders = new Remainders<FeedEvent>();
	remainders.keep('first', 7, left);
	expect(remainders.of('first', 7)).toBe(left);
	expect(remainders.of('first', 6)).toBeUndefined();
	for (let other = 0; other < 10; other++) remainders.keep(`other ${other}`, 1, left);
	expect(remainders.of('first', 7)).toBeUndefined();
	expect(remainders.of('other 0', 1)).toBe(left);
	remainders.keep('other 0', 2, undefined);
	expect(remainders.of('other 0', 1)).toBeUndefined();
});
