import type { FeedEvent } from '../../../../../nodes/GridTrigger/polling/feed';
import { RowOrder } from '../../../../../nodes/GridTrigger/polling/rowOrder';

const change = (row: string, kind: string, time: number | undefined = 7): FeedEvent => ({
	key: `${row} ${kind}`,
	time,
	row,
	kind,
});
const created = change('r', 'created');
const updated = change('r', 'updated');
const deleted = change('r', 'deleted');
const withoutRow = (kind: string): FeedEvent => ({ key: `no row ${kind}`, time: 7, kind });

const isDescending = (...pages: FeedEvent[][]) => {
	const order = new RowOrder();
	for (const page of pages) order.follow(page);
	return order.isDescending;
};

test('a creation after an update, or an update after a deletion, shows that the newest come first', () => {
	expect(isDescending([updated, created])).toBe(true);
	expect(isDescending([deleted, updated])).toBe(true);
	expect(isDescending([updated], [change('s', 'created'), created])).toBe(true);
	expect(isDescending([change('r', 'updated', undefined), change('r', 'created', undefined)])).toBe(true);
});

test('nothing is shown by other rows, other times, events without a row, or rows that disagree', () => {
	expect(isDescending([created, updated, deleted])).toBe(false);
	expect(isDescending([updated, change('s', 'created')])).toBe(false);
	expect(isDescending([updated, change('r', 'created', 6)])).toBe(false);
	expect(isDescending([withoutRow('updated'), withoutRow('created')])).toBe(false);
	expect(isDescending([updated, created, change('s', 'created'), change('s', 'updated')])).toBe(false);
});

describe('a burst', () => {
	const creations = Array.from({ length: 120 }, (_, index) => change(`r${index}`, 'created'));
	const update = change('r3', 'updated');
	const isBurst = (events: FeedEvent[], before: FeedEvent[] = []) => {
		const order = new RowOrder();
		order.follow(before);
		return order.isBurst(events);
	};

	test('is a large page of events with equal times, each row beginning with its creation', () => {
		expect(isBurst([...creations, update])).toBe(true);
		expect(isBurst([update, ...creations])).toBe(false);
		expect(isBurst([...creations, { ...update, time: 8 }])).toBe(false);
		expect(isBurst([...creations, withoutRow('created')])).toBe(false);
		expect(isBurst(creations.slice(0, 20))).toBe(false);
		expect(isBurst([])).toBe(false);
	});

	test('may change rows that an earlier page created; updates alone show no order', () => {
		const updates = creations.map(({ row = '' }) => change(row, 'updated'));
		expect(isBurst(updates)).toBe(false);
		expect(isBurst(updates, creations)).toBe(true);
		expect(isBurst(updates, creations.slice(1))).toBe(false);
		expect(
			isBurst(
				updates,
				creations.map((event) => ({ ...event, time: 6 })),
			),
		).toBe(false);
	});
});
