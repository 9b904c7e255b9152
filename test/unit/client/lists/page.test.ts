import fc from 'fast-check';
import { z } from 'zod/v4';
import { InvalidList } from '../../../../client/errors';
import { jsonOf } from '../../../../client/formats/json';
import { listOf, type ListShape, pagesOf, readPage } from '../../../../client/lists/page';
import { entityPages } from '../../../../client/resources/entityRows';
import { ServiceResponse } from '../../../../client/session/responses';

const item = z.looseObject({ id: z.string() });
const items = [{ id: 'a' }, { id: 'b' }];
const PAGE = { page: 2, pageSize: 2, size: 2, numberOfItems: 5, numberOfPages: 3, items };
const REQUEST = { pageIndex: 2, pageSize: 10 };

const answerOf = (body: unknown) =>
	new ServiceResponse(
		{ status: 200, headers: {}, body: body === undefined ? '' : JSON.stringify(body) },
		{
			method: 'GET',
			url: new URL('https://grids.example/api/users/u1/spaces?pageIndex=2&pageSize=10'),
			redact: (text) => text,
		},
	);
const read = (body: unknown, shape: ListShape<z.infer<typeof item>> = pagesOf(item)) =>
	readPage(shape, answerOf(body), REQUEST);

test('a page has its counts and its items; other members are ignored', () => {
	expect(read({ ...PAGE, _links: { next: 7 } })).toEqual(PAGE);
	expect(read({ ...PAGE, size: 1, numberOfItems: 3, numberOfPages: 2, items: [{ id: 'a' }] })).toMatchObject({
		items: [{ id: 'a' }],
	});
});

test.each([0, 1])('an empty list has %d pages', (numberOfPages) => {
	const empty = { ...PAGE, size: 0, numberOfItems: 0, numberOfPages, items: [] };
	expect(read(empty)).toEqual(empty);
});

test('a page after the last one of a list that became shorter is empty', () => {
	const empty = { ...PAGE, size: 0, items: [] };
	expect(read({ ...empty, numberOfItems: 2, numberOfPages: 1 })).toMatchObject({ items: [] });
});

test.each([
	['no items before the last page', { size: 0, items: [] }, 'has 0 items on page 2'],
	['fewer items', { size: 1, items: [{ id: 'a' }] }, 'has 1 items on page 2, but 5 in all and 2 per page'],
	[
		'more items on the last page',
		{ numberOfItems: 3, numberOfPages: 2 },
		'has 2 items on page 2, but 3 in all',
	],
])('a page with %s has a contradiction, because the list may have changed', (_what, members, message) => {
	const { contradiction } = { contradiction: undefined, ...read({ ...PAGE, ...members }) };
	expect(contradiction).toBeInstanceOf(InvalidList);
	expect(contradiction).toHaveProperty('message', expect.stringContaining(message));
});

test.each([...Object.keys(PAGE)])('a page without "%s" is an error that says so', (name) => {
	const lacking = Object.fromEntries(Object.entries(PAGE).filter(([member]) => member !== name));
	for (const body of [lacking, { ...PAGE, [name]: null }]) {
		expect(() => read(body)).toThrow(InvalidList);
		expect(() => read(body)).toThrow(
			`The list at /api/users/u1/spaces?pageIndex=2&pageSize=10 lacks "${name}" (§2.2). It began with: {`,
		);
	}
});

test.each([
	['a count that is a text', { numberOfItems: '5' }, 'has no count as "numberOfItems"'],
	['a count of -1', { numberOfItems: -1, numberOfPages: -1 }, 'has no count as "numberOfItems"'],
	['another page than requested', { page: 1 }, 'is page 1, but "pageIndex" 2 was requested'],
	['a page size of 0', { pageSize: 0 }, 'has the "pageSize" 0, but 10 was requested'],
	['a larger page size than requested', { pageSize: 11 }, 'has the "pageSize" 11, but 10 was requested'],
	['a wrong size', { size: 3 }, 'has the "size" 3, but 2 items'],
	['more items than its page size', { pageSize: 1, numberOfPages: 5 }, 'has 2 items, but the "pageSize" 1'],
	['a wrong number of pages', { numberOfPages: 9 }, 'has the "numberOfPages" 9, but 5 items in pages of 2'],
])('%s is an error that names it', (_what, members, message) => {
	expect(() => read({ ...PAGE, ...members })).toThrow(message);
});

test.each([[null], ['text'], [[{ id: 'a' }]], [{ _embedded: { spaces: items } }], [undefined]])(
	'%j is no paged list',
	(body) => {
		expect(() => read(body)).toThrow(/§2\.2|not JSON/);
	},
);

test('what §4 only calls a list may be a bare array, or a page', () => {
	expect(read(items, listOf(item))).toEqual({ items });
	expect(read(PAGE, listOf(item))).toEqual(PAGE);
	expect(() => read({ items }, listOf(item))).toThrow('lacks "page"');
});

test.each([
	['an item without an id', pagesOf(item), [{ id: 'a' }, {}], '"id" of item 2'],
	['an item whose id is a number', pagesOf(item), [{ id: 7 }, { id: 'a' }], '"id" of item 1'],
	['an item that is no object', pagesOf(item), [{ id: 'a' }, 7], 'item 2'],
	['a row without an id', entityPages, [{ _id: 'a' }, { id: 'b' }], '"_id" of item 2'],
	['a row whose id is a number', entityPages, [{ _id: 7 }, { _id: 'b' }], '"_id" of item 1'],
])('%s is an error with its position', (_what, shape, wrong, message) => {
	expect(() => readPage<unknown>(shape, answerOf({ ...PAGE, items: wrong }), REQUEST)).toThrow(message);
});

describe('rows', () => {
	const links = { self: { href: '/api/e1', method: 'get' }, update: { href: '/api/e1', method: 'put' } };
	const answerWith = (rows: object[], maxValues?: number) => {
		const counts = { page: 1, pageSize: 10, size: rows.length, numberOfItems: rows.length, numberOfPages: 1 };
		const { method, url, redact } = answerOf(undefined);
		const body = JSON.stringify({ ...counts, _links: links, items: rows });
		return new ServiceResponse({ status: 200, headers: {}, body }, { method, url, redact, maxValues });
	};
	const rowsIn = (answer: ServiceResponse) =>
		readPage(entityPages, answer, { pageIndex: 1, pageSize: 10 }).items.map(({ _links, ...values }) => ({
			...values,
			_links: Object.fromEntries(_links),
		}));

	it('are read without their links, which are parsed when they are asked for', () => {
		const rows = ['e1', 'e2', 'e3'].map((_id) => ({ _id, _links: links }));
		// Nine values of the list, four of each row with the index of its links, 21 with the links.
		expect(rowsIn(answerWith(rows, 25))).toEqual(rows);
		const relative = { ...links, self: { href: 'e1', method: 'get' } };
		expect(() => rowsIn(answerWith([...rows, { _id: 'e4', _links: relative }], 25))).toThrow('values');
	});

	const written = `,"_links":${JSON.stringify(links)}`;
	const value: fc.Arbitrary<unknown> = fc.oneof(
		fc.jsonValue({ maxDepth: 1 }),
		fc.constantFrom(links, written, JSON.stringify(written), { _links: links }, { ['"_links']: links }),
		fc.constantFrom([{ _links: links }], { _links: 0 }, [{ _links: -1 }], '\\', '"_links":0'),
	);
	const rowLinks = fc.constantFrom(
		links,
		{},
		{ self: { href: '/api/é"', method: 'get' } },
		{ self: { method: 'get', href: '/api/e1' } },
		{ ...links, items: { href: '/api{?filter}', method: 'get' } },
	);
	const row = fc.tuple(fc.dictionary(fc.constantFrom('a', 'b', 'x"_links', '\\'), value), rowLinks);

	it.each([true, false])('hold what was sent, with links in front: %s', (isInFront) => {
		fc.assert(
			fc.property(fc.array(row, { maxLength: 4 }), (sent) => {
				const rows = sent.map(([values, _links], index) => {
					const _id = `e${index}`;
					return isInFront ? { _id, _links, ...values } : { ...values, _id, _links };
				});
				expect(rowsIn(answerWith(rows))).toEqual(jsonOf(JSON.stringify(rows)));
			}),
		);
	});
});
