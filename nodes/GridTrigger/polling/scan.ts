import { largerPage, smallerPage } from '../../../client/session/pagePlace';
import { MAX_PAGE_SIZE } from '../../../client/session/pageSizes';
import type { FeedEvent, FeedPage } from './feed';
import { secondOf } from './seenKeys';
import { timesOf } from './feedOrder';
import type { Pass, Scan } from './state';

export { MAX_PAGE_SIZE };

/**
 * Equal passes after which a reading ends although each lacks events that its pages count. Twice
 * the passes of a poll, so that the copies of the data have until the next poll to become equal.
 */
const MAX_DOUBTFUL_PASSES = 8;
/** Keeps the sum of a pass within the safe integers. */
const SUM_LIMIT = 2 ** 48;

export const EMPTY_PASS: Pass = { count: 0, sum: 0 };

/** A reading that starts at `low`, minus a millisecond for services that exclude `since` itself. */
export function scanFrom(
	low: number,
	{ reference, baseline, size }: { reference: number | undefined; baseline: boolean; size: number },
): Scan {
	return {
		since: low - 1,
		page: 1,
		...sized(size),
		...(reference === undefined ? {} : { reference }),
		...(baseline ? { baseline } : {}),
		current: EMPTY_PASS,
	};
}

const sized = (size: number) => (size < MAX_PAGE_SIZE ? { size } : {});

/**
 * The same place of a reading in smaller pages.
 * @param held number of members of a page that ended early
 */
export function smallerScan(scan: Scan, held: number | undefined): Scan {
	const { served, size = MAX_PAGE_SIZE, page, ...rest } = scan;
	const place = { page, size: Math.min(size, served ?? size) };
	const most = held === undefined ? undefined : powerOfTwoUpTo(held);
	return { ...rest, ...smallerPage(place, most), grownFrom: undefined };
}

/**
 * The intended position, if the service sends smaller pages than requested and so started
 * elsewhere. A service may state the requested size nevertheless.
 */
export function cappedScan(scan: Scan, page: FeedPage<FeedEvent>): Scan | undefined {
	const { served, size = MAX_PAGE_SIZE, page: number, grownFrom = size, ...rest } = scan;
	if (number === 1 || served !== undefined) return undefined;
	const { events, listed = events.length, pageSize: stated = size } = page;
	const proven = Math.max(1, Math.min(stated, listed < size ? grownFrom : size));
	if (proven >= size) return undefined;
	return { ...rest, ...smallerPage({ page: number, size }, proven), cap: proven };
}

const powerOfTwoUpTo = (number: number) => 2 ** Math.floor(Math.log2(Math.max(1, number)));

/** How a reading continues after a fully processed page. */
export type Step =
	/** Everything up to `passed` was read: the watermark may advance as far as that is complete. */
	| { kind: 'go'; scan: Scan; passed?: number }
	/** The feed was read to its end. */
	| { kind: 'end' }
	/** Entries moved while they were read: the pages are read again. */
	| { kind: 'again'; scan: Scan };

/** The page just read, with what is known about it. */
export interface Reading {
	page: FeedPage<FeedEvent>;
	/** Keys already met in this pass, to which those of the page are added (see `FeedOrder`). */
	counted: Set<string>;
	/** The page is the same as the one before it: the service ignores `pageIndex`. */
	repeated: boolean;
	ascending: boolean;
	/** Everything up to this time is complete: no more late events can appear (A1). */
	complete: number;
	/** Maximum page size of this reading. */
	size: number;
}

/** Decides how to continue after a page. Changes nothing but `reading.counted`. */
export function nextStep(scan: Scan, reading: Reading): Step {
	const { page, ascending, repeated } = reading;
	// A page whose entries are all hidden from this identity is empty, but others may follow.
	const more = page.more === 'yes' || (page.more === 'maybe' && page.events.length > 0 && !repeated);
	const passed = scan.expected === undefined ? {} : { passed: scan.since };
	const here = { ...scan, expected: undefined, before: undefined, from: undefined };
	// One page is consistent. Several pages may not be: only two equal passes prove that nothing
	// moved between them.
	if (!more) return atOneMoment(here) ? { kind: 'end' } : endPass(here, reading, undefined);
	if (!ascending || scan.sweep) return { kind: 'go', scan: turnPage(here, reading), ...passed };

	const last = Math.max(...timesOf(page.events));
	const target = last - 1;
	if (here.page === 1 && here.previous === undefined && target > here.since && page.total !== undefined) {
		const { total } = page;
		const left = total - page.events.filter(({ time }) => time === undefined || time <= target).length;
		const step = provenStep(stepTo(here, reading, target), { left, total, events: page.events });
		return { kind: 'go', scan: step, ...passed };
	}
	// Reads a block of equal times page by page, up to a later second, because a service may truncate
	// `since` to seconds.
	const until = here.until ?? (target >= endOfBlock(here.since) ? target : undefined);
	return until !== undefined && target >= until
		? endPass(here, reading, until)
		: { kind: 'go', scan: turnPage(here, reading), ...passed };
}

/**
 * Whether a step in time skipped nothing: the service counts at least the expected rest, fewer
 * events than before the step, and still sends the change that the step started from. It may count
 * events that `since` excludes, and may compare `since` with a time that is not shown.
 */
export function hasSkippedNothing(
	{ expected, before, from }: Scan,
	{ total, events }: FeedPage<FeedEvent>,
): boolean {
	if (expected === undefined) return true;
	if (from !== undefined && Math.min(...timesOf(events)) > from) return false;
	return total !== undefined && total >= expected && total < (before ?? Infinity);
}

/**
 * Whether all was read with one request. A second page that repeats the first proves nothing: new
 * changes that fill a page may have moved the first one there.
 */
const atOneMoment = (scan: Scan) => scan.previous === undefined && scan.page === 1;

/** The end of the second that contains the first millisecond after `since`. */
const endOfBlock = (since: number) => (secondOf(since + 1) + 1) * 1000;

const stepTo = (scan: Scan, { size }: Reading, since: number): Scan => ({
	since,
	page: 1,
	...sized(size),
	...(scan.reference === undefined ? {} : { reference: scan.reference }),
	...(scan.baseline ? { baseline: true } : {}),
	current: EMPTY_PASS,
});

/** A step in time with what its first page must show (see `hasSkippedNothing`). */
function provenStep(
	step: Scan,
	{ left, total, events }: { left: number; total: number; events: readonly FeedEvent[] },
): Scan {
	const proof = { expected: left, from: Math.max(...timesOf(events)) };
	return left < total ? { ...step, ...proof, before: total } : { ...step, ...proof };
}

function turnPage(scan: Scan, reading: Reading): Scan {
	const { page, size = MAX_PAGE_SIZE, ...rest } = scan;
	const { pageSize, events, listed = events.length } = reading.page;
	// The first page shows the page size that the service uses; it determines where the others start.
	const actual = page === 1 ? (pageSize ?? listed) : scan.served;
	const served = actual !== undefined && actual > 0 && actual < size ? { served: actual } : {};
	const isServed = size < MAX_PAGE_SIZE && Object.keys(served).length === 0;
	const next = isServed
		? largerPage({ page, size }, Math.min(reading.size, scan.cap ?? reading.size))
		: { page: page + 1, size };
	return {
		...rest,
		...served,
		page: next.page,
		...sized(next.size),
		grownFrom: next.size > size ? size : undefined,
		current: count(scan.current, reading, scan.until),
	};
}

function endPass(scan: Scan, reading: Reading, until: number | undefined): Step {
	const current = count(scan.current, reading, until ?? scan.until);
	const { previous } = scan;
	const end = until ?? scan.until;
	const isEqual = previous?.count === current.count && previous.sum === current.sum;
	const isDoubtful = isEqual && end === undefined && lacksCounted(previous) && lacksCounted(current);
	const doubtful = isDoubtful ? (scan.doubtful ?? 1) + 1 : undefined;
	if (isEqual && (doubtful === undefined || doubtful >= MAX_DOUBTFUL_PASSES)) {
		if (end === undefined) return { kind: 'end' };
		const { total = 0, events } = reading.page;
		const left = Math.max(0, total - (current.read ?? total));
		return { kind: 'go', scan: provenStep(stepTo(scan, reading, end), { left, total, events }) };
	}
	const place = { page: 1, served: undefined, ...sized(reading.size) };
	const again = { ...scan, size: undefined, ...place, current: EMPTY_PASS, previous: current, doubtful };
	return { kind: 'again', scan: until === undefined ? again : { ...again, until } };
}

/**
 * Whether a pass may have missed something: differing copies of the data have a change at different
 * positions, so that no page may contain it, or one of them lacks the feed and has no further page.
 * If the totals only grow, changes only move to later positions.
 */
const lacksCounted = ({ fell = false, distinct = 0, most = 0 }: Pass) => fell && distinct < most;

/**
 * Adds the complete part of this page; the rest may still get late events and is read again in the
 * next poll.
 */
function count(pass: Pass, { page, counted, complete }: Reading, until: number | undefined): Pass {
	const limit = Math.min(complete, until ?? Infinity);
	let { count: total, sum } = pass;
	const { events, listed = events.length } = page;
	// Totals do not count events outside the list.
	let distinct = (pass.distinct ?? 0) - Math.max(0, events.length - listed);
	const isUpTo = ({ time }: FeedEvent) => time === undefined || time <= (until ?? Infinity);
	const read = (pass.read ?? 0) + events.filter(isUpTo).length;
	for (const { key, time } of events) {
		if (counted.has(key)) continue;
		counted.add(key);
		distinct += 1;
		if (time !== undefined && time > limit) continue;
		total += 1;
		sum = (sum + numberOf(key)) % SUM_LIMIT;
	}
	const { most = 0 } = pass;
	const fell = pass.fell === true || page.isMissing === true || (page.total ?? most) < most;
	const announced = page.total ?? (page.more === 'yes' ? distinct + 1 : 0);
	const totals = { most: Math.max(most, announced), ...(fell ? { fell } : {}) };
	return { count: total, sum, read, distinct, ...totals };
}

/** A number below 2^48 from the first characters of a key, which is a hash. */
function numberOf(key: string): number {
	let number = 0;
	for (let index = 0; index < 8; index++) number = number * 64 + (key.charCodeAt(index) % 64);
	return number;
}
