import { h } from '../elements/dom';
import { areFiles, fileLines, filesFrom } from './files';
import { areLinks, isLink, linkPicker, linksFrom, linkText } from './linkedRows';
import { numberOf } from './numbers';
import { nameOfUser, suggestPeople, userOfName } from './people';
import { richTextOf, textOfRich } from './richText';
import { momentOf } from './times';

const NUMBERS = ['integer', 'decimal', 'currency'];
const TEXTS = ['string', 'email', 'phoneNumber', 'uri', 'user', 'signature', 'richText'];
/** Inputs for texts of a certain form. */
const INPUT_TYPES = { email: 'email', phoneNumber: 'tel', uri: 'url' };
const COMPUTED = ['createdby', 'createdat', 'lookup', 'formula'];
/** Characters of a refused text that a message names. */
const MAX_NAMED = 100;
const LISTS = ['enumcollection', 'stringcollection'];

export const isNumber = ({ type }) => NUMBERS.includes(type.name);
export const isText = ({ type }) => TEXTS.includes(type.name);
export const isComputed = ({ type }) => COMPUTED.includes(type.name);
/** Whether a cell of this column is edited in place; for others, the whole row is opened. */
export const isSimple = ({ type }) =>
	NUMBERS.includes(type.name) ||
	TEXTS.includes(type.name) ||
	['boolean', 'date', 'date-time', 'enum'].includes(type.name);

export const optionsOf = ({ type }) => (type.options ?? []).map((option) => option.value ?? option);
const labelOf = ({ type }, value) =>
	(type.options ?? []).find((option) => option.value === value)?.label ?? value;

/** Whether a column holds moments, which are shown to the second. */
export const isTime = ({ type }) => type.name === 'date-time' || type.name === 'createdat';
const isMoment = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** The text of a cell. The history also has values of a former type of the column. */
export function textOf(field, value) {
	if (value === null || value === undefined) return '';
	const { name } = field.type;
	if (name === 'boolean') return value ? '✓ yes' : '✗ no';
	if (isTime(field) && isMoment(value)) return new Date(value).toLocaleString();
	if (name === 'enum') return labelOf(field, value);
	if (name === 'createdby' && typeof value === 'string') return nameOfUser(value);
	if (name === 'richText' && typeof value === 'string') return textOfRich(value);
	if (isLink(field) && areLinks([value].flat())) return [value].flat().map(linkText).join(', ');
	if (name === 'attachments' && areFiles(value)) return value.map((file) => file.name || file.url).join(', ');
	if (LISTS.includes(name) && Array.isArray(value)) return value.map((one) => labelOf(field, one)).join(', ');
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Whether a column accepts a value, which it may have had with another type or other options. */
export function accepts(field, value) {
	const { name } = field.type;
	if (value === null) return true;
	if (NUMBERS.includes(name)) return name === 'integer' ? Number.isInteger(value) : typeof value === 'number';
	if (name === 'boolean') return typeof value === 'boolean';
	if (name === 'enum') return optionsOf(field).includes(value);
	if (name === 'enumcollection') return Array.isArray(value) && value.every((one) => optionsOf(field).includes(one)); // prettier-ignore
	if (name === 'stringcollection') return Array.isArray(value);
	if (isLink(field)) return Array.isArray(value) === (name === 'references') && areLinks([value].flat());
	if (name === 'attachments') return areFiles(value);
	if (TEXTS.includes(name) || name === 'date' || isTime(field)) return typeof value === 'string';
	return typeof value === 'object';
}

/** A moment in local time, in the format of a date and time input. */
function localMoment(value) {
	const moment = new Date(value);
	return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** An input with the right editor for a column. */
export function editorOf(field, value, properties = {}) {
	const { name } = field.type;
	const none = value === null || value === undefined;
	if (name === 'boolean' || name === 'enum') {
		const choices = name === 'boolean' ? ['true', 'false'] : optionsOf(field);
		const options = ['', ...choices].map((one) =>
			h('option', {
				value: one,
				textContent: name === 'boolean' ? one && (one === 'true' ? 'yes' : 'no') : labelOf(field, one),
				selected: !none && String(value) === one,
			}),
		);
		return h('select', properties, ...options);
	}
	if (NUMBERS.includes(name))
		return h('input', {
			// An input of the type "number" reads 12,50 as 1250.
			type: 'text',
			inputMode: 'decimal',
			value: none ? '' : String(value),
			...properties,
		});
	if (name === 'date') return h('input', { type: 'date', value: none ? '' : value, ...properties });
	if (isTime(field))
		return h('input', {
			type: 'datetime-local',
			step: '1',
			value: none ? '' : localMoment(value),
			...properties,
		});
	if (TEXTS.includes(name) && name !== 'richText') {
		const input = textInput(value ?? '', { type: INPUT_TYPES[name] ?? 'text', ...properties });
		return name === 'user' && field.space ? suggestPeople(input, field.space) : input;
	}
	// A filter compares these with a text.
	const isWhole = typeof value !== 'string';
	if (isWhole && isLink(field) && field.linkedGrid) return linkPicker(field, value, field.linkedGrid);
	if (isWhole && name === 'attachments') return fileLines(value ?? [], properties);
	if (isWhole && name === 'enumcollection') return choices(field, value ?? [], properties);
	return h('textarea', { rows: 3, value: none ? '' : linesFor(field, value), ...properties });
}

/** The text of a value that is edited in several lines. */
function linesFor(field, value) {
	const { name } = field.type;
	if (typeof value === 'string')
		return ['richText', 'createdby'].includes(name) ? textOf(field, value) : value;
	if (isLink(field) && areLinks([value].flat())) return [value].flat().map(({ uri }) => uri).join('\n'); // prettier-ignore
	return LISTS.includes(name) ? listText(value) : JSON.stringify(value, null, 1);
}

/** An input for a text. One with line breaks has several lines, because an input removes them. */
export function textInput(value, { type, ...properties }) {
	return /[\r\n]/.test(value)
		? h('textarea', { rows: 3, value, ...properties })
		: h('input', { type, value, ...properties });
}

/** A check box for each option. Its `value` are the checked ones, as `listText`. */
function choices(field, chosen, properties) {
	const boxes = [...new Set([...optionsOf(field), ...chosen])].map((value) =>
		h('input', { type: 'checkbox', value, checked: chosen.includes(value) }),
	);
	const lines = boxes.map((box) => h('label', {}, box, ` ${labelOf(field, box.value)}`));
	const group = h('div', { role: 'group', className: 'choices', ...properties }, ...lines);
	const checked = () => boxes.filter((box) => box.checked).map((box) => box.value);
	return Object.defineProperty(group, 'value', { get: () => listText(checked()) });
}

const JSON_LIST = /^\s*\[\s*"/;
const linesOf = (text) => text.split(/\r\n?|\n/).map((one) => one.trim()).filter(Boolean); // prettier-ignore

/** The elements of a list, one per line; as JSON if lines would change them. */
function listText(list) {
	const text = list.join('\n');
	const isKept = !JSON_LIST.test(text) && JSON.stringify(linesOf(text)) === JSON.stringify(list);
	return isKept ? text : JSON.stringify(list, null, 1);
}

/** Names the column and the text in an error that continues "“text” …". */
function named(field, text, read) {
	try {
		return read();
	} catch ({ message }) {
		throw new Error(`${field.name}: “${text.slice(0, MAX_NAMED)}” ${message}`);
	}
}

/** Converts the text of an editor to a value of the service. @throws Error that names the column */
export function valueFrom(field, text) {
	const { name } = field.type;
	if (text === '') return null;
	if (NUMBERS.includes(name)) return named(field, text, () => numberOf(text.trim(), name === 'integer'));
	if (name === 'boolean') return text === 'true';
	if (isTime(field)) return named(field, text, () => momentOf(text.trim()));
	if (name === 'richText') return richTextOf(text);
	if (name === 'createdby') return userOfName(text);
	if (name === 'attachments' && text.startsWith('[')) return filesFrom(field, text);
	if (isLink(field)) return named(field, text, () => linksFrom(text, name === 'references'));
	if (LISTS.includes(name) && !JSON_LIST.test(text)) return linesOf(text);
	if (TEXTS.includes(name) || name === 'date' || name === 'enum' || !/^\s*[[{]/.test(text)) return text;
	try {
		return JSON.parse(text);
	} catch {
		throw new Error(`${field.name}: this is not valid JSON`);
	}
}
