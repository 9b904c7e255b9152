import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { localDate, offsetAt, parseMoment, toTimestamp } from '../../../../client/formats/moment';

const iso = (value: unknown, timezone = 'UTC') => {
	const timestamp = toTimestamp(value, timezone);
	return timestamp === undefined ? undefined : new Date(timestamp).toISOString();
};

/** Minutes by which each zone is behind UTC in January. */
const OFFSETS = { UTC: 0, 'America/New_York': 300, 'Pacific/Kiritimati': -840 };

/** `process.env` of Jest does not affect the clock, so a child process parses the texts. */
test.each(['UTC', 'America/New_York', 'Pacific/Kiritimati'] as const)(
	'a moment is read the same in a process whose time zone is %s',
	(TZ: keyof typeof OFFSETS) => {
		const file = resolve(__dirname, '../../../../client/formats/moment.ts');
		const script = `
			const exported = require(${JSON.stringify(file)});
			const moments = ['2026-01-15T12:00:00', '2026-01-15', 'Sun, 06 Nov 1994 08:49:37 GMT'];
			const read = moments.map((text) => exported.toTimestamp(text, 'Europe/Berlin'));
			const processZone = new Date(2026, 0, 15).getTimezoneOffset();
			console.log(JSON.stringify([...read, exported.localDate(Date.UTC(2026, 0, 14, 23, 30), 'Europe/Berlin'), processZone]));`;
		const output = execFileSync(process.execPath, ['--import', 'tsx', '-e', script], {
			env: { ...process.env, TZ },
		});
		expect(JSON.parse(String(output))).toEqual([
			Date.UTC(2026, 0, 15, 11),
			Date.UTC(2026, 0, 14, 23),
			Date.UTC(1994, 10, 6, 8, 49, 37),
			'2026-01-15',
			OFFSETS[TZ],
		]);
	},
);

describe('with an offset', () => {
	test.each([
		['2026-03-01T12:00:00+01:00', '2026-03-01T11:00:00.000Z'],
		['2026-03-01T12:00:00.250123+0100', '2026-03-01T11:00:00.250Z'],
		['2026-03-01 12:00:00,5-03', '2026-03-01T15:00:00.500Z'],
		['2026-03-01 12:00:00 +01:00', '2026-03-01T11:00:00.000Z'],
		['2026-03-01t12:00z', '2026-03-01T12:00:00.000Z'],
		[' 2026-03-01T12:00Z ', '2026-03-01T12:00:00.000Z'],
		['2026-03-01T23:30:00-23:59', '2026-03-02T23:29:00.000Z'],
		['0099-12-31T24:00:00Z', '0100-01-01T00:00:00.000Z'],
		['0000-01-01T00:00Z', '0000-01-01T00:00:00.000Z'],
		['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
		['Sun, 01 Mar 2026 12:00:00 +0100', '2026-03-01T11:00:00.000Z'],
		['6 Nov 1994 09:49:37 GMT', '1994-11-06T09:49:37.000Z'],
	])('%s', (text, expected) => {
		expect(iso(text, 'Asia/Tokyo')).toBe(expected);
	});
});

describe('without an offset, in the time zone that is given', () => {
	test.each([
		['2026-07-15T12:00:00', 'America/New_York', '2026-07-15T16:00:00.000Z'],
		['2026-07-15 12:00', 'Asia/Kolkata', '2026-07-15T06:30:00.000Z'],
		['2026-03-29T03:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
		['2026-03-29T01:59:59.999', 'Europe/Berlin', '2026-03-29T00:59:59.999Z'],
		['1960-01-01T00:00:00', 'Africa/Monrovia', '1960-01-01T00:44:30.000Z'],
		['2011-12-31T00:00:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
		['0050-06-01T00:00:00', 'UTC', '0050-06-01T00:00:00.000Z'],
	])('%s in %s', (text, timezone, expected) => {
		expect(iso(text, timezone)).toBe(expected);
	});

	test('a skipped hour is read with the offset before it, a repeated hour as its first occurrence', () => {
		expect(iso('2026-03-29T02:30:00', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
		expect(iso('2026-10-25T02:30:00', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
		expect(iso('2026-03-08T02:30:00', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
		expect(iso('2026-11-01T01:30:00', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
	});
});

test('24:00 is the end of the day, with any offset', () => {
	expect(iso('2026-02-28T24:00')).toBe('2026-03-01T00:00:00.000Z');
	expect(iso('2026-12-31T24:00:00.000+01:00')).toBe('2026-12-31T23:00:00.000Z');
});

test.each([
	'2026-02-30',
	'2026-02-30T10:00',
	'2025-02-29T10:00Z',
	'2026-04-31T00:00Z',
	'2026-00-10',
	'2026-13-01',
	'2026-01-00',
	'2026-01',
	'2026',
	'2026-W10-1',
	'2026-060',
	'26-01-01',
	'+002026-01-01T00:00Z',
	'2026-01-01T',
	'2026-01-01T10',
	'2026-01-01T10Z',
	'2026-01-01T24:00:01',
	'2026-01-01T24:00:00.0001',
	'2026-01-01T24:01',
	'2026-01-01T25:00',
	'2026-01-01T10:60',
	'2026-06-30T23:59:60Z',
	'2026-01-01T10:00+24:00',
	'2026-01-01T10:00+01:60',
	'2026-01-01T10:00:00.Z',
	'2026-01-01T10:00 Europe/Berlin',
	'2026-01-01 and more',
	'Mon, 30 Feb 2026 10:00:00 GMT',
	'Sun, 06 Foo 1994 08:49:37 GMT',
	'0',
	'Sunday, 06-Nov-94 08:49:37 GMT',
	'Sun Nov  6 08:49:37 1994',
	'March 1, 2026',
	'01/02/2026',
	'last week',
	'',
	'1767225600000',
])('%j is no moment', (text) => {
	expect(parseMoment(text)).toBeUndefined();
	expect(toTimestamp(text, 'UTC')).toBeUndefined();
});

test('only texts, dates and objects with an ISO 8601 toJSON are moments', () => {
	const luxon = { toJSON: () => '2026-03-01T12:00:00.000+01:00' };
	expect(iso(luxon, 'Asia/Tokyo')).toBe('2026-03-01T11:00:00.000Z');
	expect(iso(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
	const others = [new Date(Number.NaN), { toJSON: () => null }, {}, [], 1767225600000, true, null, undefined];
	expect(others.map((value) => iso(value))).toEqual(others.map(() => undefined));
});

test('the parts of a text are distinguished: date, time of day, offset', () => {
	expect(parseMoment('2026-03-01')).toEqual({
		date: '2026-03-01',
		wall: Date.UTC(2026, 2, 1),
		hasTime: false,
		offset: undefined,
	});
	expect(parseMoment('2026-03-01T00:00')).toMatchObject({ hasTime: true, offset: undefined });
	expect(parseMoment('2026-03-01T00:00Z')).toMatchObject({ hasTime: true, offset: 0 });
	expect(parseMoment('2026-03-01T00:00-03:30')).toMatchObject({ offset: -12_600_000 });
});

test('the day at a moment is that of the time zone', () => {
	expect(localDate(Date.UTC(2026, 0, 1, 2), 'America/New_York')).toBe('2025-12-31');
	expect(localDate(Date.UTC(2026, 0, 1, 2), 'UTC')).toBe('2026-01-01');
	expect(localDate(Date.UTC(12026, 0, 1), 'UTC')).toBe('+012026-01-01');
	expect(offsetAt(-1, 'Europe/Berlin')).toBe(3_600_000);
});
