import { ask } from './dialog.js';
import { button, h } from './dom.js';
import { editorOf, isComputed, isNumber, isSimple, isText, valueFrom } from './cells.js';

const COMPARISONS = [
	['$eq', 'is'],
	['$ne', 'is not'],
	['$in', 'is one of (commas between)'],
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

/** The operators of the service that make sense for a column. */
function operatorsOf(field) {
	if (field.type.name === 'boolean') return [...COMPARISONS.slice(0, 2), ...EMPTINESS];
	const isOrdered = isSimple(field) || field.type.name === 'createdat' || field.type.name === 'createdby';
	const isSearched = isText(field) || !isOrdered || field.type.name === 'enum';
	return [...(isOrdered ? COMPARISONS : []), ...(isSearched ? CONTAINS : []), ...EMPTINESS];
}

/** One condition as the service takes it. */
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

/** Lets a person put together a filter. @param use is given the new conditions */
export function buildFilter(fields, { conditions, isAny }, use) {
	const lines = h('div', { className: 'conditions' });
	const add = (given) => lines.append(line(fields, given));
	const first = { fieldId: fields[0]?.id };
	for (const condition of conditions.length > 0 ? conditions : [first]) add(condition);
	const read = () =>
		[...lines.children].map((row) => ({
			fieldId: row.querySelector('.column').value,
			operator: row.querySelector('.operator').value,
			text: row.querySelector('.value').firstElementChild?.value ?? '',
		}));
	ask({
		title: 'Filter rows',
		fields: [
			{ name: 'isAny', label: 'Rows meet', type: 'select', value: isAny ? 'any' : 'all', options: [['all', 'all conditions'], ['any', 'at least one condition']] }, // prettier-ignore
			lines,
			h(
				'p',
				{},
				button('Add condition', () => add(first)),
				' ',
				button('Remove all', () => lines.replaceChildren()),
			),
		],
		action: 'Show rows',
		run: ({ isAny: chosen }) => use({ conditions: read(), isAny: chosen === 'any' }),
	});
}
