import { h } from '../elements/dom';
import { textOf } from '../values/cells';
import { FORMAT_LABELS, languageFormats } from '../values/languages';
import { CELL_FORMATS, formatsOf, plainCell, type CellFormat } from '../../rules/textFormats';

/** A way to read the texts of a column, and the type that the column then has. */
interface Reading {
	readonly format: CellFormat;
	readonly type: string;
}

/** By the texts as programs write them, the narrowest first: what they look like. */
const LOOKS: ReadonlyArray<readonly [type: string, looks: RegExp]> = [
	['integer', /^-?(0|[1-9]\d*)$/],
	['decimal', /^-?(0|[1-9]\d*)(\.\d+)?$/],
	['date', /^\d{4}-\d\d-\d\d$/],
	['boolean', /^(true|false)$/],
];

function plainTexts(texts: readonly string[], format: CellFormat) {
	try {
		return texts.map((text) => plainCell(text.trim(), format));
	} catch {
		return undefined;
	}
}

/**
 * Whether texts without groups are numbers with the same number of decimals, such as `3.50`.
 * Others with a point may be versions.
 */
const areAmounts = (texts: readonly string[]) =>
	texts.every((text) => /^-?\d+\.\d+$/.test(text)) &&
	new Set(texts.map((text) => text.length - text.indexOf('.'))).size === 1;

function looksLike(texts: readonly string[], { format, type }: Reading, looks: RegExp) {
	if (texts.length === 0 || !formatsOf(type).includes(format)) return false;
	if (['point', 'comma'].includes(format) && !texts.some((text) => /[.,]/.test(text))) return false;
	if (format === 'point' && !texts.some((text) => text.includes(',')) && !areAmounts(texts)) return false;
	// With points, the day always comes first.
	if (format === 'monthFirst' && texts.every((text) => text.includes('.'))) return false;
	return plainTexts(texts, format)?.every((text) => looks.test(text)) === true;
}

/**
 * How a column that the service reads as text, because a program would not write it so, may be
 * meant: `1.234,50`, `31.12.2026`, `yes`.
 * @param texts some of the column
 * @param isAccepted whether all texts of the file fit
 */
export async function readingsOf(
	texts: readonly string[],
	isAccepted: (reading: Reading) => Promise<boolean>,
) {
	const readings: Reading[] = [];
	for (const format of CELL_FORMATS)
		for (const [type, looks] of LOOKS) {
			const reading = { format, type };
			if (!looksLike(texts, reading, looks) || !(await isAccepted(reading))) continue;
			readings.push(reading);
			break;
		}
	return readings.sort((one, other) => Number(isUsual(other)) - Number(isUsual(one)));
}

/** Whether the language of the person writes so. */
const isUsual = ({ format }: Reading) => languageFormats.some((usual) => usual === format);

/** The value of a text as people read it. */
function shown(text: string, { format, type }: Reading) {
	const plain = plainCell(text.trim(), format);
	const value: unknown = ['date', 'boolean'].includes(type) ? plain : Number(plain);
	return type === 'boolean'
		? plain.replace('true', 'yes').replace('false', 'no')
		: textOf({ id: '', name: '', type: { name: type } }, value);
}

/**
 * A list of the readings of a column; the first one is chosen.
 * @param sample a text of the column
 * @param choose receives the type of a chosen reading; undefined for the text as it is
 */
export function readingChoice(
	column: string,
	{ sample, readings }: { sample: string; readings: readonly Reading[] },
	choose: (type: string | undefined) => void,
) {
	const options = readings.map((reading) => {
		const textContent = `${FORMAT_LABELS[reading.format]}: ${sample} is ${shown(sample, reading)}`;
		return h('option', { value: reading.format, textContent });
	});
	const asItIs = h('option', { value: '', textContent: 'As it is' });
	const properties = { 'aria-label': `How ${column} is written`, 'data-written': column };
	const select = h('select', properties, ...options, asItIs);
	select.addEventListener('change', () => {
		choose(readings.find(({ format }) => format === select.value)?.type);
	});
	return select;
}
