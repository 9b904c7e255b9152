import { ask } from '../elements/dialog';
import { button, h, labelled } from '../elements/dom';
import { editorOf, isComputed, isNumber, isSimple, isText, isTime, textInput, valueFrom } from '../values/cells'; // prettier-ignore
import { isSame } from '../values/writtenCells';

const COMPARISONS = [
	['$eq', 'is'],
	['$ne', 'is not'],
	['$in', 'is one of'],
	['$gt', 'is more than'],
	['$gte', 'is at least'],
	['$lt', 'is less than'],
	['$lte', 'is at most'],
];
const CONTAINS = [
	['$contains', 'contains'],
	['lacks', 'does not contain'],
];
const EMPTINESS = [
	['empty', 'is empty'],
	['filled', 'is not empty'],
];
const SECOND = 1000;

/** The operators that apply to a column. */
function operatorsOf(field) {
	if (field.type.name === 'boolean') return [...COMPARISONS.slice(0, 2), ...EMPTINESS];
	const isOrdered = isSimple(field) || field.type.name === 'createdat' || field.type.name === 'createdby';
	const isSearched = isText(field) || !isOrdered || field.type.name === 'enum';
	return [...(isOrdered ? COMPARISONS : []), ...(isSearched ? CONTAINS : []), ...EMPTINESS];
}

/** A column of several of the options of a column. */
const listOf = (field) => ({ ...field, type: { ...field.type, name: 'enumcollection' } });
const isOfOptions = (field, operator) => operator === '$in' && field.type.name === 'enum';

const quoted = (text) => (/^\s|[",]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The values of a list that is separated by commas; one with a comma is in quotation marks. */
function textsIn(list) {
	const texts = [];
	for (const [, inQuotes, plain = ''] of list.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/gy))
		texts.push(inQuotes === undefined ? plain.trim() : inQuotes.replaceAll('""', '"'));
	return texts.filter((text) => text !== '');
}

function valuesIn(field, text) {
	const values = isOfOptions(field, '$in')
		? (valueFrom(listOf(field), text) ?? []) // prettier-ignore
		: textsIn(text).map((one) => valueFrom(field, one));
	if (values.length === 0) throw new Error(`${field.name}: name at least one value`);
	return values;
}

const after = (moment) => new Date(Date.parse(moment) + SECOND).toISOString();
/** The moments that are shown as this second. */
const within = (moment) => ({ $gte: moment, $lt: after(moment) });

const isWithinSecond = (condition) =>
	!Number.isNaN(Date.parse(condition.$gte)) && isSame(condition, within(condition.$gte));

/** One condition on times, which are shown and chosen by the second. */
function timeFilter(only, operator, moments) {
	const [moment] = moments;
	if (operator === '$in') return { $or: moments.map((one) => only(within(one))) };
	if (operator === '$eq') return only(within(moment));
	if (operator === '$ne') return { $not: only(within(moment)) };
	if (operator === '$gt') return only({ $gte: after(moment) });
	return only(operator === '$lte' ? { $lt: after(moment) } : { [operator]: moment });
}

/** One condition in the format of the service. */
function filterOf(field, { operator, text }) {
	const only = (condition) => ({ [field.id]: condition });
	if (operator === 'empty' || operator === 'filled') return only({ $empty: operator === 'empty' });
	if (operator === '$contains') return only({ $contains: text });
	if (operator === 'lacks') return { $not: only({ $contains: text }) };
	const isBlank = text === '';
	const values = operator === '$in' ? valuesIn(field, text) : [valueFrom(field, text)];
	if (isTime(field) && !isBlank) return timeFilter(only, operator, values);
	return only({ [operator]: operator === '$in' ? values : values[0] });
}

/**
 * A filter in the format of the service.
 * @param given `conditions`: `{ fieldId, operator, text }` each; `isAny`: whether one is enough;
 * `search`: a text in any column, or with the ids of its columns
 */
export function combined(fields, { conditions, isAny, search }) {
	const parts = conditions.flatMap((condition) => {
		const field = fields.find(({ id }) => id === condition.fieldId);
		return field ? [filterOf(field, condition)] : [];
	});
	const all = parts.length > 1 && isAny ? [{ $or: parts }] : parts;
	const searched = fields.filter((field) => !isComputed(field)).map(({ id }) => id);
	if (search) all.push({ $search: typeof search === 'string' ? { text: search, fields: searched } : search });
	return all.length === 0 ? undefined : all.length === 1 ? all[0] : { $and: all };
}

const LIST_HINT = 'Separated by commas; a value with a comma in quotation marks.';

/** The input for the value of a condition. */
function valueEditor(field, operator, text) {
	const properties = { 'aria-label': 'Value' };
	if (isOfOptions(field, operator)) return editorOf(listOf(field), valueFrom(listOf(field), text) ?? [], properties); // prettier-ignore
	const isTyped = ['$contains', 'lacks', '$in'].includes(operator) || (!isNumber(field) && isText(field));
	if (isTyped) return textInput(text, { type: 'text', ...properties });
	return Object.assign(editorOf(field, undefined, properties), { value: text });
}

/** One line of the builder: column, operator, value. */
function line(fields, given) {
	const columns = h(
		'select',
		{ 'aria-label': 'Column', className: 'column' },
		...fields.map(({ id, name }) =>
			h('option', { value: id, textContent: name, selected: id === given.fieldId }),
		),
	);
	const operators = h('select', { 'aria-label': 'Operator', className: 'operator' });
	const value = h('span', { className: 'value' });
	const row = h('div', { className: 'condition' }, columns, operators, value, button('✕', () => row.remove(), { 'aria-label': 'Remove condition' })); // prettier-ignore
	const showValue = (text = '') => {
		const field = fields.find(({ id }) => id === columns.value);
		const operator = operators.value;
		const editor = valueEditor(field, operator, text);
		const hint = operator === '$in' && !isOfOptions(field, operator) && LIST_HINT;
		value.replaceChildren(
			...(EMPTINESS.some(([name]) => name === operator) ? [] : [editor]),
			...(hint ? [h('small', { textContent: hint })] : []),
		);
	};
	const showOperators = (chosen) => {
		const field = fields.find(({ id }) => id === columns.value);
		const known = operatorsOf(field);
		operators.replaceChildren(
			...known.map(([one, label]) =>
				h('option', { value: one, textContent: label, selected: one === chosen }),
			),
		);
	};
	showOperators(given.operator);
	showValue(given.text);
	columns.addEventListener('change', () => {
		showOperators();
		showValue();
	});
	operators.addEventListener('change', () => {
		showValue();
	});
	return row;
}

/** The text of the value of a condition; undefined if the builder has none for it. */
function conditionText(field, operator, value) {
	if (isOfOptions(field, operator)) return editorOf(listOf(field), value).value;
	const texts = [value].flat().map((one) => editorOf(field, one).value);
	if (texts.includes('')) return undefined;
	return operator === '$in' ? texts.map(quoted).join(', ') : texts[0];
}

/** The builder's form of a condition of the service; undefined if it cannot show the condition. */
function conditionOf(fields, filter) {
	const [[name, inner = {}] = [], ...others] = Object.entries(filter ?? {});
	if (others.length > 0) return undefined;
	if (name === '$not') {
		const { operator, ...condition } = conditionOf(fields, inner) ?? {};
		const negated = { $contains: 'lacks', $eq: '$ne' }[operator];
		return negated && { ...condition, operator: negated };
	}
	const field = fields.find(({ id }) => id === name);
	if (!field) return undefined;
	const [[operator, value] = [], ...more] = Object.entries(inner);
	const given = { fieldId: name, operator, text: '' };
	if (isTime(field) && isWithinSecond(inner))
		return { ...given, operator: '$eq', text: editorOf(field, inner.$gte).value };
	if (more.length > 0) return undefined;
	if (operator === '$empty') return { ...given, operator: value === true ? 'empty' : 'filled' };
	if (!operatorsOf(field).some(([one]) => one === operator)) return undefined;
	const text = conditionText(field, operator, value);
	return text === undefined ? undefined : { ...given, text };
}

/**
 * The conditions of a stored filter.
 * @returns `{ conditions, isAny, search }`; undefined if the builder would change the meaning of
 * the filter
 */
export function conditionsOf(fields, filter) {
	const names = Object.keys(filter);
	const list = names.length === 1 ? filter.$and : undefined;
	const all = Array.isArray(list) ? list : names.map((name) => ({ [name]: filter[name] }));
	const search = all.find((part) => part?.$search)?.$search;
	const rest = all.filter((part) => !part?.$search);
	const any = rest.length === 1 ? rest[0]?.$or : undefined;
	const parts = Array.isArray(any) ? any : rest;
	const conditions = parts.map((part) => conditionOf(fields, part));
	if (conditions.includes(undefined)) return undefined;
	const builder = { conditions, isAny: parts === any, search };
	const met = builder.isAny && parts.length > 1 ? rest : parts;
	const flat = search ? [...met, { $search: search }] : met;
	return isSame(combined(fields, builder) ?? {}, flat.length > 1 ? { $and: flat } : (flat[0] ?? {}))
		? builder
		: undefined;
}

/** Inputs for a filter. @returns their nodes, and a function that reads the filter */
export function filterBuilder(fields, { conditions, isAny, search }) {
	const lines = h('div', { className: 'conditions' });
	const add = (given) => lines.append(line(fields, given));
	const first = { fieldId: fields[0]?.id };
	for (const condition of conditions) add(condition);
	const choice = h(
		'select',
		{},
		h('option', { value: 'all', textContent: 'all conditions' }),
		h('option', { value: 'any', textContent: 'at least one condition', selected: isAny }),
	);
	const buttons = h(
		'p',
		{},
		button('Add condition', () => add(first)),
		' ',
		button('Remove all', () => lines.replaceChildren()),
	);
	const text = search && h('input', { type: 'search', value: search.text });
	return {
		nodes: [
			labelled('Rows meet', choice),
			lines,
			buttons,
			...(text ? [labelled('and contain in some column', text)] : []),
		],
		read: () => ({
			isAny: choice.value === 'any',
			search: text?.value ? { ...search, text: text.value } : undefined,
			conditions: [...lines.children].map((row) => ({
				fieldId: row.querySelector('.column').value,
				operator: row.querySelector('.operator').value,
				text: row.querySelector('.value').firstElementChild?.value ?? '',
			})),
		}),
	};
}

/** Asks for a filter. @param use receives the new conditions */
export function buildFilter(fields, { conditions, isAny }, use) {
	const first = { fieldId: fields[0]?.id };
	const given = conditions.length > 0 ? conditions : [first];
	const { nodes, read } = filterBuilder(fields, { conditions: given, isAny });
	ask({ title: 'Filter rows', fields: nodes, action: 'Show rows', run: () => use(read()) });
}
