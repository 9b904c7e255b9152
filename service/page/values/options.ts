import { h, type Child } from '../elements/dom';
import type { Column, Option } from '../session/schemas';

/** Colors for options with their names. Black is readable on them in both color schemes. */
export const PALETTE: ReadonlyArray<readonly [color: string, name: string]> = [
	['#d5dbe1', 'Gray'],
	['#f7bfbf', 'Red'],
	['#f9d0a4', 'Orange'],
	['#f5e49b', 'Yellow'],
	['#bde5bf', 'Green'],
	['#b0e2dc', 'Teal'],
	['#bcd9f7', 'Blue'],
	['#dacbf4', 'Purple'],
	['#f6c5e1', 'Pink'],
];

/** Options of a list that are shown. */
const MAX_SHOWN = 20;
/** Luminance on which black and white have the same contrast, of 4.6. */
const MIDDLE = 0.179;
/** The parts of red, green and blue in the luminance of a color (WCAG 2). */
const WEIGHTS = [0.2126, 0.7152, 0.0722];

type Typed = Pick<Column, 'type'>;

export const valueOfOption = (option: Option) => (typeof option === 'string' ? option : option.value);
export const labelOfOption = (option: Option) =>
	typeof option === 'string' ? option : (option.label ?? option.value);
/** The values of the options of a column. */
export const optionsOf = ({ type }: Typed) => (type.options ?? []).map(valueOfOption);
const optionOf = ({ type }: Typed, value: unknown) =>
	type.options?.find((option) => valueOfOption(option) === value);
/** The label of the value of an option; another value is its own label. */
export function labelOf(column: Typed, value: unknown) {
	const option = optionOf(column, value);
	return option === undefined ? String(value) : labelOfOption(option);
}

/** The color of an option, in the words of whoever chose it; empty without one. */
export const colorOfOption = (option: Option) => (typeof option === 'string' ? '' : (option.color ?? ''));

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

function luminance(color: string) {
	const part = (place: number) => parseInt(color.slice(1 + 2 * place, 3 + 2 * place), 16) / 255;
	return WEIGHTS.reduce((sum, weight, place) => sum + weight * linear(part(place)), 0);
}

/** Whether a color has the form of the palette; other clients may store others. */
const isKnown = (color: string) => /^#[0-9a-f]{6}$/i.test(color);

/** Gives an element a color with readable text; one of another form is not shown. */
export function paint<E extends HTMLElement>(element: E, color: string): E {
	const isShown = isKnown(color);
	element.style.background = isShown ? color : '';
	element.style.color = isShown ? (luminance(color) > MIDDLE ? '#000' : '#fff') : '';
	return element;
}

/** Gives an element the color of the option that has a value. */
export function paintAs<E extends HTMLElement>(element: E, column: Typed, value: unknown): E {
	const option = optionOf(column, value);
	return paint(element, option ? colorOfOption(option) : '');
}

/** The chosen options in their colors; undefined if none has a color. */
export function optionNodes(column: Typed, value: unknown): Child[] | undefined {
	if (!['enum', 'enumcollection'].includes(column.type.name)) return undefined;
	const values: unknown[] = Array.isArray(value) ? value : [value];
	const shown = values.slice(0, MAX_SHOWN);
	if (!shown.some((one) => isKnown(colorOfOption(optionOf(column, one) ?? '')))) return undefined;
	const nodes = shown.flatMap((one) => [
		paintAs(h('span', { className: 'option', textContent: labelOf(column, one) }), column, one),
		' ',
	]);
	return values.length > MAX_SHOWN ? [...nodes, '…'] : nodes.slice(0, -1);
}
