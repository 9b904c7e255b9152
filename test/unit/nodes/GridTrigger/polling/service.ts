import type { Feed, FeedEvent, FeedPage } from '../../../../../nodes/GridTrigger/polling/feed';
import { poll, type PollRequest } from '../../../../../nodes/GridTrigger/polling/poll';
import type { TriggerState } from '../../../../../nodes/GridTrigger/polling/state';

export const NOW = Date.UTC(2026, 2, 1, 12);
export const LOOKBACK = 120_000;

export const event = (number: number, time: number | undefined = NOW + number * 1000): FeedEvent => ({
	key: `event${String(number).padStart(7, '0')}`,
	time,
});

/** A feed of ascending pages; `now` is the time of the service. */
export class Service implements Feed<FeedEvent> {
	events: FeedEvent[] = [];
	now = NOW;
	pageSize = 100;
	readonly requests: Array<{ since: number; page: number }> = [];
	answer?: (page: number, since: number) => FeedPage<FeedEvent>;

	read(since: number, page: number): Promise<FeedPage<FeedEvent>> {
		this.requests.push({ since, page });
		if (this.answer) return Promise.resolve(this.answer(page, since));
		const found = this.events.filter(({ time = 0 }) => time >= since);
		const events = found.slice((page - 1) * this.pageSize, page * this.pageSize);
		const more = page * this.pageSize < found.length ? 'yes' : 'no';
		return Promise.resolve({ events, more, total: found.length, date: this.now, took: 0 });
	}
}

export const request = (
	feed: Service,
	state?: TriggerState,
	changes: Partial<PollRequest<FeedEvent>> = {},
): PollRequest<FeedEvent> => ({
	state,
	of: 'grid',
	feed,
	clock: { wall: () => feed.now, isOver: () => false },
	lookback: LOOKBACK,
	limit: 1000,
	accepts: () => true,
	unreadable: (change) => change,
	...changes,
});

export async function begun(
	feed: Service,
	changes: Partial<PollRequest<FeedEvent>> = {},
): Promise<TriggerState> {
	return (await poll(request(feed, undefined, changes))).state;
}

export const keysOf = (result: { events: Array<{ event: FeedEvent }> }) =>
	result.events.map(({ event: { key } }) => key);
