import fc from 'fast-check';
import { InvalidInput } from '../../../../client/errors';
import { idsInUrl, paths } from '../../../../client/endpoints/paths';

const at = { userId: 'u1', spaceId: 's1', gridId: 'g1' };

describe('the documented addresses (§4)', () => {
	it.each([
		[paths.spaces('u1'), '/api/users/u1/spaces'],
		[paths.accessKey('u1', 'k1'), '/api/users/u1/accessKeys/k1'],
		[paths.uploadCsv('u1', 's1'), '/api/users/u1/spaces/s1/uploadCSV'],
		[paths.columnOperation(at, 'ColumnAdd'), '/api/users/u1/spaces/s1/grids/g1/ColumnAdd'],
		[paths.virtualGrids(at), '/api/users/u1/spaces/s1/grids/g1/virtualgrids'],
		[paths.entity(at, 'e1'), '/api/users/u1/spaces/s1/grids/g1/entities/e1'],
		[paths.entityEvents(at, 'e1'), '/api/users/u1/spaces/s1/grids/g1/entities/e1/events'],
	])('%s', (spelled, documented) => {
		expect(spelled).toBe(documented);
	});

	it.each(['', ' ', '.', '..', ' .. '])('are not spelled from the id %p', (id) => {
		expect(() => paths.entity(at, id)).toThrow(InvalidInput);
		expect(() => paths.space('u1', id)).toThrow(InvalidInput);
	});

	it('keep each id in its own segment, whatever is in it', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
				fc.pre(!['', '.', '..'].includes(id.trim()));
				const { pathname } = new URL(paths.entity(at, id), 'http://localhost');
				const segments = pathname.split('/');
				expect(segments).toHaveLength(10);
				expect(decodeURIComponent(segments[9] ?? '')).toBe(id);
			}),
		);
	});
});

describe('ids in an address that a person copied', () => {
	it.each([
		['https://x.example/api/users/u/spaces/s1/grids/g1', { spaceId: 's1', gridId: 'g1', lastSegment: 'g1' }],
		['/spaces/s%201?tab=2#top', { spaceId: 's 1', lastSegment: 's 1' }],
		['/grids/g1/entities/e1', { gridId: 'g1', lastSegment: 'e1' }],
		['/grids/%E0%A4%A', { gridId: '%E0%A4%A', lastSegment: '%E0%A4%A' }],
		['', {}],
	])('%s', (url, ids) => {
		expect(idsInUrl(url)).toEqual(ids);
	});
});
