import { fieldSchema, type Field } from '../../../../../client/resources/fields';
import { sameValue } from '../../../../../nodes/shared/rows/equality';
import { typeLabel } from '../../../../../nodes/shared/rows/columnTypes';
import { toServiceValue } from '../../../../../nodes/shared/rows/values';

const field = (type: string, schema?: object): Field =>
	fieldSchema.parse({ id: 'f', name: 'F', type: { name: type }, schema });
const BERLIN = 'Europe/Berlin';
/** Like a luxon `DateTime`: serialized with the offset of its own time zone. */
const dateTime = (text: string) => ({ toJSON: () => text });

describe('values are written without loss or refused', () => {
	test.each<[string, unknown, unknown]>([
		['decimal', '-0', 0],
		['decimal', -0, 0],
		['decimal', ' 12 ', 12],
		['decimal', '0.1', 0.1],
		['decimal', '1.1000000000000001', 1.1],
		['decimal', '12345678901234.56', 12345678901234.56],
		['decimal', 1e300, 1e300],
		['decimal', '1e21', 1e21],
		['decimal', '0.000', 0],
		['integer', '9007199254740991', 9007199254740991],
		['integer', '9007199254740992', 9007199254740992],
		['integer', '1.50e1', 15],
		['integer', 10n, 10],
		['string', 12n, '12'],
		['string', 0.5, '0.5'],
		['string', false, 'false'],
		['integer', '0', 0],
		['boolean', 'yes', true],
		['boolean', 1, true],
		['boolean', ' FALSE ', false],
		['geolocation', '52.5,13', { lat: 52.5, lon: 13 }],
		['stringcollection', ['a'], ['a']],
		['enumcollection', '["x"]', ['x']],
		['reference', 'https://x.example/e1', { uri: 'https://x.example/e1' }],
		['references', ['/e1'], [{ uri: '/e1' }]],
		['resource', '/r1', { href: '/r1' }],
		['attachments', 'https://x.example/a/b.pdf', [{ name: 'b.pdf', url: 'https://x.example/a/b.pdf' }]],
	])('%s keeps %p', (type, value, expected) => {
		expect(toServiceValue(field(type), value)).toEqual(expected);
		expect(toServiceValue(field(type), null)).toBeNull();
	});

	test.each<[string, unknown]>([
		['decimal', '1e400'],
		['decimal', '.'],
		['decimal', '-'],
		['decimal', '.e5'],
		['integer', '+'],
		['decimal', '1e-400'],
		['decimal', '0.12345678901234567890'],
		['decimal', Number.NaN],
		['decimal', Number.POSITIVE_INFINITY],
		['decimal', '0x10'],
		['decimal', '1,5'],
		['decimal', '١٢'],
		['decimal', [1]],
		['decimal', true],
		['integer', '9007199254740993'],
		['integer', 9007199254740992],
		['integer', '9007199254740993.0'],
		['integer', 1.5],
		['string', Number.NaN],
		['string', 2 ** 64],
		['string', ['a']],
		['string', { a: 1 }],
		['boolean', [true]],
		['boolean', 2],
		['boolean', 'on'],
		['date', '2026-01'],
		['date', '2026-02-30'],
		['date', '2026-03-01T25:00'],
		['date', ['2026-03-01']],
		['date', 1],
		['date', new Date(Number.NaN)],
		['date-time', '2026-02-30T10:00'],
		['date-time', '2026-01'],
		['date-time', ['2026-03-01T10:00Z']],
		['date-time', { year: 2026 }],
		['date-time', 1767225600000],
		['geolocation', '1.2.3, 4'],
		['attachments', 'no address'],
		['geolocation', { lat: Number.NaN, lon: 1 }],
		['stringcollection', ['a', Number.NaN]],
		['stringcollection', [undefined]],
		['references', ['/e1', 5]],
		['reference', 'Alder & Finch'],
		['references', 'Alder & Finch, Birch'],
		['resource', 'Report'],
		['something new', Number.NaN],
		['something new', 5n],
	])('%s refuses %p', (type, value) => {
		expect(() => toServiceValue(field(type), value)).toThrow(
			`Column "F" requires a value of the type ${typeLabel(type)}`,
		);
	});

	test('a refusal explains what would be lost if this is not obvious', () => {
		expect(() => toServiceValue(field('integer'), '9007199254740993')).toThrow(
			'but got "9007199254740993": it has more digits than a number can represent',
		);
		expect(() => toServiceValue(field('string'), 2 ** 60)).toThrow('enter it as a text');
	});
});

describe('dates and times', () => {
	test.each<[unknown, string]>([
		['2026-03-01', '2026-03-01'],
		['2026-03-01T23:30:00-05:00', '2026-03-01'],
		['2026-03-01T00:30', '2026-03-01'],
		[new Date('2026-02-28T23:30:00Z'), '2026-03-01'],
		[dateTime('2026-03-01T23:30:00.000-05:00'), '2026-03-01'],
	])('the date of %p is the written one, or that in the time zone of the workflow', (value, expected) => {
		expect(toServiceValue(field('date'), value, BERLIN)).toBe(expected);
	});

	test.each<[unknown, string]>([
		['2026-01-15T12:00:00', '2026-01-15T11:00:00.000Z'],
		['2026-07-15 12:00', '2026-07-15T10:00:00.000Z'],
		['2026-03-29T03:30:00', '2026-03-29T01:30:00.000Z'],
		['2026-01-15', '2026-01-14T23:00:00.000Z'],
		['2026-01-15T12:00:00.123456', '2026-01-15T11:00:00.123456Z'],
		['2026-01-15T12:00:00.123456+02:00', '2026-01-15T12:00:00.123456+02:00'],
		['2026-01-15 12:00:00,5+0200', '2026-01-15T12:00:00.5+02:00'],
		['2026-01-15T24:00:00Z', '2026-01-16T00:00:00.000Z'],
		['Thu, 15 Jan 2026 12:00:00 GMT', '2026-01-15T12:00:00.000Z'],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
		[dateTime('2026-01-15T12:00:00.000+01:00'), '2026-01-15T12:00:00.000+01:00'],
	])('the time of %p', (value, expected) => {
		expect(toServiceValue(field('date-time'), value, BERLIN)).toBe(expected);
	});

	test('times that differ by less than a millisecond are equal, because services keep no finer digits', () => {
		const at = field('date-time');
		expect(sameValue(at, '2026-01-01T00:00:00.123400Z', '2026-01-01T01:00:00.1234+01:00')).toBe(true);
		expect(sameValue(at, '2026-01-01T00:00:00.1234Z', '2026-01-01T00:00:00.1235Z')).toBe(true);
		expect(sameValue(at, '2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00.124Z')).toBe(false);
	});
});

describe('an empty text', () => {
	test.each([
		'integer',
		'decimal',
		'date',
		'date-time',
		'boolean',
		'enum',
		'email',
		'uri',
		'phoneNumber',
		'user',
		'attachments',
		'signature',
	])('is no value of the type %s', (type) => {
		expect(toServiceValue(field(type), '')).toBeNull();
		expect(toServiceValue(field(type), '  ')).toBeNull();
	});

	test.each(['string', 'richText', 'something new'])('is a value of the type %s', (type) => {
		expect(toServiceValue(field(type), '')).toBe('');
	});
});

describe('types that are not in the specification', () => {
	test.each<[object | undefined, unknown, unknown]>([
		[{ type: 'number' }, '1.50', 1.5],
		[{ anyOf: [{ type: 'number' }, { type: 'null' }] }, '1.50', 1.5],
		[{ type: 'array', items: { type: 'string' } }, 'a, b', ['a', 'b']],
		[{ type: ['integer', 'null'] }, '5', 5],
		[{ type: 'boolean' }, 'true', true],
		[{ type: 'array' }, '[1]', [1]],
		[{ type: 'object' }, '{"a":1}', { a: 1 }],
		[{ type: 'string', format: 'date' }, '2026-03-01T10:00Z', '2026-03-01'],
		[{ type: 'string' }, '[5]', '[5]'],
		[undefined, '5', '5'],
		[undefined, '{"a":1}', { a: 1 }],
		[undefined, '{no json', '{no json'],
		[undefined, 5, 5],
	])('are typed by the schema of their values: %j', (schema, value, expected) => {
		expect(toServiceValue(field('rating', schema), value)).toEqual(expected);
	});
});

test('the query of the address of a row is ignored in comparisons', () => {
	const row = '/api/users/u/spaces/s/grids/g/entities/e';
	const reference = field('reference');
	expect(sameValue(reference, { uri: row }, { uri: `${row}?layout=property` })).toBe(true);
	expect(sameValue(field('references'), [{ uri: `${row}?a=1` }], [{ uri: row }])).toBe(true);
	const opaque = '/api/l/Zm9v/open';
	expect(sameValue(reference, { uri: `/v1${opaque}` }, { uri: opaque })).toBe(true);
	expect(sameValue(reference, { uri: `https://grid.example/v1${opaque}` }, { uri: opaque })).toBe(true);
	expect(
		sameValue(reference, { uri: `https://other.example${opaque}` }, { uri: `https://grid.example${opaque}` }),
	).toBe(false);
	expect(sameValue(reference, { uri: `${opaque}?row=1` }, { uri: `${opaque}?row=2` })).toBe(false);
	expect(sameValue(reference, { uri: '/a/open' }, { uri: '/open' })).toBe(false);
	expect(sameValue(reference, { uri: row }, { uri: `${row}2` })).toBe(false);
	expect(sameValue(reference, { uri: '/row?id=1' }, { uri: '/row?id=2' })).toBe(false);
});

test('objects without identifying members are compared as a whole', () => {
	expect(sameValue(field('reference'), { href: '/e1' }, { href: '/e2' })).toBe(false);
	expect(sameValue(field('attachments'), [{ uri: '/a' }], [{ uri: '/b' }])).toBe(false);
	expect(sameValue(field('user'), 'u1', { id: 'u1', displayValue: 'Ada' })).toBe(true);
});

describe('the same value in another notation', () => {
	test.each([
		['decimal', 1, '1.0', true],
		['integer', 0, null, false],
		['string', '', null, false],
		['string', '5', 5, true],
		['boolean', false, 'false', true],
		['boolean', false, null, false],
		['date-time', '2026-01-01T12:00:00Z', '2026-01-01T13:00:00+01:00', true],
		['date', '2026-01-01', '2026-01-02', false],
		['enumcollection', ['a', 'b'], ['b', 'a'], true],
		['stringcollection', ['a', 'b'], ['b', 'a'], false],
		['reference', { uri: '/e1', displayValue: 'One' }, '/e1', true],
		['address', { city: 'Oslo', line1: null }, { city: 'Oslo' }, true],
		['address', { city: 'Oslo', line1: 'x' }, { city: 'Oslo' }, false],
	])('%s: %j and %j', (type, one, other, same) => {
		expect(sameValue(field(type), one, other)).toBe(same);
	});
});

test('objects are compared by all their members, and times as points in time', () => {
	const place = field('geolocation');
	expect(sameValue(place, { lat: 1, constructor: 'x' }, { constructor: 'x', lat: 1 })).toBe(true);
	expect(sameValue(place, { lat: 1, constructor: 'x' }, { lat: 1 })).toBe(false);
	const unknown = field('moment');
	expect(sameValue(unknown, new Date(0), '1970-01-01T00:00:00.000Z')).toBe(true);
	expect(sameValue(unknown, new Date(0), new Date(1))).toBe(false);
});
