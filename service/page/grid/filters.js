import { ask } from '../elements/dialog.js';
import { button, h, labelled } from '../elements/dom.js';
import { editorOf, isComputed, isNumber, isSimple, isText, valueFrom } from '../values/cells.js';

const COMPARISONS = [
	['$eq', 'is'],
	['$ne', 'is not'],
	['$in', 'is one of (separated by commas)'],
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
const MAX_SEARCHED = 150;

/** The operators that apply to a column. */
function operatorsOf(field) {
	if (field.type.name === 'boolean') return [...COMPARISONS.slice(0, 2), ...EMPTINESS];
	const isOrdered = isSimple(field) || field.type.name === 'createdat' || field.type.name === 'createdby';
	const isSearched = isText(field) || !isOrdered || field.type.name === 'enum';
	return [...(isOrdered ? COMPARISONS : []), ...(isSearched ? CONTAINS : []), ...EMPTINESS];
}

/** One condition in the format of the service. */
function filterOf(field, { operator, text }) {
	const only = (condition) => ({ [field.id]: condition });
	if (operator === 'empty' || operator === 'filled') return only({ $empty: operator === 'empty' });
	if (operator === '$contains') return only({ $contains: text });
	if (operator === 'lacks') return { $not: only({ $contains: text }) };
	if (operator === '$in') return only({ $in: text.split(',').map((one) => valueFrom(field, one.trim())) });
	return only({ [operator]: valueFrom(field, text) });
}

/** @param conditions `{ fieldId, operator, text }` each @param isAny whether one is enough */
export function combined(fields, { conditions, isAny, search }) {
	const parts = conditions.flatMap((condition) => {
		const field = fields.find(({ id }) => id === condition.fieldId);
		return field ? [filterOf(field, condition)] : [];
	});
	const all = parts.length > 1 && isAny ? [{ $or: parts }] : parts;
	const searched = fields.filter((field) => !isComputed(field)).slice(0, MAX_SEARCHED);
	if (search) all.push({ $or: searched.map(({ id }) => ({ [id]: { $contains: search } })) });
	return all.length === 0 ? undefined : all.length === 1 ? all[0] : { $and: all };
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
		const isTyped = ['$contains', 'lacks', '$in'].includes(operator) || (!isNumber(field) && isText(field));
		const properties = { 'aria-label': 'Value', value: text };
		const editor = isTyped
			? h('input', { type: 'text', ...properties })
			: editorOf(field, undefined, { 'aria-label': 'Value' });
		if (!isTyped) editor.value = text;
		value.replaceChildren(...(EMPTINESS.some(([name]) => name === operator) ? [] : [editor]));
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

/** The builder's form of a condition of the service; undefined if it cannot show the condition. */
function conditionOf(fields, filter) {
	const [[name, inner = {}] = [], ...others] = Object.entries(filter ?? {});
	if (others.length > 0) return undefined;
	if (name === '$not') {
		const { operator, ...condition } = conditionOf(fields, inner) ?? {};
		return operator === '$contains' ? { ...condition, operator: 'lacks' } : undefined;
	}
	const field = fields.find(({ id }) => id === name);
	const [[operator, value] = [], ...more] = Object.entries(inner);
	if (!field || more.length > 0) return undefined;
	const given = { fieldId: name, operator, text: '' };
	if (operator === '$empty') return { ...given, operator: value === true ? 'empty' : 'filled' };
	if (!operatorsOf(field).some(([one]) => one === operator)) return undefined;
	const texts = [value].flat().map((one) => editorOf(field, one).value);
	return texts.includes('') ? undefined : { ...given, text: texts.join(', ') };
}

/**
 * The conditions of a stored filter.
 * @returns `{ conditions, isAny }`; undefined if the builder would change the meaning of the filter
 */
export function conditionsOf(fields, filter) {
	const names = Object.keys(filter);
	const list = names.length === 1 ? (filter.$or ?? filter.$and) : undefined;
	const parts = Array.isArray(list) ? list : names.map((name) => ({ [name]: filter[name] }));
	const conditions = parts.map((part) => conditionOf(fields, part));
	if (conditions.includes(undefined)) return undefined;
	const builder = { conditions, isAny: names[0] === '$or' };
	const flat = parts.length > 1 ? { [builder.isAny ? '$or' : '$and']: parts } : (parts[0] ?? {});
	return JSON.stringify(combined(fields, builder) ?? {}) === JSON.stringify(flat) ? builder : undefined;
}

/** Inputs for a filter. @returns their nodes, and a function that reads the filter */
export function filterBuilder(fields, { conditions, isAny }) {
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
	return {
		nodes: [labelled('Rows meet', choice), lines, buttons],
		read: () => ({
			isAny: choice.value === 'any',
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
