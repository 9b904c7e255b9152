import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../../../../client';
import { valueRulesOf, valueTypeOf } from '../../rows/valueTypes';

/** Appended to what a list stores for a column that has options. */
export const WITH_OPTIONS = '|options';
/** Appended for other columns whose values the editor has an example of. */
const MARKS: Readonly<Partial<Record<string, string>>> = {
	number: '|number',
	date: '|date',
	'date-time': '|date',
};
const MARK = /\|(?:options|number|date)$/;

/** What a list stores for a column, marked so that the editor knows how its values are entered. */
export function marked(column: string, field: Field): string {
	const isChoice = valueTypeOf(field) === 'enum' && field.type.options?.length;
	const { order } = valueRulesOf(field);
	return `${column}${isChoice || order === 'boolean' ? WITH_OPTIONS : (MARKS[order] ?? '')}`;
}

/** What the list stores for the column itself. */
export const withoutMark = (column: string): string => column.replace(MARK, '');

const COLUMN = 'String($parameter["&column"])';

/** How n8n's editor takes a condition's value: from a column's options, if any. */
export const VALUE_FROM = `={{ ${COLUMN}.endsWith("${WITH_OPTIONS}") && ["$eq", "$ne"].includes($parameter["&operator"]) ? "options" : ${COLUMN}.endsWith("|number") ? "number" : ${COLUMN}.endsWith("|date") ? "date" : "text" }}`;

export const valueFrom: INodeProperties = {
	displayName: 'Value From',
	name: 'valueFrom',
	type: 'hidden',
	default: VALUE_FROM,
};

/** The same for an input without an operator. */
export const optionsOrTexts: INodeProperties = {
	...valueFrom,
	default: `={{ ${COLUMN}.endsWith("${WITH_OPTIONS}") ? "options" : "text" }}`,
};
