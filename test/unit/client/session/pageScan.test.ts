import { EndlessPages } from '../../../../client/errors';
import type { Page } from '../../../../client/hal/links';
import { bare, ids, list, rowsNumbered, type Row } from '../../../simulation/simulatedList';

describe('a list without counts', () => {
	it.each([0, 5, 300, 301, 900, 2345])('of %d items is read completely', async (count) => {
		const simulated = list(count, 300);
		simulated.answer = (page) => bare(page.items);
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, count) });
	});

	it('and without pages is complete with its first response', async () => {
		const simulated = list(0);
		simulated.answer = () => bare(rowsNumbered(1, 1500));
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 1500) });
		expect(simulated.asked).toHaveLength(1);
	});

	it('that sends the same short list for each page is read once', async () => {
		const simulated = list(0);
		simulated.answer = () => bare(rowsNumbered(1, 12));
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 12) });
	});

	it('with a count of items but not of pages is read by that count', async () => {
		const simulated = list(1000, 300);
		simulated.answer = ({ numberOfItems, items }) => ({ ...bare(items), numberOfItems });
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 1000) });
		expect(simulated.asked).toHaveLength(4);
	});

	it('contains all rows if a whole page of new ones is inserted meanwhile', async () => {
		const simulated = list(900, 300);
		simulated.answer = (page) => bare(page.items);
		simulated.change = (answers) => {
			if (answers === 1) simulated.rows.unshift(...rowsNumbered(10_001, 10_300));
		};
		expect(ids(await simulated.read())).toEqual(expect.arrayContaining(ids({ items: rowsNumbered(1, 900) })));
	});

	it.each([undefined, 700])(
		'contains all rows if one is deleted meanwhile, up to a limit of %s',
		async (limit) => {
			const simulated = list(900, 300);
			simulated.answer = (page) => bare(page.items);
			simulated.change = (answers) => {
				if (answers === 1) simulated.rows.shift();
			};
			const { items } = await simulated.read(limit);
			expect(ids({ items })).toEqual(expect.arrayContaining(['r300', 'r301', 'r302']));
		},
	);

	it('contains the row that moved to the first page before the second was read', async () => {
		const simulated = list(301, 300);
		simulated.answer = (page) => bare(page.items);
		simulated.change = (answers) => {
			if (answers === 1) simulated.rows.shift();
		};
		expect(ids(await simulated.read())).toContain('r301');
	});

	it('contains the row that moved to the first page in exchange for one of its rows', async () => {
		const simulated = list(8, 7);
		simulated.answer = (page) => bare(page.items);
		simulated.change = (answers) => {
			if (answers === 1) simulated.rows.push(...simulated.rows.splice(2, 1));
		};
		expect(ids(await simulated.read()).sort()).toEqual(ids({ items: rowsNumbered(1, 8) }));
	});

	it('is not considered complete if it never stops changing', async () => {
		const simulated = list(900, 300);
		simulated.answer = (page) => bare(page.items);
		simulated.change = () => simulated.rows.shift();
		expect((await simulated.read()).unstable).toMatchObject({ scans: 3, numberOfItems: [] });
	});

	it('with several pages is read twice, with one page once', async () => {
		const simulated = list(900, 300);
		simulated.answer = (page) => bare(page.items);
		await simulated.read();
		const asked = simulated.asked.length;
		const single = list(0);
		single.answer = () => bare(rowsNumbered(1, 12));
		await single.read();
		expect([asked % 2, single.asked.length]).toEqual([0, 3]);
	});

	it('with a limit is read without additional pages, and twice if it has several pages', async () => {
		const simulated = list(5000, 300);
		simulated.answer = (page) => bare(page.items);
		expect(await simulated.read(900)).toEqual({ items: rowsNumbered(1, 900) });
		expect(simulated.asked).toHaveLength(6);
	});
});

describe('a list whose pages contain fewer items than stated', () => {
	it.each([
		['with their true counts', 1],
		['with the number of pages of the requested size', 1000],
	])('is read in pages of 100, %s', async (_what, size) => {
		const simulated = list(950, 100);
		simulated.answer = (page) => ({
			...page,
			pageSize: 1000,
			numberOfPages: Math.ceil(950 / Math.max(size, 100)),
		});
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 950) });
		expect(simulated.asked.length).toBeLessThanOrEqual(12);
	});

	it.each([
		['the first', 1],
		['one in the middle', 2],
		['each', undefined],
	])('because %s reaches its maximum size is read in smaller pages', async (_what, which) => {
		const simulated = list(2500);
		// A page has at most 300 rows for its size; rows that do not fit are on no other page.
		simulated.answer = (page, pageIndex) => ({
			...page,
			items: which === undefined || which === pageIndex ? page.items.slice(0, 300) : page.items,
		});
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 2500) });
	});

	it('is read with as little as one row per page', async () => {
		const simulated = list(5);
		simulated.answer = (page) => ({ ...page, items: page.items.slice(0, 1) });
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 5) });
	});
});

describe('a list without counts whose pages link the next one', () => {
	/** @param unlinked number of the page without the link; all have it if omitted */
	const linked = (page: Page<Row>, pageIndex: number, unlinked?: number): Page<Row> => ({
		...bare(page.items),
		pageSize: 1000,
		_links: new Map(pageIndex === unlinked ? [] : [['next', { href: '/next' }]]),
	});

	it.each([
		['up to the last one', 10],
		['all of them', undefined],
	])('is read completely if it states a larger page size: %s', async (_what, last) => {
		const simulated = list(950, 100);
		simulated.answer = (page, pageIndex) => linked(page, pageIndex, last);
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 950) });
	});

	it('is read completely if its pages exceed the requested size', async () => {
		const simulated = list(5000, 2000);
		const { fetchPage } = simulated;
		simulated.fetchPage = async (pageIndex) => await fetchPage(pageIndex, 2000);
		simulated.answer = (page, pageIndex) => ({ ...linked(page, pageIndex, 3), pageSize: 2000 });
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 5000) });
	});

	it.each([
		['the first', 1],
		['one in the middle', 2],
	])('is read in smaller pages if %s reaches its maximum size', async (_what, which) => {
		const simulated = list(2500);
		simulated.answer = (page, pageIndex) => {
			const items = which === pageIndex ? page.items.slice(0, 300) : page.items;
			return linked(
				{ ...page, items },
				pageIndex,
				page.items.at(-1)?._id === 'r2500' ? pageIndex : undefined,
			);
		};
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 2500) });
	});

	it('takes one request more if a short list links a next page', async () => {
		const simulated = list(5);
		simulated.answer = linked;
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 5) });
		expect(simulated.asked.length).toBeLessThanOrEqual(4);
	});
});

describe('a hostile list', () => {
	const fresh = (pageIndex: number) => rowsNumbered(pageIndex * 300, pageIndex * 300 + 299);

	it('that claims a billion pages is refused before they are read', async () => {
		const simulated = list(300, 300);
		simulated.answer = (page) => ({ ...page, numberOfPages: 1_000_000_000 });
		await expect(simulated.read()).rejects.toThrow(EndlessPages);
		await expect(simulated.read()).rejects.toThrow(/1000000000 pages/);
		expect(simulated.asked).toHaveLength(2);
	});

	it('that claims a billion pages is still read up to a limit', async () => {
		const simulated = list(5000, 300);
		simulated.answer = (page) => ({ ...page, numberOfPages: 1_000_000_000 });
		expect(await simulated.read(500)).toMatchObject({ items: rowsNumbered(1, 500) });
		expect(simulated.asked).toHaveLength(2);
	});

	it('that claims many pages but has few ends at the first empty page, with a notice', async () => {
		const simulated = list(600, 300);
		simulated.answer = (page) => ({ ...page, numberOfPages: 9000, numberOfItems: 2_700_000 });
		const result = await simulated.read();
		expect(result.items).toEqual(rowsNumbered(1, 600));
		expect(result.unstable).toMatchObject({ found: 600, numberOfItems: [2_700_000] });
		expect(simulated.asked.length).toBeLessThan(100);
	});

	it.each([
		['with new rows', (pageIndex: number) => fresh(pageIndex)],
		['with the same rows', () => fresh(1)],
	])('that always has one more page, %s, is refused', async (_what, items) => {
		const simulated = list(300, 300);
		simulated.answer = (page, pageIndex) => ({
			...page,
			items: items(pageIndex),
			numberOfPages: pageIndex + 1,
			numberOfItems: (pageIndex + 1) * 300,
		});
		await expect(simulated.read()).rejects.toThrow(EndlessPages);
		expect(simulated.asked.length).toBeLessThan(50);
	});

	it('that never ends and has no count is refused', async () => {
		const simulated = list(300, 300);
		simulated.answer = (_page, pageIndex) => bare(rowsNumbered(pageIndex * 10, pageIndex * 10 + 9));
		await expect(simulated.read()).rejects.toThrow(/has more than 1000/);
		expect(simulated.asked.length).toBeLessThan(1100);
	});

	it('that repeats its first page for every counted page is refused', async () => {
		const simulated = list(3000, 300);
		simulated.answer = (page) => ({ ...page, items: fresh(1) });
		await expect(simulated.read()).rejects.toThrow(/the same items/);
	});

	it('that states a page size of 0 is read by the items of its pages', async () => {
		const simulated = list(900, 300);
		simulated.answer = (page) => ({ ...page, pageSize: 0, size: 0 });
		expect(await simulated.read()).toEqual({ items: rowsNumbered(1, 900) });
	});
});
