import fc from 'fast-check';
import { expandHref, findLink, linksSchema, resourceSchema } from '../../../../client/hal/links';

describe('links (§2.1)', () => {
	it('are read by name', () => {
		const links = linksSchema.parse({
			self: { href: ' /a ', method: 'get' },
			schema: { href: '/b', method: 'get', title: 'B' },
		});
		expect([...links]).toEqual([
			['self', { href: '/a', method: 'get' }],
			['schema', { href: '/b', method: 'get', title: 'B' }],
		]);
	});

	it.each([
		[{ href: '/b' }, 'method'],
		[{ href: '/b', method: null }, 'method'],
		[{ href: '/b', method: '' }, 'method'],
		[{ href: '', method: 'put' }, 'href'],
		[{ method: 'put' }, 'href'],
		[[{ href: '/b', method: 'put' }], 'href'],
		['/b', 'href'],
		[7, 'href'],
	])('%j is not followed, but an error, because it lacks "%s"', (update, missing) => {
		const links = linksSchema.parse({ self: { href: '/a', method: 'get' }, update });
		expect([...links.keys()]).toEqual(['self']);
		expect(links.has('update')).toBe(true);
		expect(() => links.get('update')).toThrow(`The link "update" of /a lacks "${missing}" (§2.1)`);
	});

	it('that are null are absent', () => {
		const links = linksSchema.parse({ update: null });
		expect([links.has('update'), links.get('update')]).toEqual([false, undefined]);
	});

	it.each(['constructor', 'toString'])('named %s are absent unless they are sent', (rel) => {
		const links = linksSchema.parse({});
		expect([links.has(rel), links.get(rel)]).toEqual([false, undefined]);
	});

	it.each([undefined, null, 'text', 7])('are empty if they are %p', (value) => {
		expect(resourceSchema.parse({ _links: value })._links.size).toBe(0);
	});

	it('are found by the first name that exists', () => {
		const resource = resourceSchema.parse({
			_links: { b: { href: '/b', method: 'get' }, c: { href: '/c', method: 'get' } },
		});
		expect(findLink(resource, 'a', 'b', 'c')).toEqual({ href: '/b', method: 'get' });
		expect(findLink(resource, 'x')).toBeUndefined();
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
