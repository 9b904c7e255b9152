import fc from 'fast-check';
import { InvalidInput } from '../../../../client/errors';
import { endpoints } from '../../../../client/endpoints/endpoints';
import { idsInUrl, pathOf } from '../../../../client/endpoints/paths';

const at = { userId: 'u1', spaceId: 's1', gridId: 'g1' };

describe('pathOf (§4)', () => {
	it.each([
		['spaceList', {}, '/api/users/u1/spaces'],
		['accessKeyDelete', { keyId: 'k1' }, '/api/users/u1/accessKeys/k1'],
		['gridUpload', {}, '/api/users/u1/spaces/s1/uploadCSV'],
		['columnAdd', {}, '/api/users/u1/spaces/s1/grids/g1/ColumnAdd'],
		['statefulViewShareList', { sview: 'v1' }, '/api/users/u1/spaces/s1/grids/g1/sviews/v1/shares'],
		['eventList', { entityId: 'a/b' }, '/api/users/u1/spaces/s1/grids/g1/entities/a%2Fb/events'],
	] as const)('returns the documented address of %s', (name, ids, documented) => {
		expect(pathOf(endpoints[name], { ...at, ...ids })).toBe(documented);
	});

	it.each(['', ' ', '.', '..', ' .. '])('refuses the ID %p', (id) => {
		expect(() => pathOf(endpoints.entityGet, { ...at, entityId: id })).toThrow(InvalidInput);
		expect(() => pathOf(endpoints.spaceGet, { userId: 'u1', spaceId: id })).toThrow(InvalidInput);
	});

	it('keeps each ID in its own segment', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
				fc.pre(!['', '.', '..'].includes(id.trim()));
				const { pathname } = new URL(
					pathOf(endpoints.entityGet, { ...at, entityId: id }),
					'http://localhost',
				);
				const segments = pathname.split('/');
				expect(segments).toHaveLength(10);
				expect(decodeURIComponent(segments[9] ?? '')).toBe(id);
			}),
		);
	});
});

describe('idsInUrl', () => {
	it.each([
		['https://x.example/api/users/u/spaces/s1/grids/g1', { spaceId: 's1', gridId: 'g1', lastSegment: 'g1' }],
		['/spaces/s%201?tab=2#top', { spaceId: 's 1', lastSegment: 's 1' }],
		['/grids/g1/entities/e1', { gridId: 'g1', lastSegment: 'e1' }],
		['/grids/%E0%A4%A', { gridId: '%E0%A4%A', lastSegment: '%E0%A4%A' }],
		['', {}],
	])('finds the IDs in %s', (url, ids) => {
		expect(idsInUrl(url)).toEqual(ids);
	});
});
