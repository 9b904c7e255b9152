import { LinkMissing } from '../../../../client/errors';
import type { Link } from '../../../../client/hal/links';
import { endpoints } from '../../../../client/endpoints/endpoints';
import { linkTo, partOfGrid, permits, permittedLink } from '../../../../client/endpoints/permission';

const address = { userId: 'u1', spaceId: 's1', gridId: 'g1' };
const gridWith = (links: Record<string, Link>, rest: object = {}) => ({
	_links: new Map(Object.entries(links)),
	name: 'Orders',
	address,
	...rest,
});
const self: Link = { href: '/self', method: 'get' };
const addEntity: Link = { href: '/entities', method: 'post' };
const DOCUMENTED = '/api/users/u1/spaces/s1/grids/g1';

describe('an operation without a specified link', () => {
	it.each<[string, Record<string, Link>, string]>([
		[
			'the most likely name',
			{ edit: { href: '/e', method: 'patch' }, update: { href: '/u', method: 'patch' } },
			'/u',
		],
		['another likely name', { edit: { href: '/e', method: 'PATCH' } }, '/e'],
		[
			'the one with the documented method',
			{ update: { href: '/u', method: 'put' }, edit: { href: '/e', method: 'patch' } },
			'/e',
		],
		['the documented address without a likely name', { addEntity }, DOCUMENTED],
		[
			'the documented address if the method differs',
			{ addEntity, update: { href: '/u', method: 'get' } },
			DOCUMENTED,
		],
	])('follows %s', (_what, links, href) => {
		expect(linkTo(endpoints.gridUpdate, gridWith(links))).toMatchObject({ href });
	});

	it('is not permitted if the representation has no link for writing', () => {
		const refused = () => permittedLink(endpoints.columnAdd, gridWith({ self }));
		expect(refused).toThrow(LinkMissing);
		expect(refused).toThrow('No permission to add columns to the grid "Orders"');
	});

	it('is permitted by a likely name alone', () => {
		const link = { href: '/u', method: 'patch' };
		expect(permittedLink(endpoints.gridUpdate, gridWith({ update: link }))).toBe(link);
	});

	it('on a part of a grid depends on the links of the grid', () => {
		const field = gridWith({ self });
		const path = `${DOCUMENTED}/fields/f1`;
		const id = { fieldId: 'f1' };
		expect(linkTo(endpoints.fieldUpdate, partOfGrid(gridWith({ addEntity }), id, field)).href).toBe(path);
		expect(() => permittedLink(endpoints.fieldUpdate, partOfGrid(gridWith({ self }), id, field))).toThrow(
			'No permission to change columns of the grid "Orders"',
		);
	});

	it('has the address of self if the representation has a link for writing', () => {
		const links = { addGrid: self, self: { href: '/here', method: 'get' } };
		const space = { _links: new Map(Object.entries(links)), name: 'A' };
		expect(permittedLink(endpoints.spaceDelete, space)).toEqual({ href: '/here', method: 'DELETE' });
	});
});

describe('an operation with a specified link', () => {
	it('follows the link unchanged', () => {
		const link = { href: '/add', method: 'put' };
		expect(permittedLink(endpoints.entityCreate, gridWith({ addEntity: link }))).toBe(link);
	});

	it('is not permitted if a representation lacks it', () => {
		expect(() => permittedLink(endpoints.entityCreate, gridWith({ self }))).toThrow(
			'No permission to add rows to the grid "Orders"',
		);
	});

	it.each<[string, object]>([
		['a summary', gridWith({ self }, { _representation: 'summary' })],
		['a resource that was not read', { name: 'Orders', address }],
	])('may be permitted if %s lacks it', (_what, target) => {
		expect(permittedLink(endpoints.entityCreate, target)).toBeUndefined();
	});
});

it.each<[string | undefined, boolean | undefined]>([
	['full', false],
	['summary', undefined],
	[undefined, undefined],
])('a missing link in a representation that is %s permits: %s', (_representation, permitted) => {
	expect(permits({ _links: new Map(), _representation }, 'update')).toBe(permitted);
	expect(permits({ _links: new Map([['update', self]]), _representation }, 'update')).toBe(true);
});
