import { largerPage, smallerPage } from '../../../client/session/pagePlace';
import { MAX_PAGE_SIZE } from '../../../client/resources/updates/feedPage';
import type { FeedEvent, FeedPage } from './feed';
import { secondOf } from './seenKeys';
import type { Pass, Scan, TriggerState } from './state';

export { MAX_PAGE_SIZE };

/**
 * So many neighbors must have risen in time, and none
 * fallen, before pages are taken to be in the order of time.
 */
const RISES_THAT_PROVE = 12;
/** Keeps the sum of a pass within what a number holds exactly. */
const SUM_LIMIT = 2 ** 48;

export const EMPTY_PASS: Pass = { count: 0, sum: 0 };

/**
 * A reading that starts at `low`. The step back of a millisecond
 * makes up for services that leave `since` itself out.
 */
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
 * @param held how many members a page that ended early has
 */
export function smallerScan(scan: Scan, held: number | undefined): Scan {
	const { served, size = MAX_PAGE_SIZE, page, ...rest } = scan;
	const place = { page, size: Math.min(size, served ?? size) };
	return { ...rest, ...smallerPage(place, held === undefined ? undefined : powerOfTwoUpTo(held)) };
}

/**
 * The place that was meant, if the service gives smaller
 * pages than asked for and so began elsewhere.
 */
export function cappedScan(scan: Scan, { pageSize }: FeedPage<FeedEvent>): Scan | undefined {
	const { served, size = MAX_PAGE_SIZE, page, ...rest } = scan;
	if (page === 1 || served !== undefined || pageSize === undefined || pageSize >= size) return undefined;
	return { ...rest, ...smallerPage({ page, size }, Math.max(1, pageSize)), cap: Math.max(1, pageSize) };
}

const powerOfTwoUpTo = (number: number) => 2 ** Math.floor(Math.log2(Math.max(1, number)));

/**
 * What this page tells about the order of the feed. Only neighbors on
 * one page count: it was made at one moment, while entries may move
 * between two pages. One fall is enough to know; a rise proves little.
 */
export function judgeOrder(
	events: readonly FeedEvent[],
	known: Pick<TriggerState, 'order' | 'rises'>,
): Pick<TriggerState, 'order' | 'rises'> {
	const times = timesOf(events);
	const falls = times.some((time, index) => time < (times[index - 1] ?? time));
	const risen = times.filter((time, index) => time > (times[index - 1] ?? time)).length;
	if (known.order === 'other') return { order: 'other', rises: 0 };
	// The newest first, as far as it is known: equal times are then the other way round as well.
	const isDescending = risen === 0 && known.rises === 0 && (falls || known.order === 'descending');
	if (isDescending) return { order: 'descending', rises: 0 };
	if (falls || known.order === 'descending') return { order: 'other', rises: 0 };
	const rises = known.rises + risen;
	return rises >= RISES_THAT_PROVE
		? { order: 'ascending', rises: RISES_THAT_PROVE }
		: { order: known.order, rises };
}

const timesOf = (events: readonly FeedEvent[]) =>
	events.flatMap(({ time }) => (time === undefined ? [] : [time]));

/** Where a reading goes after a page of which everything was taken. */
export type Step =
	/** Everything up to `passed` was read: the watermark may follow as far as that is complete. */
	| { kind: 'go'; scan: Scan; passed?: number }
	/** The feed was read to its end. */
	| { kind: 'end' }
	/** Entries moved while they were read: the pages are read once more. */
	| { kind: 'again'; scan: Scan }
	/** A step in time left events behind: the pages are not in the order of time after all. */
	| { kind: 'disordered' };

/** What is known of the page that was just read. */
export interface Reading {
	page: FeedPage<FeedEvent>;
	/**
	 * Keys of this pass that this poll has counted already;
	 * entries that move down a page are met twice.
	 */
	counted: Set<string>;
	/** The page is the same as the one before it: the service ignores `pageIndex`. */
	repeated: boolean;
	ascending: boolean;
	/** Everything up to this time is complete: late events cannot come any more (A1). */
	complete: number;
	/** The page size to begin with; no page of this reading is larger. */
	size: number;
}

/**
 * Decides where to go on after a page. Pure: the page, the
 * place and the knowledge come in, the next place goes out.
 */
export function nextStep(scan: Scan, reading: Reading): Step {
	const { page, ascending, repeated } = reading;
	// A page whose entries are all hidden from this identity is empty, whatever follows it.
	const more = page.more === 'yes' || (page.more === 'maybe' && page.events.length > 0 && !repeated);
	if (!isExpected(scan, page)) return { kind: 'disordered' };
	const passed = scan.expected === undefined ? {} : { passed: scan.since };
	const here = { ...scan, expected: undefined, before: undefined, from: undefined };

	if (!ascending || scan.sweep) {
		if (more) return { kind: 'go', scan: turnPage(here, reading), ...passed };
		// One page is made at one moment. Several are not: only two passes alike show that nothing
		// slipped through between them.
		return atOneMoment(here, repeated) ? { kind: 'end' } : endPass(here, reading, undefined);
	}

	const last = Math.max(...timesOf(page.events));
	if (!more) return atOneMoment(here, repeated) ? { kind: 'end' } : endPass(here, reading, undefined);
	const target = last - 1;
	if (here.page === 1 && here.previous === undefined && target > here.since && page.total !== undefined) {
		const { total } = page;
		const left = total - page.events.filter(({ time }) => time === undefined || time <= target).length;
		const step = { ...stepTo(here, reading, target), expected: left, from: last };
		return { kind: 'go', scan: left < total ? { ...step, before: total } : step, ...passed };
	}
	// A block of equal times, or of one second where the service
	// cuts `since` to seconds: by pages, up to a later second.
	const until = here.until ?? (target >= endOfBlock(here.since) ? target : undefined);
	return until !== undefined && target >= until
		? endPass(here, reading, until)
		: { kind: 'go', scan: turnPage(here, reading), ...passed };
}

/**
 * Whether a step in time left nothing behind: the service counts what must be left, no longer
 * counts what was stepped over, and still sends the change that the step was made from. It may
 * count what `since` holds back, and `since` may go by another time than the one shown.
 */
function isExpected({ expected, before, from }: Scan, { total, events }: FeedPage<FeedEvent>): boolean {
	if (expected === undefined) return true;
	if (from !== undefined && Math.min(...timesOf(events)) > from) return false;
	return total !== undefined && total >= expected && total < (before ?? Infinity);
}

const atOneMoment = (scan: Scan, repeated: boolean) =>
	scan.previous === undefined && (scan.page === 1 || (scan.page === 2 && repeated));

/** The first moment of the second after the one that the events after `since` stand in. */
const endOfBlock = (since: number) => (secondOf(since + 1) + 1) * 1000;

const stepTo = (scan: Scan, { size }: Reading, since: number): Scan => ({
	since,
	page: 1,
	...sized(size),
	...(scan.reference === undefined ? {} : { reference: scan.reference }),
	...(scan.baseline ? { baseline: true } : {}),
	current: EMPTY_PASS,
});

function turnPage(scan: Scan, reading: Reading): Scan {
	const { page, size = MAX_PAGE_SIZE, ...rest } = scan;
	const { pageSize, events, listed = events.length } = reading.page;
	// What the service makes of the size shows on the first
	// page; pages of another size begin elsewhere.
	const told = page === 1 ? (pageSize ?? listed) : scan.served;
	const served = told !== undefined && told > 0 && told < size ? { served: told } : {};
	const isServed = size < MAX_PAGE_SIZE && Object.keys(served).length === 0;
	const next = isServed
		? largerPage({ page, size }, Math.min(reading.size, scan.cap ?? reading.size))
		: { page: page + 1, size };
	return {
		...rest,
		...served,
		page: next.page,
		...sized(next.size),
		current: count(scan.current, reading, scan.until),
	};
}

function endPass(scan: Scan, reading: Reading, until: number | undefined): Step {
	const current = count(scan.current, reading, until ?? scan.until);
	const { previous } = scan;
	const end = until ?? scan.until;
	if (previous && previous.count === current.count && previous.sum === current.sum)
		return end === undefined
			? { kind: 'end' }
			: { kind: 'go', scan: stepTo(scan, reading, end), passed: end };
	const place = { page: 1, served: undefined, ...sized(reading.size) };
	const again = { ...scan, size: undefined, ...place, current: EMPTY_PASS, previous: current };
	return { kind: 'again', scan: until === undefined ? again : { ...again, until } };
}

/**
 * Adds what is complete on this page: late events may still
 * join the others, and those are read again next time anyway.
 */
function count(pass: Pass, { page, counted, complete }: Reading, until: number | undefined): Pass {
	const limit = Math.min(complete, until ?? Infinity);
	let { count: total, sum } = pass;
	for (const { key, time } of page.events) {
		if ((time !== undefined && time > limit) || counted.has(key)) continue;
		counted.add(key);
		total += 1;
		sum = (sum + numberOf(key)) % SUM_LIMIT;
	}
	return { count: total, sum };
}

/**
 * A number below 2^48 from the first characters of a key,
 * which are evenly spread as they come from a hash.
 */
function numberOf(key: string): number {
	let number = 0;
	for (let index = 0; index < 8; index++) number = number * 64 + (key.charCodeAt(index) % 64);
	return number;
}
