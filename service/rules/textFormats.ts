/** How the cells of a column are written; `words` are those for yes and no. */
export const CELL_FORMATS = ['point', 'comma', 'dayFirst', 'monthFirst', 'words'] as const;
export type CellFormat = (typeof CELL_FORMATS)[number];
/** How texts write numbers, or days with month and day in figures. */
export type TextFormat = Exclude<CellFormat, 'words'>;

/** Formats of the types whose texts people write otherwise than programs. */
const FORMATS = new Map<string, readonly CellFormat[]>([
	['integer', ['point', 'comma']],
	['decimal', ['point', 'comma']],
	['currency', ['point', 'comma']],
	// Days with a time depend on the time zone of the person.
	['date', ['dayFirst', 'monthFirst']],
	['boolean', ['words']],
]);
export const formatsOf = (type: string): readonly CellFormat[] => FORMATS.get(type) ?? [];

/** A text that is none in its format; the message continues "“text” …". */
export class OtherFormat extends Error {}

const CURRENCIES = /^[\s$€£¥]+|[\s$€£¥]+$/g;
/** Day and month in either order, the year, and a time. */
const DAY = /^(\d\d?)([./-])(\d\d?)\2(\d{4})(?:,? +(\d\d?)(:\d\d(?::\d\d)?))?$/;

/** A number as programs write it, without groups and currency. */
function plainNumber(text: string, decimal: string, group: string) {
	const bare = text.replace(CURRENCIES, '').replace(/^\+/, '');
	if (/e/i.test(bare)) return bare;
	const [whole = '', ...fraction] = bare.split(decimal);
	const [first = '', ...groups] = whole.split(new RegExp(`[${group}'’\\s]`));
	const isGrouped = /^-?[1-9]\d{0,2}$/.test(first) && groups.every((one) => /^\d{3}$/.test(one));
	if (fraction.length > 1 || (groups.length > 0 && !isGrouped))
		throw new OtherFormat(`is not a number with a decimal ${decimal === ',' ? 'comma' : 'point'}`);
	return [first, ...groups].join('') + (fraction[0] === undefined ? '' : `.${fraction[0]}`);
}

/** A day as in ISO 8601; other texts as they are. */
function plainDay(text: string, isDayFirst: boolean) {
	const [, one = '', sign, other = '', year, hours, minutes] = DAY.exec(text) ?? [];
	if (year === undefined) return text;
	// With points, the day always comes first.
	const [day, month] = isDayFirst || sign === '.' ? [one, other] : [other, one];
	const time = hours === undefined ? '' : ` ${hours.padStart(2, '0')}${minutes}`;
	return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time}`;
}

/**
 * The text of a number or day as the page reads it.
 * @throws OtherFormat
 */
export function plainText(text: string, format: TextFormat) {
	if (format === 'point') return plainNumber(text, '.', ',');
	return format === 'comma' ? plainNumber(text, ',', '.') : plainDay(text, format === 'dayFirst');
}

/** Reads yes or no. @throws OtherFormat */
export function truthOf(text: string) {
	if (/^(true|yes|ja|wahr|oui|1)$/i.test(text)) return true;
	if (/^(false|no|nein|falsch|non|0)$/i.test(text)) return false;
	throw new OtherFormat('is neither yes nor no');
}

/** The text of a cell as programs write it. @throws OtherFormat */
export const plainCell = (text: string, format: CellFormat) =>
	format === 'words' ? String(truthOf(text)) : plainText(text, format);
