import { EndlessPages } from '../../../../client/errors';
import { ResponseTooLarge } from '../../../../client/http/responseLimit';
import { inSmallerPages } from '../../../../client/session/smallerPages';

test('pages grow again after a large item', async () => {
	const requested: number[] = [];
	const items = Array.from({ length: 4000 }, (_, index) => index);
	const fetchPage = inSmallerPages<number>((pageIndex, pageSize) => {
		requested.push(pageSize);
		const from = (pageIndex - 1) * pageSize;
		const page = items.slice(from, from + pageSize);
		// Item 3 is so large that a page with more than 4 items cannot contain it.
		if (page.includes(3) && page.length > 4) return Promise.reject(new ResponseTooLarge(1));
		return Promise.resolve({ items: page, numberOfItems: items.length, _links: new Map() });
	});
	const read: number[] = [];
	for (let pageIndex = 1; pageIndex <= 8; pageIndex++) read.push(...(await fetchPage(pageIndex, 500)).items);
	expect(read).toEqual(items);
	expect(Math.min(...requested)).toBeLessThanOrEqual(4);
	expect(Math.max(...requested.slice(-10))).toBeGreaterThan(50);
});

const LINKS = { _links: new Map() };

test('continues reading if the service states a page size of 0', async () => {
	const requested: string[] = [];
	const fetchPage = inSmallerPages<number>((pageIndex, pageSize) => {
		requested.push(`${pageIndex}/${pageSize}`);
		if (pageSize > 1) return Promise.reject(new ResponseTooLarge(1));
		return Promise.resolve({ items: [pageIndex], numberOfItems: 8, pageSize: 0, ...LINKS });
	});
	expect((await fetchPage(1, 8)).items).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
	expect(requested.filter((place) => place.endsWith('/1'))).toHaveLength(8);
});

test('reads what a short page without counts lacks if it links the next one', async () => {
	const items = Array.from({ length: 40 }, (_, index) => index);
	const fetchPage = inSmallerPages<number>((pageIndex, pageSize) => {
		if (pageSize > 20) return Promise.reject(new ResponseTooLarge(1));
		const to = pageIndex * pageSize;
		const _links = new Map(to < items.length ? [['next', { href: '/next' }]] : []);
		return Promise.resolve({ items: items.slice(to - pageSize, to).slice(0, 7), _links });
	});
	expect((await fetchPage(1, 100)).items).toEqual(items);
});

test.each([2, 3, 5])('reads pages of at most %i items that state the requested size', async (cap) => {
	for (let count = 1; count <= 60; count++) {
		const items = Array.from({ length: count }, (_, index) => index);
		const fetchPage = inSmallerPages<number>((pageIndex, pageSize) => {
			const size = Math.min(cap, pageSize);
			const to = pageIndex * size;
			return Promise.resolve({ items: items.slice(to - size, to), pageSize, numberOfItems: count, ...LINKS });
		});
		expect((await fetchPage(1, 1000)).items).toEqual(items);
	}
});

test('stops reading a list whose pages never contain more than one item', async () => {
	let requests = 0;
	const fetchPage = inSmallerPages<number>((pageIndex, pageSize) => {
		requests += 1;
		if (pageSize > 1) return Promise.reject(new ResponseTooLarge(1));
		return Promise.resolve({ items: [pageIndex], numberOfItems: 1e9, pageSize: 1, ...LINKS });
	});
	await expect(
		(async () => {
			for (let pageIndex = 1; ; pageIndex++) await fetchPage(pageIndex, 1000);
		})(),
	).rejects.toThrow(EndlessPages);
	expect(requests).toBe(50_000);
});
