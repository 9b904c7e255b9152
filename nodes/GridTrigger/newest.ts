import { InvalidInput } from '../../client/errors';
import type { Feed, FeedPage } from './feed';
import type { ChangeEvent } from './source';

const HOUR = 3_600_000;
/** How far "Fetch Test Event" looks back, one after the other: the newest are wanted, and a short time is read quickly. */
const SPANS = [HOUR, 24 * HOUR, 30 * 24 * HOUR, 365 * 24 * HOUR, 20 * 365 * 24 * HOUR];
/** So many events are shown at most. */
const MOST_SHOWN = 10;

/**
 * The newest events that the workflow wants, oldest first, for a look at the data. No cursor is read or moved.
 * @param now milliseconds since 1970, roughly
 * @throws InvalidInput with a sentence for the user, where there are none
 */
export async function newestEvents(
	feed: Feed<ChangeEvent>,
	now: number,
	accepts: (event: ChangeEvent) => boolean,
): Promise<ChangeEvent[]> {
	let total = 0;
	for (const span of SPANS) {
		const since = Math.max(0, now - span);
		const first = await feed.read(since, 1);
		const last = lastPage(first);
		const pages = last > 1 ? [first, await feed.read(since, last)] : [first];
		const found = new Map(pages.flatMap(({ events }) => events.map((event) => [event.key, event] as const)));
		total = Math.max(total, found.size);
		const wanted = [...found.values()].filter(accepts).sort((a, b) => (a.time ?? 0) - (b.time ?? 0));
		if (wanted.length > 0) return wanted.slice(-MOST_SHOWN);
	}
	throw total === 0
		? new InvalidInput(
				'This grid has no changes yet, so there is no event to show',
				'Add or change a row of the grid, then fetch a test event again.',
			)
		: new InvalidInput(
				'None of the latest changes of this grid is of the kind that this trigger listens to',
				'Change a row in a way that matches "Events" and "Watched Columns", then fetch a test event again.',
			);
}

/** Most feeds put the newest last, some put it first: both ends are looked at. */
function lastPage({ events, total, more }: FeedPage<ChangeEvent>): number {
	return more !== 'yes' || total === undefined || events.length === 0 ? 1 : Math.ceil(total / events.length);
}
