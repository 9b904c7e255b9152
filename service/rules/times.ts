import { z } from 'zod/v4';

const EXPECTED = 'expected a time with offset, such as 2026-03-01T09:30:00.000Z';

/** A time whose offset has the basic format of ISO 8601, `+0100` or `+01`. */
const BASIC_OFFSET = /^(.{16,50}[+-]\d\d)(\d\d)?$/;

/** Completes an offset in the basic format: the colon, and the minutes. */
const toExtendedOffset = (text: string): string =>
	text.replace(BASIC_OFFSET, (_, start: string, minutes = '00') => `${start}:${minutes}`);

/** A time with offset (ISO 8601), with a colon in the offset. */
export const timeWithOffset = z
	.string(EXPECTED)
	.overwrite(toExtendedOffset)
	.check(z.iso.datetime({ offset: true, error: EXPECTED }))
	// zod checks the numbers of an offset no further than that they have two digits.
	.refine((text) => !Number.isNaN(Date.parse(text)), EXPECTED);

/** `toISOString` writes other years with more digits, which sort before all others as text. */
const FOUR_DIGIT_YEARS = {
	first: Date.parse('0000-01-01T00:00:00Z'),
	end: Date.parse('+010000-01-01T00:00:00Z'),
};

/** A value of `date-time`: stored in UTC, to the millisecond. */
export const storedTime = timeWithOffset
	.refine((text) => {
		const time = Date.parse(text);
		return !(time < FOUR_DIGIT_YEARS.first || time >= FOUR_DIGIT_YEARS.end);
	}, 'is outside the years 0000 to 9999 in UTC')
	// zod also transforms values that a previous check refused.
	.transform((text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()));
