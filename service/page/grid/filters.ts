import { ask } from '../elements/dialog';
import { membersOf, textIn, type Column } from '../session/schemas';
import { button, h, labelled, type Editor } from '../elements/dom';
import { editorOf, isComputed, isNumber, isSimple, isText, isTime, textInput, valueFrom } from '../values/cells'; // prettier-ignore
import { isLink } from '../values/linkedRows';
import { isSame } from '../values/writtenCells';

/** An operator with its words. */
type Operator = readonly [name: string, label: string];

/** A filter in the format of the service. */
export type ServiceFilter = Record<string, unknown>;

/** A condition as it is built: the text is that of its editor. */
export interface Condition {
	readonly fieldId: string;
	readonly operator: string;
	readonly text: string;
}

export interface BuiltFilter {
	readonly conditions: readonly Condition[];
	/** Whether one condition is enough. */
	readonly isAny: boolean;
	/** A text in any column, or a stored `$search`. */
	readonly search?: string | ServiceFilter | undefined;
}

const COMPARISONS: readonly Operator[] = [
	['$eq', 'is'],
	['$ne', 'is not'],
	['$in', 'is one of'],
	['$gt', 'is more than'],
	['$gte', 'is at least'],
	['$lt', 'is less than'],
	['$lte', 'is at most'],
];
const CONTAINS: readonly Operator[] = [
	['$contains', 'contains'],
	['lacks', 'does not contain'],
];
const EMPTINESS: readonly Operator[] = [
	['empty', 'is empty'],
	['filled', 'is not empty'],
];
const SECOND = 1000;

/** The operators that apply to a column. */
function operatorsOf(field: Column) {
	if (field.type.name === 'boolean') return [...COMPARISONS.slice(0, 2), ...EMPTINESS];
	const isOrdered = isSimple(field) || field.type.name === 'createdat' || field.type.name === 'createdby';
	const isSearched = isText(field) || !isOrdered || field.type.name === 'enum';
	return [...(isOrdered ? COMPARISONS : []), ...(isSearched ? CONTAINS : []), ...EMPTINESS];
}

/** A column of several of the options of a column. */
const listOf = (field: Column): Column => ({ ...field, type: { ...field.type, name: 'enumcollection' } });
const isOfOptions = (field: Column, operator: string) => operator === '$in' && field.type.name === 'enum';

const quoted = (text: string) => (/^\s|[",]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The values of a list that is separated by commas; one with a comma is in quotation marks. */
function textsIn(list: string) {
	const texts: string[] = [];
	for (const [, inQuotes, plain = ''] of list.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/gy))
		texts.push(inQuotes === undefined ? plain.trim() : inQuotes.replaceAll('""', '"'));
	return texts.filter((text) => text !== '');
}

function valuesIn(field: Column, text: string): unknown[] {
	const chosen = isOfOptions(field, '$in') ? (valueFrom(listOf(field), text) ?? []) : undefined;
	const values: unknown[] = Array.isArray(chosen)
		? chosen
		: textsIn(text).map((one) => valueFrom(field, one));
	if (values.length === 0) throw new Error(`${field.name}: name at least one value`);
	return values;
}

const after = (moment: string) => new Date(Date.parse(moment) + SECOND).toISOString();
/** The moments that are shown as this second. */
const within = (moment: string) => ({ $gte: moment, $lt: after(moment) });

/** The moment of a condition that is met by one second; undefined for other conditions. */
function secondOf(condition: ServiceFilter) {
	const moment = textIn(condition.$gte);
	const isSecond = !Number.isNaN(Date.parse(moment)) && isSame(condition, within(moment));
	return isSecond ? moment : undefined;
}

type Only = (condition: ServiceFilter) => ServiceFilter;

/** One condition on times, which are shown and chosen by the second. */
function timeFilter(only: Only, operator: string, moments: readonly string[]): ServiceFilter {
	const [moment = ''] = moments;
	if (operator === '$in') return { $or: moments.map((one) => only(within(one))) };
	if (operator === '$eq') return only(within(moment));
	if (operator === '$ne') return { $not: only(within(moment)) };
	if (operator === '$gt') return only({ $gte: after(moment) });
	return only(operator === '$lte' ? { $lt: after(moment) } : { [operator]: moment });
}

/** A search finds linked rows by their names, which their cells do not contain. */
const containment = (field: Column, text: string): ServiceFilter =>
	isLink(field) ? { $search: { text, fields: [field.id] } } : { [field.id]: { $contains: text } };

/** The builder's form of a search for linked rows; undefined for a search in several columns. */
function linkedCondition(fields: readonly Column[], search: unknown): Condition | undefined {
	const { text, fields: ids } = membersOf(search);
	const field = fields.find(({ id }) => isSame(ids, [id]));
	if (!field || !isLink(field)) return undefined;
	return { fieldId: field.id, operator: '$contains', text: textIn(text) };
}

/** One condition in the format of the service. */
function filterOf(field: Column, { operator, text }: Condition): ServiceFilter {
	const only: Only = (condition) => ({ [field.id]: condition });
	if (operator === 'empty' || operator === 'filled') return only({ $empty: operator === 'empty' });
	if (operator === '$contains') return containment(field, text);
	if (operator === 'lacks') return { $not: containment(field, text) };
	const isBlank = text === '';
	const values = operator === '$in' ? valuesIn(field, text) : [valueFrom(field, text)];
	if (isTime(field) && !isBlank) return timeFilter(only, operator, values.map(textIn));
	return only({ [operator]: operator === '$in' ? values : values[0] });
}

/** A filter in the format of the service. */
export function combined(
	fields: readonly Column[],
	{ conditions, isAny, search }: BuiltFilter,
): ServiceFilter | undefined {
	const parts = conditions.flatMap((condition) => {
		const field = fields.find(({ id }) => id === condition.fieldId);
		return field ? [filterOf(field, condition)] : [];
	});
	const all: ServiceFilter[] = parts.length > 1 && isAny ? [{ $or: parts }] : parts;
	const searched = fields.filter((field) => !isComputed(field)).map(({ id }) => id);
	if (search) all.push({ $search: typeof search === 'string' ? { text: search, fields: searched } : search });
	return all.length === 0 ? undefined : all.length === 1 ? all[0] : { $and: all };
}

const LIST_HINT = 'Separated by commas; a value with a comma in quotation marks.';

/** The input for the value of a condition. */
function valueEditor(field: Column, operator: string, text: string): Editor {
	const properties = { 'aria-label': 'Value' };
	if (isOfOptions(field, operator)) return editorOf(listOf(field), valueFrom(listOf(field), text) ?? [], properties); // prettier-ignore
	const isTyped = ['$contains', 'lacks', '$in'].includes(operator) || (!isNumber(field) && isText(field));
	if (isTyped) return textInput(text, { type: 'text', ...properties });
	return Object.assign(editorOf(field, undefined, properties), { value: text });
}

interface ConditionLine {
	readonly row: HTMLElement;
	readonly read: () => Condition;
}

/** One line of the builder: column, operator, value. */
function line(fields: readonly Column[], given: Partial<Condition>): ConditionLine {
	const columns = h(
		'select',
		{ 'aria-label': 'Column', className: 'column' },
		...fields.map(({ id, name }) =>
			h('option', { value: id, textContent: name, selected: id === given.fieldId }),
		),
	);
	const operators = h('select', { 'aria-label': 'Operator', className: 'operator' });
	const value = h('span', { className: 'value' });
	const remove = button('✕', () => { row.remove(); }, { 'aria-label': 'Remove condition' }); // prettier-ignore
	const row = h('div', { className: 'condition' }, columns, operators, value, remove);
	let editor: Editor | undefined;
	const showValue = (text = '') => {
		const field = fields.find(({ id }) => id === columns.value);
		if (!field) return;
		const operator = operators.value;
		const isShown = EMPTINESS.every(([name]) => name !== operator);
		editor = isShown ? valueEditor(field, operator, text) : undefined;
		const hint = operator === '$in' && !isOfOptions(field, operator) && LIST_HINT;
		value.replaceChildren(...(editor ? [editor] : []), ...(hint ? [h('small', { textContent: hint })] : []));
	};
	const showOperators = (chosen?: string) => {
		const field = fields.find(({ id }) => id === columns.value);
		const known = field ? operatorsOf(field) : [];
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
	const read = () => ({ fieldId: columns.value, operator: operators.value, text: editor?.value ?? '' });
	return { row, read };
}

/** The text of the value of a condition; undefined if the builder has none for it. */
function conditionText(field: Column, operator: string, value: unknown) {
	if (isOfOptions(field, operator)) return editorOf(listOf(field), value).value;
	const values: unknown[] = Array.isArray(value) ? value : [value];
	const texts = values.map((one) => editorOf(field, one).value);
	if (texts.includes('')) return undefined;
	return operator === '$in' ? texts.map(quoted).join(', ') : texts[0];
}

const NEGATED = new Map([
	['$contains', 'lacks'],
	['$eq', '$ne'],
]);

/** The builder's form of a condition of the service; undefined if it cannot show the condition. */
function conditionOf(fields: readonly Column[], filter: unknown): Condition | undefined {
	const [first, ...others] = Object.entries(membersOf(filter));
	if (!first || others.length > 0) return undefined;
	const [name, part] = first;
	const inner = membersOf(part);
	if (name === '$not') {
		const condition = conditionOf(fields, inner);
		const operator = condition && NEGATED.get(condition.operator);
		return condition && operator !== undefined ? { ...condition, operator } : undefined;
	}
	if (name === '$search') return linkedCondition(fields, part);
	const field = fields.find(({ id }) => id === name);
	if (!field) return undefined;
	const [comparison, ...more] = Object.entries(inner);
	const second = isTime(field) ? secondOf(inner) : undefined;
	if (second !== undefined) return { fieldId: name, operator: '$eq', text: editorOf(field, second).value };
	if (!comparison || more.length > 0) return undefined;
	const [operator, value] = comparison;
	const given = { fieldId: name, operator, text: '' };
	if (operator === '$empty') return { ...given, operator: value === true ? 'empty' : 'filled' };
	if (!operatorsOf(field).some(([one]) => one === operator)) return undefined;
	const text = conditionText(field, operator, value);
	return text === undefined ? undefined : { ...given, text };
}

/** A filter of a view; its search names the columns. */
interface StoredFilter extends BuiltFilter {
	readonly search: ServiceFilter | undefined;
}

/**
 * The conditions of a stored filter.
 * @returns `{ conditions, isAny, search }`; undefined if the builder would change the meaning of
 * the filter
 */
export function conditionsOf(fields: readonly Column[], filter: ServiceFilter): StoredFilter | undefined {
	const names = Object.keys(filter);
	const list = names.length === 1 ? filter.$and : undefined;
	const single = names.map((name) => ({ [name]: filter[name] }));
	const all: ServiceFilter[] = Array.isArray(list) ? list.map(membersOf) : single;
	const isSearch = ({ $search }: ServiceFilter) => $search !== undefined && !linkedCondition(fields, $search);
	const searched = all.find(isSearch)?.$search;
	const search = searched ? membersOf(searched) : undefined;
	const rest = all.filter((part) => !isSearch(part));
	const any = rest.length === 1 ? rest[0]?.$or : undefined;
	const parts: unknown[] = Array.isArray(any) ? any : rest;
	const conditions = parts.flatMap((part) => conditionOf(fields, part) ?? []);
	if (conditions.length < parts.length) return undefined;
	const builder = { conditions, isAny: parts === any, search };
	const met = builder.isAny && parts.length > 1 ? rest : parts;
	const flat = search ? [...met, { $search: search }] : met;
	return isSame(combined(fields, builder) ?? {}, flat.length > 1 ? { $and: flat } : (flat[0] ?? {}))
		? builder
		: undefined;
}

/** A new condition: on the first column. */
const firstOf = ([first]: readonly Column[]) => (first ? { fieldId: first.id } : {});

/** Inputs for a filter. @returns their nodes, and a function that reads the filter */
export function filterBuilder(
	fields: readonly Column[],
	{
		conditions,
		isAny,
		search,
	}: Pick<StoredFilter, 'isAny'> & {
		conditions: ReadonlyArray<Partial<Condition>>;
		search?: ServiceFilter | undefined;
	},
) {
	const lines = h('div', { className: 'conditions' });
	const readers = new Map<Element, () => Condition>();
	const add = (given: Partial<Condition>) => {
		const { row, read } = line(fields, given);
		readers.set(row, read);
		lines.append(row);
	};
	const first = firstOf(fields);
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
		button('Add condition', () => {
			add(first);
		}),
		' ',
		button('Remove all', () => {
			lines.replaceChildren();
		}),
	);
	const text = search && h('input', { type: 'search', value: textIn(search.text) });
	return {
		nodes: [
			labelled('Rows meet', choice),
			lines,
			buttons,
			...(text ? [labelled('and contain in some column', text)] : []),
		],
		read: (): StoredFilter => ({
			isAny: choice.value === 'any',
			search: text?.value ? { ...search, text: text.value } : undefined,
			conditions: [...lines.children].flatMap((row) => readers.get(row)?.() ?? []),
		}),
	};
}

/** Asks for a filter. @param use receives the new conditions */
export function buildFilter(
	fields: readonly Column[],
	{ conditions, isAny }: BuiltFilter,
	use: (chosen: Omit<BuiltFilter, 'search'>) => Promise<void>,
) {
	const first = firstOf(fields);
	const given = conditions.length > 0 ? conditions : [first];
	const { nodes, read } = filterBuilder(fields, { conditions: given, isAny });
	ask({ title: 'Filter rows', fields: nodes, action: 'Show rows', run: () => use(read()) });
}
