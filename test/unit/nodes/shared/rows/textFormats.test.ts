import { fieldSchema } from '../../../../../client';
import { FormatDetection, inFormat, type ChosenFormats } from '../../../../../nodes/shared/rows/textFormats';
import { toServiceValue } from '../../../../../nodes/shared/rows/values';
import { textFormatCases } from '../../../../fixtures/textFormats';

const fieldOf = (type: string) => fieldSchema.parse({ id: 'f1', name: 'Value', type: { name: type } });

function converted(type: string, text: string, formats: ChosenFormats): unknown {
	const field = fieldOf(type);
	try {
		return toServiceValue(field, inFormat(field, text, formats));
	} catch {
		return undefined;
	}
}

test.each(textFormatCases)('$text as $type is $first or $second', ({ text, type, first, second }) => {
	expect([
		converted(type, text, { number: 'point', date: 'dayFirst' }),
		converted(type, text, { number: 'comma', date: 'monthFirst' }),
	]).toEqual([first, second]);
});

/** @returns the formats that all texts of a source tell */
function detected(texts: readonly string[], type = 'decimal', chosen: Partial<ChosenFormats> = {}) {
	const detection = new FormatDetection();
	for (const text of texts) detection.add(fieldOf(type), text);
	return detection.formats({ number: undefined, date: undefined, ...chosen });
}

test.each([
	[['12,50', '1.000'], 'decimal', { number: 'comma' }, ['1.234,50']],
	[['12.50', '1.000'], 'decimal', { number: 'point' }, ['1,234.50']],
	[['1000', '7'], 'decimal', { number: 'point' }, []],
	[['1.000', '0.125'], 'decimal', { number: 'point' }, ['1,234.50']],
	[['01/02/2026', '31/12/2026'], 'date', { date: 'dayFirst' }, [expect.stringContaining('day first')]],
	[['01/02/2026', '12/31/2026'], 'date', { date: 'monthFirst' }, [expect.stringContaining('month first')]],
	[['31.12.2026', '2026-12-31'], 'date', { date: 'dayFirst' }, []],
])('%j of the type %s are read as %j', (texts, type, formats, guessed) => {
	expect(detected(texts, type)).toMatchObject({ formats, guessed });
});

test('a text with two meanings is refused with both, unless the format is chosen', () => {
	expect(() => detected(['1.000', '2.500'])).toThrow('"1.000" in the column "Value" may be 1 or 1000');
	expect(() => detected(['01/02/2026'], 'date')).toThrow('may be 2026-02-01 or 2026-01-02');
	expect(detected(['1.000'], 'integer', { number: 'comma' }).formats.number).toBe('comma');
	// Both formats in one source tell nothing.
	expect(() => detected(['12,5', '12.5', '1.000'])).toThrow('may be 1 or 1000');
});
