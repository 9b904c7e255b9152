/** Upper limits of numbers that mean seconds or milliseconds since 1970; above: microseconds. */
const LAST_SECOND = 1e11;
const LAST_MILLISECOND = 1e14;
/** The last moment of ECMAScript, up to which a date can be written in ISO 8601. */
const LAST_TIME = 8.64e15;

/** Seconds or milliseconds since 1970 as a text: those of 2001 to 2286. */
const NUMBER_TEXT = /^\d{10}(\d{3})?$/;

/** Whether a text is a number of seconds or milliseconds since 1970. */
export const isEpochText = (text: string): boolean => NUMBER_TEXT.test(text);

/**
 * Milliseconds since 1970 of a number of seconds, milliseconds or microseconds since then.
 * @returns undefined for any other value, and for moments before 1973, whose unit is unclear
 */
export function epochTime(given: unknown): number | undefined {
	const value = typeof given === 'string' && isEpochText(given) ? Number(given) : given;
	if (typeof value !== 'number' || value <= 1e8 || value > LAST_TIME) return undefined;
	const unit = value < LAST_SECOND ? 1000 : value < LAST_MILLISECOND ? 1 : 1e-3;
	return Math.floor(value * unit);
}
