import type { FeedEvent, FeedPage } from '../../../../../nodes/GridTrigger/polling/feed';
import { judgeOrder } from '../../../../../nodes/GridTrigger/polling/feedOrder';
import {
	cappedScan,
	EMPTY_PASS,
	hasSkippedNothing,
	nextStep,
	scanFrom,
	smallerScan,
	type Reading,
	type Step,
} from '../../../../../nodes/GridTrigger/polling/scan';
import type { Scan } from '../../../../../nodes/GridTrigger/polling/state';

const LOW = 100_000;
const SIZE = 1000;

const eventAt = (time: number | undefined, name = String(time)): FeedEvent => ({
	key: name.padEnd(12, 'x'),
	time,
});
const page = (
	times: Array<number | undefined>,
	rest: Partial<FeedPage<FeedEvent>> = {},
): FeedPage<FeedEvent> => ({
	events: times.map((time, index) => eventAt(time, `${time ?? ''}-${index}`)),
	more: 'yes',
	took: 0,
	...rest,
});
const reading = (read: FeedPage<FeedEvent>, rest: Partial<Reading> = {}): Reading => ({
	page: read,
	counted: new Set(),
	repeated: false,
	ascending: false,
	complete: Infinity,
	size: SIZE,
	...rest,
});
const begun = scanFrom(LOW, { reference: 500_000, baseline: false, size: SIZE });

function scanOf(step: Step): Scan {
	if (!('scan' in step)) throw new Error(`The reading ended: ${step.kind}`);
	return step.scan;
}

test('a reading starts a millisecond before low, because a service may exclude `since` itself', () => {
	expect(begun).toEqual({ since: LOW - 1, page: 1, reference: 500_000, current: EMPTY_PASS });
	expect(scanFrom(LOW, { reference: undefined, baseline: true, size: 50 })).toEqual({
		since: LOW - 1,
		page: 1,
		size: 50,
		baseline: true,
		current: EMPTY_PASS,
	});
});

describe('the order of the feed', () => {
	const unknown = { order: 'unknown' as const, rises: 0 };
	const judge = (times: number[], known: Parameters<typeof judgeOrder>[1] = unknown) =>
		judgeOrder(
			times.map((time) => eventAt(time)),
			known,
		);
	const rising = Array.from({ length: 13 }, (_, index) => index);

	test('twelve rises prove an ascending order, also over several pages', () => {
		expect(judge(rising.slice(0, 12))).toEqual({ order: 'unknown', rises: 11 });
		expect(judge(rising)).toEqual({ order: 'ascending', rises: 12 });
		expect(judge([1, 2], { order: 'unknown', rises: 11 })).toEqual({ order: 'ascending', rises: 12 });
	});

	test('a fall without a rise means newest first; rises and falls together mean no order', () => {
		expect(judge([3, 2, 2, 1])).toEqual({ order: 'descending', rises: 0 });
		expect(judge([7], { order: 'descending', rises: 0 })).toEqual({ order: 'descending', rises: 0 });
		expect(judge([1, 2], { order: 'descending', rises: 0 })).toEqual({ order: 'other', rises: 0 });
		expect(judge([1, 3, 2])).toEqual({ order: 'other', rises: 0 });
		expect(judge([...rising, 1], { order: 'ascending', rises: 12 })).toEqual({ order: 'other', rises: 0 });
		expect(judge(rising, { order: 'other', rises: 0 })).toEqual({ order: 'other', rises: 0 });
	});

	test('equal and missing times prove nothing', () => {
		expect(judge([5, 5, 5])).toEqual(unknown);
		expect(judgeOrder([eventAt(2), eventAt(undefined), eventAt(3)], unknown).rises).toBe(1);
	});
});

describe('pages in no order', () => {
	test('a feed of one page ends with this page', () => {
		expect(nextStep(begun, reading(page([2, 1], { more: 'no' })))).toEqual({ kind: 'end' });
		expect(nextStep(begun, reading(page([], { more: 'maybe' })))).toEqual({ kind: 'end' });
	});

	test('an empty page does not end the reading if more pages are counted', () => {
		expect(nextStep(begun, reading(page([], { more: 'yes' })))).toMatchObject({ scan: { page: 2 } });
	});

	test('several pages are read until two passes are equal', () => {
		const first = scanOf(nextStep(begun, reading(page([5, 1]))));
		expect(first).toMatchObject({ page: 2, current: { count: 2 } });
		const last = reading(page([4], { more: 'no' }));
		const again = nextStep(first, { ...last, counted: new Set() });
		expect(again).toMatchObject({ kind: 'again', scan: { page: 1, previous: { count: 3 } } });
		const second = scanOf(nextStep(scanOf(again), reading(page([5, 1]))));
		expect(nextStep(second, { ...last, counted: new Set() })).toEqual({ kind: 'end' });
		const moved = reading(page([3], { more: 'no' }));
		expect(nextStep(second, moved)).toMatchObject({ kind: 'again', scan: { page: 1 } });
	});

	test('an event that moved down a page counts once; members that may change do not matter', () => {
		const counted = new Set<string>();
		const first = scanOf(nextStep(begun, reading(page([5, 900]), { counted, complete: 500 })));
		expect(first.current.count).toBe(1);
		const second = scanOf(nextStep(first, reading(page([5, 7]), { counted, complete: 500 })));
		expect(second.current.count).toBe(2);
	});

	describe('pages from differing copies of the data', () => {
		/** Reads a pass of two pages with one change each and the given counts. */
		function pass(from: Scan, [first, last]: readonly [number, number]): Step {
			const counted = new Set<string>();
			const one = page([5], { total: first });
			const other = page([1], { more: 'no', total: last });
			return nextStep(scanOf(nextStep(from, reading(one, { counted }))), reading(other, { counted }));
		}
		function passes(counts: ReadonlyArray<readonly [number, number]>): Step['kind'] {
			let step: Step = { kind: 'again', scan: begun };
			for (const each of counts) step = pass(scanOf(step), each);
			return step.kind;
		}

		test('two equal passes with fewer changes than counted are not the end', () => {
			expect(
				passes([
					[3, 2],
					[3, 2],
				]),
			).toBe('again');
		});

		test('a complete pass is the end, and so is one whose counts keep growing', () => {
			expect(
				passes([
					[3, 2],
					[2, 2],
				]),
			).toBe('end');
			expect(
				passes([
					[2, 2],
					[3, 2],
				]),
			).toBe('end');
			expect(
				passes([
					[3, 2],
					[2, 3],
				]),
			).toBe('end');
		});

		test('if changes are counted but never shown, reading ends after eight equal passes', () => {
			const doubtful = (length: number) => Array.from({ length }, () => [3, 2] as const);
			expect(passes(doubtful(7))).toBe('again');
			expect(passes(doubtful(8))).toBe('end');
		});
	});

	test('a page that only repeats the previous one is the end if this happens twice', () => {
		const pass = () => {
			const counted = new Set<string>();
			const first = reading(page([1, 2], { more: 'maybe' }), { counted });
			return { first, second: { ...first, repeated: true } };
		};
		const [one, other] = [pass(), pass()];
		// A full page of new changes may have moved the first page to the second position.
		const again = nextStep(scanOf(nextStep(begun, one.first)), one.second);
		expect(again).toMatchObject({ kind: 'again', scan: { page: 1 } });
		const inside = scanOf(nextStep(scanOf(again), other.first));
		expect(nextStep(inside, other.second)).toEqual({ kind: 'end' });
	});
});

describe('pages in the order of time', () => {
	const ascending = (read: FeedPage<FeedEvent>, rest: Partial<Reading> = {}) =>
		reading(read, { ascending: true, ...rest });

	test('the next request starts after the last event, and expects the remaining ones', () => {
		const step = nextStep(begun, ascending(page([100_000, 100_500, 103_000], { total: 8 })));
		expect(step).toMatchObject({ kind: 'go', scan: { since: 102_999, page: 1, expected: 6 } });
	});

	test('a step is confirmed by the events that follow', () => {
		const stepped: Scan = { ...begun, since: 102_999, expected: 6 };
		expect(hasSkippedNothing(stepped, page([103_000], { total: 6 }))).toBe(true);
		expect(hasSkippedNothing(stepped, page([103_000], { total: 5 }))).toBe(false);
		// A total that includes skipped events proves nothing.
		expect(hasSkippedNothing({ ...stepped, before: 8 }, page([103_000], { total: 8 }))).toBe(false);
	});

	test('a block of events with equal times is read twice by pages and then skipped', () => {
		const block = page([99_999, 99_999], { total: 3 });
		const inside = scanOf(nextStep(begun, ascending(block)));
		expect(inside).toMatchObject({ since: LOW - 1, page: 2 });
		const after = ascending(page([102_000, 102_000], { total: 5 }));
		const again = nextStep(inside, after);
		expect(again).toMatchObject({ kind: 'again', scan: { until: 101_999, page: 1 } });
		const second = scanOf(nextStep(scanOf(again), ascending(block)));
		const done = nextStep(second, ascending(page([102_000, 102_000], { total: 5 })));
		expect(done).toMatchObject({ kind: 'go', scan: { since: 101_999, page: 1, expected: 3 } });
		const next = (total: number, times = [102_000, 103_000]) =>
			hasSkippedNothing(scanOf(done), page(times, { total, more: 'yes' }));
		expect(next(3)).toBe(true);
		// The total is too low, or the first event after the block is missing.
		expect(next(2)).toBe(false);
		expect(next(3, [103_000])).toBe(false);
	});
});

describe('page sizes', () => {
	test('smaller pages start at the same position', () => {
		expect(smallerScan({ ...begun, page: 3, size: 100 }, undefined)).toMatchObject({ page: 5, size: 50 });
		expect(smallerScan({ ...begun, page: 2, size: 16 }, 5)).toMatchObject({ page: 5, size: 4 });
	});

	test('page numbers refer to the page size of the first response', () => {
		const first = scanOf(nextStep(begun, reading(page(Array.from({ length: 20 }, () => 1)))));
		expect(first).toMatchObject({ page: 2, served: 20 });
		expect(smallerScan(first, undefined)).toMatchObject({ page: 3, size: 10 });
		expect(cappedScan(first, page([1, 2], { pageSize: 20 }))).toBeUndefined();
	});

	test('a page larger than the service allows is read again from its intended start', () => {
		const grown: Scan = { ...begun, page: 2, size: 32 };
		const capped = cappedScan(grown, page([1, 2], { pageSize: 20 }));
		expect(capped).toMatchObject({ page: 3, size: 16, cap: 20 });
		const full = page(Array.from({ length: 16 }, () => 1));
		// 48 entries were read, which is not a multiple of 20.
		expect(scanOf(nextStep({ ...begun, ...capped }, reading(full)))).toMatchObject({ page: 4, size: 16 });
	});

	test('a page of twice the size that is not full may be capped, whatever size it states', () => {
		const grown: Scan = { ...begun, page: 2, size: 4, grownFrom: 2 };
		expect(cappedScan(grown, page([1, 2, 3], { pageSize: 4 }))).toMatchObject({ page: 3, size: 2, cap: 2 });
		expect(cappedScan(grown, page([1, 2, 3, 4], { pageSize: 4 }))).toBeUndefined();
		expect(cappedScan({ ...grown, grownFrom: undefined }, page([1, 2, 3], { pageSize: 4 }))).toBeUndefined();
		const full = scanOf(nextStep({ ...begun, page: 2, size: 2 }, reading(page([1, 2]))));
		expect(full).toMatchObject({ page: 2, size: 4, grownFrom: 2 });
	});

	test('pages grow if there is room, from a position that is a multiple of the larger size', () => {
		const small: Scan = { ...begun, page: 2, size: 10 };
		expect(scanOf(nextStep(small, reading(page(Array.from({ length: 10 }, () => 1)))))).toMatchObject({
			page: 2,
			size: 20,
		});
		const odd: Scan = { ...begun, page: 1, size: 10 };
		expect(scanOf(nextStep(odd, reading(page(Array.from({ length: 10 }, () => 1)))))).toMatchObject({
			page: 2,
			size: 10,
		});
	});
});
