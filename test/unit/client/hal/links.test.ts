import fc from 'fast-check';
import { z } from 'zod/v4';
import { expandHref, findLink, linksSchema, pageSchema, resourceSchema } from '../../../../client/hal/links';

const page = pageSchema(z.looseObject({ id: z.string() }));

describe('links (§2.1)', () => {
	it('are read by name', () => {
		const links = linksSchema.parse({ self: { href: '/a', method: 'get' }, schema: { href: '/b' } });
		expect([...links]).toEqual([
			['self', { href: '/a', method: 'get' }],
			['schema', { href: '/b' }],
		]);
	});

	it('that cannot be followed are omitted; the others are kept', () => {
		const links = linksSchema.parse({
			self: { href: '/a' },
			odd: 7,
			empty: { href: '' },
			none: null,
			list: [],
		});
		expect([...links.keys()]).toEqual(['self']);
	});

	it('in a list are read as its first element', () => {
		expect(linksSchema.parse({ self: [{ href: '/a' }, { href: '/b' }] }).get('self')).toEqual({ href: '/a' });
		expect(linksSchema.parse({ self: [null, { href: '/b' }] }).get('self')).toEqual({ href: '/b' });
	});

	it('are followed without a valid method, and as plain addresses', () => {
		const links = linksSchema.parse({ self: { href: ' /a ', method: null }, next: '/b' });
		expect([...links]).toEqual([
			['self', { href: '/a', method: undefined }],
			['next', { href: '/b' }],
		]);
	});

	it.each([undefined, null, 'text', 7])('are empty if they are %p', (value) => {
		expect(resourceSchema.parse({ _links: value })._links.size).toBe(0);
	});

	it('are found by the first name that exists', () => {
		const resource = resourceSchema.parse({ _links: { b: { href: '/b' }, c: { href: '/c' } } });
		expect(findLink(resource, 'a', 'b', 'c')).toEqual({ href: '/b' });
		expect(findLink(resource, 'x')).toBeUndefined();
	});
});

describe('a page (§2.2)', () => {
	it('contains its counts and its items', () => {
		const raw = { page: 1, pageSize: 2, size: 1, numberOfItems: 1, numberOfPages: 1, items: [{ id: 'a' }] };
		expect(page.parse(raw)).toMatchObject(raw);
	});

	it('may be a plain list', () => {
		expect(page.parse([{ id: 'a' }])).toMatchObject({ items: [{ id: 'a' }] });
	});

	it('may contain its items embedded under any name', () => {
		expect(page.parse({ numberOfItems: 1, _embedded: { grids: [{ id: 'a' }] } })).toMatchObject({
			numberOfItems: 1,
			items: [{ id: 'a' }],
		});
	});

	it.each([{}, { numberOfItems: 1 }, { size: 1, numberOfItems: 7 }, { size: '1' }])(
		'may embed its only item without a list: %p',
		(counts) => {
			const parsed = page.parse({ ...counts, _embedded: { 'ea:grid': { id: 'a' } } });
			expect(parsed.items).toMatchObject([{ id: 'a' }]);
		},
	);

	it('that counts several items cannot embed only one', () => {
		const raw = { size: 2, numberOfItems: 2, _embedded: { grids: { id: 'a' } } };
		expect(page.safeParse(raw).success).toBe(false);
	});

	it('may contain its counts as texts', () => {
		expect(page.parse({ numberOfItems: '130', items: [] }).numberOfItems).toBe(130);
	});

	it.each([undefined, { numberOfItems: 0 }, { size: 0, items: null }])('may be empty: %p', (raw) => {
		expect(page.parse(raw).items).toEqual([]);
	});

	it('without items is not considered empty', () => {
		expect(page.safeParse({ numberOfItems: 3 }).success).toBe(false);
	});

	it('with two embedded lists is refused as ambiguous', () => {
		expect(page.safeParse({ _embedded: { grids: [], views: [] } }).success).toBe(false);
	});

	it.each([-1, 1.5, '', '-3', '1e3', null, Number.NaN, 1e300])('has no count if the count is %p', (count) => {
		expect(page.parse({ numberOfPages: count, items: [] }).numberOfPages).toBeUndefined();
	});

	it.each([null, 'text', { items: 'none' }, { items: [{ id: 7 }] }])('is not %p', (raw) => {
		expect(page.safeParse(raw).success).toBe(false);
	});
});

describe('an href', () => {
	it.each([
		['/a', { x: 1 }, '/a?x=1'],
		['/a?b=2', { x: 'é&=' }, '/a?b=2&x=%C3%A9%26%3D'],
		['/a{?pageIndex,pageSize}', { pageIndex: 2, pageSize: 300 }, '/a?pageIndex=2&pageSize=300'],
		['/a{?pageIndex,pageSize}', {}, '/a'],
		['/a?b=1{&c}', { c: true }, '/a?b=1&c=true'],
		['/a/{id}/b', { id: 'x y/z' }, '/a/x%20y%2Fz/b'],
		['/a{?pageIndex}', { layout: 'key' }, '/a?layout=key'],
		['/a', { left: undefined }, '/a'],
		['/a?layout=property&b=2', { layout: 'field' }, '/a?b=2&layout=field'],
		['/a?pageIndex=1&pageSize=25', { pageIndex: 2, pageSize: 300 }, '/a?pageIndex=2&pageSize=300'],
		['/a?layout=property{&pageIndex}', { layout: 'field', pageIndex: 1 }, '/a?layout=field&pageIndex=1'],
		['/a?layout=property{?pageIndex}', { pageIndex: 2 }, '/a?layout=property&pageIndex=2'],
		['/a?filter={filter}&layout={layout}', { layout: 'field' }, '/a?layout=field'],
		['/a?page%49ndex=1', { pageIndex: 2 }, '/a?pageIndex=2'],
		['/a?b=%ZZ&%ZZ=1', { c: 1 }, '/a?b=%ZZ&%ZZ=1&c=1'],
		['/a#top', { b: 1 }, '/a?b=1'],
		['/a{?b}#top', { b: 1 }, '/a?b=1'],
		['/a{/id}/b{;c}', { id: 'x', c: 1 }, '/a/x/b;c=1'],
		['/a{/id}{;c}{.d}', {}, '/a'],
	])('%s with %p is %s', (href, query, expanded) => {
		expect(expandHref(href, query)).toBe(expanded);
	});

	it('encodes each value of the query reversibly', () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ unit: 'grapheme' })),
				(query) => {
					const url = new URL(expandHref('/a', query), 'http://localhost');
					expect([...url.searchParams].sort()).toEqual(Object.entries(query).sort());
				},
			),
		);
	});
});
