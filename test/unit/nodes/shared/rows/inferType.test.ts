import { inferType } from '../../../../../nodes/shared/rows/inferType';

test.each([
	[[true, false, null], 'boolean'],
	[[0, -3, ''], 'integer'],
	[[1, 2.5], 'decimal'],
	[['007'], 'string'],
	[['12'], 'string'],
	[['2026-03-01'], 'date'],
	[['2026-02-30'], 'string'],
	[['2026-03-01T09:30:00+01:00', '2026-03-01T09:30Z'], 'date-time'],
	[['2026-03-01T09:30:00'], 'string'],
	[[new Date(0)], 'date-time'],
	[['a@example.com'], 'email'],
	[['https://example.com/a?b=c'], 'uri'],
	[['https://example.com and more'], 'string'],
	[['2026-03-01', 'soon'], 'string'],
	[['a@example.com', 'https://example.com'], 'string'],
	[[['a', 'b'], []], 'stringcollection'],
	[[{ lat: 52.5, lon: 13.4 }], 'geolocation'],
	[[1, 'one'], undefined],
	[[true, 0], undefined],
	[[{ nested: true }], undefined],
	[[[1, 2]], undefined],
	[[null, undefined, ''], undefined],
	[[], undefined],
])('%j is %s', (values, type) => {
	expect(inferType(values)).toBe(type);
});
