import { aspect, type Settings } from '../aspect';

/**
 * §4 and §6 Gaps: neither the body of the updates feed nor the fields of a change event are shown.
 */
export const feed = aspect({
	shape: ['page', 'array'],
	entry: ['event', 'linked', 'nested', 'row'],
	ids: ['own', 'own _id', 'of the row', '_id of the row', 'none'],
	order: ['ascending', 'descending', 'unsorted'],
	kinds: ['plain', 'upper', 'dotted', 'unknown'],
	times: ['iso', 'offset', 'nanoseconds'],
	rowTimes: ['both', 'of creation only'],
	changes: ['list', 'by field', 'none'],
	since: ['inclusive', 'exclusive', 'of the second'],
	history: ['newest first', 'oldest first'],
	/** Milliseconds after its own time at which an event appears. */
	late: [0, 1500, 60_000],
	/** Milliseconds that the `Date` header is ahead of the events' clock. */
	date: [0, 40_000, -40_000],
});
export type Feed = Settings<typeof feed.dials>;
