import { messageOf } from '../session/api';
import { textIn, type Column, type FieldType } from '../session/schemas';
import { h, withValue, type Editor, type Properties } from '../elements/dom';
import { areFiles, fileLines, filesFrom } from './files';
import { isLink, linkPicker, linksFrom, linksIn, linkText, offeredRows, rowsOfGrid } from './linkedRows';
import { editedNumber, numberText, typedNumber } from './numbers';
import { labelOf, optionsOf, paintAs } from './options';
import { nameOfUser, suggestPeople, userOfName } from './people';
import { richTextOf, textOfRich } from './richText';
import { dayText, momentOf } from './times';

const NUMBERS = ['integer', 'decimal', 'currency'];
const TEXTS = ['string', 'email', 'phoneNumber', 'uri', 'user', 'signature', 'richText'];
/** Inputs for texts of a certain form. */
const INPUT_TYPES = new Map([
	['email', 'email'],
	['phoneNumber', 'tel'],
	['uri', 'url'],
]);
const COMPUTED = ['createdby', 'createdat', 'lookup', 'formula'];
/** Characters of a refused text that a message names. */
const MAX_NAMED = 100;
/** What tells how the cells of a column look. */
type Typed = { readonly type: FieldType };

const LISTS = ['enumcollection', 'stringcollection'];

export const isNumber = ({ type }: Typed) => NUMBERS.includes(type.name);
export const isText = ({ type }: Typed) => TEXTS.includes(type.name);
export const isComputed = ({ type }: Typed) => COMPUTED.includes(type.name);
/** Whether a cell of this column is edited in place; for others, the whole row is opened. */
export const isSimple = ({ type }: Typed) =>
	NUMBERS.includes(type.name) ||
	TEXTS.includes(type.name) ||
	['boolean', 'date', 'date-time', 'enum'].includes(type.name);

/** Whether a column holds moments, which are shown to the second. */
export const isTime = ({ type }: Typed) => type.name === 'date-time' || type.name === 'createdat';
const isMoment = (value: string) => !Number.isNaN(Date.parse(value));

/** The text of a cell. The history also has values of a former type of the column. */
export function textOf(field: Column, value: unknown): string {
	if (value === null || value === undefined) return '';
	const { name } = field.type;
	const isYes = Boolean(value);
	if (name === 'boolean') return isYes ? '✓ yes' : '✗ no';
	if (isTime(field) && typeof value === 'string' && isMoment(value)) return new Date(value).toLocaleString();
	if (name === 'date' && typeof value === 'string') return dayText(value);
	if (isNumber(field) && typeof value === 'number') return numberText(value, name);
	if (name === 'enum') return labelOf(field, value);
	if (name === 'createdby' && typeof value === 'string') return nameOfUser(value);
	if (name === 'richText' && typeof value === 'string') return textOfRich(value);
	const links = isLink(field) ? linksIn(value) : undefined;
	if (links) return links.map(linkText).join(', ');
	if (name === 'attachments' && areFiles(value)) return value.map((file) => file.name || file.url).join(', ');
	if (LISTS.includes(name) && Array.isArray(value)) return value.map((one) => labelOf(field, one)).join(', ');
	return textIn(value);
}

/** Whether a column accepts a value, which it may have had with another type or other options. */
export function accepts(field: Column, value: unknown) {
	const { name } = field.type;
	if (value === null) return true;
	if (NUMBERS.includes(name)) return name === 'integer' ? Number.isInteger(value) : typeof value === 'number';
	if (name === 'boolean') return typeof value === 'boolean';
	const options: readonly unknown[] = optionsOf(field);
	if (name === 'enum') return options.includes(value);
	if (name === 'enumcollection') return Array.isArray(value) && value.every((one) => options.includes(one)); // prettier-ignore
	if (name === 'stringcollection') return Array.isArray(value);
	if (isLink(field)) return Array.isArray(value) === (name === 'references') && linksIn(value) !== undefined;
	if (name === 'attachments') return areFiles(value);
	if (TEXTS.includes(name) || name === 'date' || isTime(field)) return typeof value === 'string';
	return typeof value === 'object';
}

/** A moment in local time, in the format of a date and time input. */
function localMoment(value: string) {
	const moment = new Date(value);
	return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Properties that an editor of any kind may get. */
type EditorProperties = {
	readonly className?: string;
	readonly required?: boolean;
	readonly 'aria-label'?: string;
};

/** An input with the right editor for a column. */
export function editorOf(field: Column, value: unknown, properties: EditorProperties = {}): Editor {
	const { name } = field.type;
	const text = textIn(value);
	if (name === 'boolean' || name === 'enum') {
		const choices = name === 'boolean' ? ['true', 'false'] : optionsOf(field);
		const options = ['', ...choices].map((one) => {
			const textContent = name === 'boolean' ? one && (one === 'true' ? 'yes' : 'no') : labelOf(field, one);
			const selected = one !== '' && text === one;
			return paintAs(h('option', { value: one, textContent, selected }), field, one);
		});
		return h('select', properties, ...options);
	}
	if (NUMBERS.includes(name))
		return h('input', {
			// An input of the type "number" reads 12,50 as 1250.
			type: 'text',
			inputMode: 'decimal',
			value: typeof value === 'number' ? editedNumber(value) : text,
			...properties,
		});
	if (name === 'date') return h('input', { type: 'date', value: text, ...properties });
	if (isTime(field))
		return h('input', {
			type: 'datetime-local',
			step: '1',
			value: text && localMoment(text),
			...properties,
		});
	if (TEXTS.includes(name) && name !== 'richText') {
		const input = textInput(text, { type: INPUT_TYPES.get(name) ?? 'text', ...properties });
		return name === 'user' && field.space ? suggestPeople(input, field.space) : input;
	}
	// A filter compares these with a text.
	const isWhole = typeof value !== 'string';
	if (isWhole && isLink(field)) {
		const { offer, linkedGrid } = field;
		const rows = offer ? offeredRows(offer) : linkedGrid && rowsOfGrid(linkedGrid);
		if (rows) return linkPicker(field, linksIn(value) ?? [], rows);
	}
	if (isWhole && name === 'attachments') return fileLines(areFiles(value) ? value : [], nameOf(properties));
	if (isWhole && name === 'enumcollection') return choices(field, textsOf(value), nameOf(properties));
	return h('textarea', { rows: 3, value: text && linesFor(field, value), ...properties });
}

/** The properties of an editor that is a group of inputs. */
const nameOf = ({ 'aria-label': label }: EditorProperties) =>
	label === undefined ? {} : { 'aria-label': label };

/** The texts of a list. */
const textsOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

/** The text of a value that is edited in several lines. */
function linesFor(field: Column, value: unknown) {
	const { name } = field.type;
	if (typeof value === 'string')
		return ['richText', 'createdby'].includes(name) ? textOf(field, value) : value;
	const links = isLink(field) ? linksIn(value) : undefined;
	if (links) return links.map(({ uri }) => uri).join('\n');
	return LISTS.includes(name) ? listText(textsOf(value)) : JSON.stringify(value, null, 1);
}

/** An input for a text. One with line breaks has several lines, because an input removes them. */
export function textInput(value: string, { type, ...properties }: EditorProperties & { type: string }) {
	return /[\r\n]/.test(value)
		? h('textarea', { rows: 3, value, ...properties })
		: h('input', { type, value, ...properties });
}

/** A check box for each option. Its `value` are the checked ones, as `listText`. */
function choices(field: Column, chosen: readonly string[], properties: Properties<'div'>) {
	const boxes = [...new Set([...optionsOf(field), ...chosen])].map((value) =>
		h('input', { type: 'checkbox', value, checked: chosen.includes(value) }),
	);
	const lines = boxes.map((box) => {
		const label = h('span', { className: 'option', textContent: labelOf(field, box.value) });
		return h('label', {}, box, ' ', paintAs(label, field, box.value));
	});
	const group = h('div', { role: 'group', className: 'choices', ...properties }, ...lines);
	const checked = () => boxes.filter((box) => box.checked).map((box) => box.value);
	return withValue(group, () => listText(checked()));
}

const JSON_LIST = /^\s*\[\s*"/;
const linesOf = (text: string) => text.split(/\r\n?|\n/).map((one) => one.trim()).filter(Boolean); // prettier-ignore

/** The elements of a list, one per line; as JSON if lines would change them. */
function listText(list: readonly string[]) {
	const text = list.join('\n');
	const isKept = !JSON_LIST.test(text) && JSON.stringify(linesOf(text)) === JSON.stringify(list);
	return isKept ? text : JSON.stringify(list, null, 1);
}

/** Names the column and the text in an error that continues "“text” …". */
function named<Value>(field: Column, text: string, read: () => Value) {
	try {
		return read();
	} catch (error) {
		throw new Error(`${field.name}: “${text.slice(0, MAX_NAMED)}” ${messageOf(error)}`);
	}
}

/** Converts the text of an editor to a value of the service. @throws Error that names the column */
export function valueFrom(field: Column, text: string): unknown {
	const { name } = field.type;
	if (text === '') return null;
	if (NUMBERS.includes(name)) return named(field, text, () => typedNumber(text.trim(), name === 'integer'));
	if (name === 'boolean') return text === 'true';
	if (isTime(field)) return named(field, text, () => momentOf(text.trim()));
	if (name === 'richText') return richTextOf(text);
	if (name === 'createdby') return userOfName(text);
	if (name === 'attachments' && text.startsWith('[')) return filesFrom(field, text);
	if (field.offer) return name === 'references' ? linesOf(text) : text;
	if (isLink(field)) return named(field, text, () => linksFrom(text, name === 'references'));
	if (LISTS.includes(name) && !JSON_LIST.test(text)) return linesOf(text);
	if (TEXTS.includes(name) || name === 'date' || name === 'enum' || !/^\s*[[{]/.test(text)) return text;
	try {
		return JSON.parse(text);
	} catch {
		throw new Error(`${field.name}: this is not valid JSON`);
	}
}
