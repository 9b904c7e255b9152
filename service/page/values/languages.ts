import type { CellFormat, TextFormat } from '../../rules/textFormats';

/** What people call the formats. */
export const FORMAT_LABELS: Readonly<Record<CellFormat, string>> = {
	point: 'Decimal point',
	comma: 'Decimal comma',
	dayFirst: 'Day first',
	monthFirst: 'Month first',
	words: 'Yes and no',
};

const orderOf = () => new Intl.DateTimeFormat().formatToParts().map(({ type }) => type);
const decimal = new Intl.NumberFormat().formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;

/** Whether the language of the person writes 1.5 with a comma. */
export const hasComma = decimal === ',';

/** How the language of the person writes numbers, and days in figures. */
export const languageFormats: readonly TextFormat[] = [
	hasComma ? 'comma' : 'point',
	orderOf().indexOf('month') < orderOf().indexOf('day') ? 'monthFirst' : 'dayFirst',
];
