import { fieldSchema } from '../../../../../client/resources/fields';
import { toServiceValue } from '../../../../../nodes/shared/rows/values';

const field = (type: string) => fieldSchema.parse({ id: 'f', name: 'F', type: { name: type } });

test.each([
	['date', 45092.85, 'a day number of a spreadsheet: 2023-06-15. Convert it: {{ DateTime.fromMillis('],
	['date', '45092', 'a day number of a spreadsheet: 2023-06-15'],
	['date-time', 45092.85, 'a day number of a spreadsheet: 2023-06-15'],
	['date-time', 1718000000, 'seconds since 1970: 2024-06-10. Convert it: {{ DateTime.fromSeconds('],
	['date', 1718000000000, 'milliseconds since 1970: 2024-06-10'],
	['date', -1, 'it is not a day such as 2026-03-01'],
	['date-time', 1e300, 'it is not a date and time such as'],
	[
		'decimal',
		NaN,
		'got NaN: its expression computes with a value that the input item does not have. To compute',
	],
	['integer', NaN, 'read the rows with Get Many and write them with Update'],
	['decimal', '1,5', 'use a decimal point'],
	['currency', '-1.234,50', 'use a decimal point'],
	['stringcollection', '[broken', 'it begins like JSON, but is not valid JSON'],
	['stringcollection', '"open, x', 'a quotation mark is not closed'],
])('%s refuses %j: %s', (type, value, reason) => {
	expect(() => toServiceValue(field(type), value)).toThrow(reason);
});

test('quotation marks keep the commas of a listed text', () => {
	const list = (text: string) => toServiceValue(field('stringcollection'), text);
	expect(list('Smith, "Jones, Al"')).toEqual(['Smith', 'Jones, Al']);
	expect(list('"say ""hi""", 6" pipe,,x ')).toEqual(['say "hi"', '6" pipe', 'x']);
});

test.each([
	['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00+01:00 or 2026-03-29T03:30:00+02:00'],
	['2026-03-08 02:00:00', 'America/New_York', '2026-03-08T01:00:00-05:00 or 2026-03-08T03:00:00-04:00'],
])('a time that clocks skip is refused with those around it: %s in %s', (text, timezone, around) => {
	expect(() => toServiceValue(field('date-time'), text, timezone)).toThrow(
		`clocks in ${timezone} skip this time. Write ${around}`,
	);
	expect(toServiceValue(field('date-time'), `${text}Z`, timezone)).toMatch(/Z$/);
});

test('a day whose midnight clocks skip is still a moment', () => {
	expect(toServiceValue(field('date-time'), '2026-04-24', 'Africa/Cairo')).toBe('2026-04-23T22:00:00.000Z');
});
