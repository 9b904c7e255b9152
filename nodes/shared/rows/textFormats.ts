import { type Field, InvalidInput } from '../../../client';
import { typeLabel } from './columnTypes';
import { InvalidCell } from './conversion';
import { valueTypeOf } from './valueTypes';

export type NumberFormat = 'point' | 'comma';
export type DateFormat = 'dayFirst' | 'monthFirst';

/** How texts write numbers and dates. ISO 8601 dates are read in every format. */
export interface TextFormats {
	number: NumberFormat;
	date: DateFormat;
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'decimal', 'currency']);
const DATES: ReadonlySet<string> = new Set(['date', 'date-time']);

/** Blanks within a number, and the currency around it, say nothing of its format. */
const AROUND_NUMBER = /^[\s\u00a0$€£]+|[\s\u00a0$€£]+$/g;
const GROUPS = String.raw`[1-9]\d{0,2}(?:[\u0020\u00a0\u202f'’SIGN]\d{3})+`;
const written = (sign: string, point: string) =>
	new RegExp(String.raw`^[+-]?(?:(?:${GROUPS.replace('SIGN', sign)}|\d+)(?:${point}\d*)?|${point}\d+)$`);
/** Numbers with their thousands separated, or in the notation of programs. */
const READERS: Readonly<Record<NumberFormat, RegExp>> = {
	point: written(',', String.raw`\.`),
	comma: written('.', ','),
};
const SCIENTIFIC = /^[+-]?\d+(?:\.\d+)?e[+-]?\d+$/i;

/** The text of a number with a decimal point and without groups; undefined if it is none. */
function numberText(text: string, format: NumberFormat): string | undefined {
	const bare = text.replaceAll(AROUND_NUMBER, '');
	if (SCIENTIFIC.test(bare)) return bare;
	if (!READERS[format].test(bare)) return undefined;
	const [whole = '', fraction] = bare.split(format === 'point' ? '.' : ',');
	return `${whole.replaceAll(/[^\d+-]/g, '')}${fraction === undefined ? '' : `.${fraction}`}`;
}

const NUMERIC_DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[T ,]+(\d{1,2}:\d{2}(?::\d{2})?))?$/;

/** The ISO 8601 text of a day, with its time if it has one; undefined if it is none. */
function dateText(text: string, format: DateFormat): string | undefined {
	const [matched, first = '', sign, second = '', year, time] = NUMERIC_DATE.exec(text.trim()) ?? [];
	if (matched === undefined) return undefined;
	const isDayFirst = format === 'dayFirst' || sign === '.';
	const [day, month] = isDayFirst ? [first, second] : [second, first];
	if (Number(month) > 12 || Number(month) < 1 || Number(day) > 31 || Number(day) < 1) return undefined;
	const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	return time === undefined ? iso : `${iso}T${time.replace(/^(?=\d:)/, '0')}`;
}

/** Whether texts of a column depend on the format. */
export const hasFormat = (field: Field): boolean =>
	NUMBERS.has(valueTypeOf(field)) || DATES.has(valueTypeOf(field));

/** What a number or day is in each format; undefined for other columns, values and notations. */
export function readings(field: Field, value: unknown): Array<string | undefined> | undefined {
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const type = valueTypeOf(field);
	if (NUMBERS.has(type)) return [numberText(value, 'point'), numberText(value, 'comma')];
	if (DATES.has(type) && NUMERIC_DATE.test(value.trim()))
		return [dateText(value, 'dayFirst'), dateText(value, 'monthFirst')];
	return undefined;
}

/**
 * A text of a number or day as every account reads it; other values unchanged.
 * @throws InvalidCell if the text is none in this format
 */
export function inFormat(field: Field, value: unknown, formats: ChosenFormats): unknown {
	const both = readings(field, value);
	const format = NUMBERS.has(valueTypeOf(field)) ? formats.number : formats.date;
	if (!both || !format) return value;
	const [first, second] = both;
	const text = format === 'point' || format === 'dayFirst' ? first : second;
	if (text !== undefined) return text;
	if (first === undefined && second === undefined) return value;
	throw new InvalidCell(
		field,
		new InvalidInput(
			`Column "${field.name}" requires a value of the type ${typeLabel(field.type.name)}, but "${String(value)}" is none in the format ${FORMATS[format]}`,
			'Choose the format under "Formats", or correct the value.',
		),
	);
}

/** Formats of which some may be left to the texts. */
export type ChosenFormats = { readonly [Kind in keyof TextFormats]: TextFormats[Kind] | undefined };

/** Labels with an example. */
export const FORMATS: Readonly<Record<NumberFormat | DateFormat, string>> = {
	point: '1,234.50',
	comma: '1.234,50',
	dayFirst: 'day first (31.12.2026, 31/12/2026)',
	monthFirst: 'month first (12/31/2026)',
};

/** A text that has another meaning in each format. */
interface Ambiguous {
	field: Field;
	text: string;
	readings: readonly [string, string];
}

/** Finds out from all texts of a source in which formats it writes numbers and dates. */
export class FormatDetection {
	private readonly number = new Evidence('point', 'comma');
	private readonly date = new Evidence('dayFirst', 'monthFirst');

	add(field: Field, value: unknown): void {
		const both = readings(field, value);
		if (both) (NUMBERS.has(valueTypeOf(field)) ? this.number : this.date).add(field, String(value), both);
	}

	/**
	 * The formats, where a chosen one takes precedence.
	 * @throws InvalidInput naming both readings of a text if nothing tells which one is meant
	 */
	formats(chosen: ChosenFormats): { formats: TextFormats; guessed: string[] } {
		const { number = this.number.decided('Number Format'), date = this.date.decided('Date Format') } = chosen;
		const guessed = [
			...(chosen.number === undefined && this.number.isGuess(number) ? [FORMATS[number]] : []),
			...(chosen.date === undefined && this.date.isGuess(date) ? [FORMATS[date]] : []),
		];
		return { formats: { number, date }, guessed };
	}
}

/** A number without zeros at its end, or a day. */
const shown = (text: string) => (Number.isNaN(Number(text)) ? text : String(Number(text)));

class Evidence<Format extends NumberFormat | DateFormat> {
	private hasFirst = false;
	private hasSecond = false;
	private ambiguous: Ambiguous | undefined;

	constructor(
		private readonly first: Format,
		private readonly second: Format,
	) {}

	add(field: Field, text: string, [one, other]: ReadonlyArray<string | undefined>): void {
		if (one !== undefined && other !== undefined) {
			if (Number(one) === Number(other) || one === other) return;
			this.ambiguous ??= { field, text, readings: [shown(one), shown(other)] };
		} else if (one !== undefined) this.hasFirst = true;
		else if (other !== undefined) this.hasSecond = true;
	}

	/** Whether texts told that the format is not the one of programs. */
	isGuess(format: Format): boolean {
		return format === this.second || this.ambiguous !== undefined;
	}

	decided(option: string): Format {
		const { hasFirst, hasSecond, ambiguous } = this;
		if (hasFirst !== hasSecond) return hasFirst ? this.first : this.second;
		if (!ambiguous) return this.first;
		const [one, other] = ambiguous.readings;
		throw new InvalidInput(
			`"${ambiguous.text}" in the column "${ambiguous.field.name}" may be ${one} or ${other}, and no other value tells which; nothing was written`,
			`Add "Formats" under Options, and choose "${option}".`,
		);
	}
}
