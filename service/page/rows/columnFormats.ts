import { h, labelled } from '../elements/dom';
import type { Field } from '../session/schemas';
import { isNumber, textOf } from '../values/cells';
import { optionsOf } from '../values/options';
import { newOptions, valueOfText } from '../values/clipboard';
import { FORMAT_LABELS, languageFormats } from '../values/languages';
import { plainText, type TextFormat } from '../../rules/textFormats';

/** Maximum number of options that are offered. */
const MAX_OPTIONS = 200;
const MAX_NAMED = 5;

/** The formats between which texts of a column may leave a choice. */
function formatsFor(field: Field): readonly TextFormat[] {
	if (isNumber(field)) return ['point', 'comma'];
	return ['date', 'date-time'].includes(field.type.name) ? ['dayFirst', 'monthFirst'] : [];
}

/** The value of a text in a format; undefined if it is none. */
function readAs(field: Field, text: string, format: TextFormat) {
	try {
		return valueOfText(field, plainText(text, format));
	} catch {
		return undefined;
	}
}

/**
 * A list that says how the texts of a column are written: as most of them fit, and as the language
 * of the person writes it where all fit both. It is shown where the choice matters.
 */
export function formatChoice(field: Field) {
	const formats = formatsFor(field);
	const select = h('select', {});
	const node = labelled(`How ${field.name} is written`, select);
	const show = (texts: readonly string[]) => {
		const read = formats.map((format) => ({ format, values: texts.map((text) => readAs(field, text, format)) }));
		const misfits = ({ values }: (typeof read)[number]) => values.filter((value) => value === undefined).length;
		const isDefault = ({ format }: (typeof read)[number]) => languageFormats.includes(format);
		const best = [...read].sort((one, other) => misfits(one) - misfits(other) || Number(isDefault(other)) - Number(isDefault(one)))[0];
		const [first, second] = read;
		const sample = texts.findIndex((_, index) => first?.values[index] !== second?.values[index]);
		node.hidden = sample < 0;
		const options = read.map((one) => {
			const value = one.values[sample];
			const meaning = value === undefined ? 'does not fit' : `is ${textOf(field, value)}`;
			const rest = misfits(one) === 0 ? 'all values fit' : `${misfits(one)} of ${texts.length} values do not fit`;
			const textContent = `${FORMAT_LABELS[one.format]}: ${texts[sample] ?? ''} ${meaning}, ${rest}`;
			return h('option', { value: one.format, textContent, selected: one === best });
		});
		select.replaceChildren(...options);
	};
	return {
		node: formats.length > 0 && node,
		show,
		chosen: () => formats.find((format) => format === select.value),
	};
} // prettier-ignore

/** Offers to add the texts of a column that are none of its options. */
export function optionOffer(field: Field) {
	const check = h('input', { type: 'checkbox', checked: true });
	const label = h('span', {});
	const node = h('p', { hidden: true }, h('label', {}, check, ' ', label));
	let missing: readonly string[] = [];
	const show = (texts: readonly string[]) => {
		const found = [...new Set(texts.flatMap((text) => newOptions(field, text)))].sort();
		const room = MAX_OPTIONS - optionsOf(field).length;
		missing = field._links.update && found.length <= room ? found : [];
		node.hidden = missing.length === 0;
		const named = missing.slice(0, MAX_NAMED).join(', ');
		const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
		label.textContent = `Add to the options of ${field.name}: ${named}${more}`;
	};
	return {
		node: ['enum', 'enumcollection'].includes(field.type.name) && node,
		show,
		chosen: () => (check.checked ? missing : []),
	};
}
