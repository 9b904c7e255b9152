import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { z } from 'zod/v4';
import { type Field, type Filter, InvalidInput } from '../../../../client';
import { typeLabel } from '../../rows/columnTypes';
import { choice } from '../choice';
import { jsonInput, jsonOrText } from '../json';
import { ColumnNames } from '../../rows/columnNames';
import { isInOption, quotedList, unknownOptions } from '../../rows/columnOptions';
import { chosenIn } from '../columns/columnMapper';
import { valueFrom, withoutMark } from './valueFrom';
import {
	describedAs,
	numeric,
	type Parameter,
	type ReadParameter,
	rowsInput,
	type Shown,
} from '../parameter';
import { valueText } from '../../display/shownText';
import { listedTexts } from '../../rows/conversions';
import { hasEmptyText, toServiceValue } from '../../rows/values';
import { valueRulesOf, valueTypeOf } from '../../rows/valueTypes';

/** For the whole list instead of each operator: the specification only defines `$eq` (§2.8). */
const EVERY_SERVICE =
	'Every service supports "Equals" and "Is Empty"; one that does not know another comparison may reject or ignore it';

const operator = choice(
	'operator',
	'Operator',
	{
		$contains: { name: 'Contains', description: 'The text contains the value' },
		notContains: { name: 'Does Not Contain', description: 'The text does not contain the value' },
		$ne: {
			name: 'Does Not Equal',
			description: 'Has another value; the service decides about rows without one',
		},
		$eq: { name: 'Equals', description: 'Has this value' },
		$gt: { name: 'Greater Than', description: 'For numbers, dates and texts' },
		$gte: { name: 'Greater Than or Equal', description: 'For numbers, dates and texts' },
		null: { name: 'Is Empty', description: 'Has no value' },
		notNull: { name: 'Is Not Empty', description: 'Has any value' },
		afterAgo: { name: 'Is After N Days Ago', description: 'For dates: the value is the number of days' },
		afterAhead: {
			name: 'Is After N Days From Now',
			description: 'For dates: the value is the number of days',
		},
		beforeAgo: { name: 'Is Before N Days Ago', description: 'For dates: the value is the number of days' },
		beforeAhead: {
			name: 'Is Before N Days From Now',
			description: 'For dates: the value is the number of days',
		},
		$in: { name: 'Is One Of', description: 'Values separated by commas, or a list' },
		$lt: { name: 'Less Than', description: 'For numbers, dates and texts' },
		$lte: { name: 'Less Than or Equal', description: 'For numbers, dates and texts' },
	},
	{ default: '$eq', description: `How to compare. ${EVERY_SERVICE}.` },
);

/** Comparisons with a day that moves: the operator of the service, and the sign of the days. */
const DAYS: ReadonlyMap<string, { compare: '$gt' | '$lt'; sign: 1 | -1 }> = new Map([
	['afterAgo', { compare: '$gt', sign: -1 }],
	['afterAhead', { compare: '$gt', sign: 1 }],
	['beforeAgo', { compare: '$lt', sign: -1 }],
	['beforeAhead', { compare: '$lt', sign: 1 }],
]);

/** How conditions are combined. */
export const combineConditions = choice(
	'combine',
	'Combine Conditions',
	{
		all: { name: 'All', description: 'Rows that meet every condition' },
		any: { name: 'Any', description: 'Rows that meet at least one condition' },
	},
	{
		default: 'all',
		description: 'Whether rows have to meet all conditions or any of them',
	},
);

export const columnChoice: INodeProperties = {
	displayName: 'Column Name or ID',
	name: 'column',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getFields', loadOptionsDependsOn: ['space.value', 'grid.value'] },
	default: '',
	description:
		'The column. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** The inputs for a column and its value, in the rows of a list; read by `columnValue`. */
export const columnAndValue = (value: Pick<INodeProperties, 'placeholder' | 'description'>) => [
	columnChoice,
	{ displayName: 'Value', name: 'value', type: 'string', default: '', ...value } satisfies INodeProperties,
];
export const columnValue = z.object({ column: z.string().min(1), value: z.unknown() });

/**
 * The value of a condition, entered as a text.
 * @param inputs how values are entered; undefined for all that have no input of their own
 */
const typedValue = (placeholder: string, inputs: string[] | undefined) =>
	({
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		placeholder,
		displayOptions: {
			...(inputs ? { show: { valueFrom: inputs } } : {}),
			hide: {
				operator: ['null', 'notNull', ...DAYS.keys()],
				...(inputs ? {} : { valueFrom: ['options', 'number', 'date'] }),
			},
		},
		description:
			'The value to compare with, of the type of the column: a number, true or false, a date or a text. If empty, text columns are compared with an empty text. To find rows without a value, use "Is Empty".',
	}) satisfies INodeProperties;

const conditionSchema = z.object({
	column: z.string().min(1).transform(withoutMark),
	operator: operator.schema.default('$eq'),
	value: z.unknown(),
});
type Condition = z.infer<typeof conditionSchema>;

const conditionRows: INodePropertyCollection = {
	displayName: 'Condition',
	name: 'condition',
	values: [
		{
			...columnChoice,
			typeOptions: { ...columnChoice.typeOptions, loadOptionsMethod: 'getConditionFields' },
		},
		operator.property,
		valueFrom,
		{
			displayName: 'Value Name or ID',
			name: 'value',
			type: 'options',
			typeOptions: { loadOptionsMethod: 'getOptionsOfField', loadOptionsDependsOn: ['&column'] },
			default: '',
			displayOptions: { show: { valueFrom: ['options'] } },
			description:
				'The option to compare with. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		typedValue('e.g. 12.5', ['number']),
		typedValue('e.g. 2026-12-31', ['date']),
		typedValue('e.g. shipped, 12.5, 2026-12-31 or true', undefined),
		{
			displayName: 'Days',
			name: 'value',
			type: 'string',
			default: '',
			placeholder: 'e.g. 30',
			displayOptions: { show: { operator: [...DAYS.keys()] } },
			description: 'The number of days before or after now; 0 for now',
		},
	],
};

/**
 * An input for conditions, all of which rows must meet; read by `filterOfAll`.
 * @param shown name, label and description
 */
export const conditionsOption = (shown: Shown): Parameter<Condition[]> =>
	rowsInput(
		{
			placeholder: 'Add condition',
			builderHint: {
				propertyHint:
					'Each condition has a column, an operator and a value; only Equals and Is Empty work with every service.',
			},
			...shown,
		},
		conditionRows,
		conditionSchema,
	);

const conditions = conditionsOption({ displayName: 'Conditions', name: 'conditions' });

/** The conditions of an operation on rows. @param verb what happens to them, e.g. `update` */
export const rowConditions = (verb: string) =>
	describedAs(
		conditions,
		`Which rows to ${verb}: those that meet all conditions or, with the option Combine Conditions, any of them`,
	);

/** The JSON form of the conditions (§2.8): `{ fieldId: { $eq: value } }`. */
export const jsonConditions = jsonInput({
	displayName: 'Filter (JSON)',
	name: 'filter',
	placeholder: 'e.g. { "f1": { "$eq": "new" } }',
	description:
		'Which rows, instead of "Conditions": columns (ID, name or key) with an operator and a value. Every service supports $eq (equals).',
});

/** Expression over `$parameter`: whether the inputs of `rowConditions` select all rows. */
export const IS_UNCONDITIONAL =
	'(!$parameter.conditions?.condition?.length && (!$parameter.options?.filter || $parameter.options.filter === "{}"))';

/**
 * The filter that `rowConditions` or `jsonConditions` describe (§2.8); undefined for none.
 * @param timezone of the workflow, for moments without an offset
 * @throws InvalidInput if a column is unknown, a value does not fit, or both forms are given
 */
export function rowFilterOf(
	parameterOf: ReadParameter,
	fields: readonly Field[],
	timezone: string,
): Filter | undefined {
	const json = byFieldId(parameterOf(jsonConditions), ColumnNames.of(fields), jsonConditions);
	const filter = combined(parameterOf, fields, timezone);
	if (json && filter) throw givenTwice('Conditions', 'Filter (JSON)');
	return json ?? filter;
}

export function givenTwice(one: string, other: string): InvalidInput {
	return new InvalidInput(
		`"${one}" and "${other}" are two forms of the same input, and both have a value`,
		'Remove one of them.',
	);
}

function combined(
	parameterOf: ReadParameter,
	fields: readonly Field[],
	timezone: string,
): Filter | undefined {
	const where = conditions.property.displayName;
	const parts = parameterOf(conditions).map((condition) => filterOf(condition, { fields, timezone, where }));
	// Read even if it does not matter, so that a wrong value is told.
	const isAny = parameterOf(combineConditions) === 'any';
	if (parts.length < 2) return parts[0];
	return isAny ? { $or: parts } : allOf(parts);
}

/**
 * The filter of a `conditionsOption` (§2.8); undefined for none.
 * @param place columns, time zone, and the label of the option for messages
 * @throws InvalidInput
 */
export function filterOfAll(conditions: readonly Condition[], place: ConditionsInput): Filter | undefined {
	const parts = conditions.map((condition) => filterOf(condition, place));
	return parts.length < 2 ? parts[0] : allOf(parts);
}

const allOf = (parts: readonly Part[]): Filter => merged(parts) ?? { $and: parts };

/**
 * Replaces column names and keys in JSON with field ids; operators such as `$and` stay.
 * @throws InvalidInput for an unknown column, or two members for one column
 */
export function byFieldId<Value>(
	given: Record<string, Value> | undefined,
	names: ColumnNames,
	of: Parameter<unknown>,
): Record<string, Value> | undefined {
	if (!given) return undefined;
	const entries = Object.entries(given).map(([name, value]): [string, Value] => [
		name.startsWith('$') ? name : names.get(name, of.property.displayName).id,
		value,
	]);
	const ids = entries.map(([id]) => id);
	const twice = ids.find((id, at) => ids.indexOf(id) !== at);
	if (twice !== undefined)
		throw new InvalidInput(
			`"${of.property.displayName}" contains the column "${names.labels.get(twice) ?? twice}" twice`,
			'Merge the two members into one.',
		);
	return Object.fromEntries(entries);
}

/** One condition, keyed by field id or `$not`. */
type Part = Record<string, Record<string, unknown>>;

/** Where conditions are entered, and what they refer to. */
interface ConditionsInput {
	fields: readonly Field[];
	timezone: string;
	/** Label of the input. */
	where: string;
}

function filterOf(condition: Condition, { fields, timezone, where }: ConditionsInput): Part {
	const field = ColumnNames.of(fields).get(condition.column, where);
	const days = DAYS.get(condition.operator);
	if (days) return { [field.id]: { [days.compare]: dayFromNow(condition, field, { ...days, timezone }) } };
	switch (condition.operator) {
		case 'null':
			return { [field.id]: { $eq: null } };
		case 'notNull':
			return { [field.id]: { $ne: null } };
		case 'notContains':
			return { $not: { [field.id]: { $contains: operandOf(condition, field, timezone) } } };
		default:
			return { [field.id]: { [condition.operator]: operandOf(condition, field, timezone) } };
	}
}

const MS_PER_DAY = 86_400_000;

/** The day or moment that is so many days from now. @throws InvalidInput */
function dayFromNow(
	{ value }: Condition,
	field: Field,
	{ sign, timezone }: { sign: 1 | -1; timezone: string },
): unknown {
	const type = valueTypeOf(field);
	if (type !== 'date' && type !== 'date-time')
		throw new InvalidInput(
			`The condition on "${field.name}" compares days, but the column has the type ${typeLabel(field.type.name)}`,
			'Choose another operator, or a column of the type Date or Date and Time.',
		);
	const days = numeric.safeParse(value);
	if (!days.success || days.data < 0)
		throw new InvalidInput(
			`The condition on "${field.name}" has ${valueText(value)} as "Days", which is not a number of days`,
			'Enter a number such as 30.',
		);
	return toServiceValue(field, new Date(Date.now() + sign * days.data * MS_PER_DAY), timezone);
}

/** Merges conditions for services without `$and`; undefined if two need the same member. */
function merged(parts: readonly Part[]): Filter | undefined {
	const whole = new Map<string, Part[string]>();
	for (const [name, operators] of parts.flatMap((part) => Object.entries(part))) {
		const before = whole.get(name);
		// Two members of one `$not` would be negated together.
		const clash = name === '$not' || Object.keys(operators).some((one) => Object.hasOwn(before ?? {}, one));
		if (before && clash) return undefined;
		whole.set(name, { ...before, ...operators });
	}
	return Object.fromEntries(whole);
}

function operandOf({ operator: compareBy, value }: Condition, field: Field, timezone: string): unknown {
	if (value === undefined || value === null)
		throw new InvalidInput(
			`The condition on "${field.name}" compares with ${valueText(value)}`,
			'Enter a value, check the expression that returns it, or choose "Is Empty".',
		);
	if (compareBy === '$contains' || compareBy === 'notContains') {
		const text = String(value);
		refuseUnknown(field, isInOption(field, text) ? [] : [text]);
		return text;
	}
	if (compareBy !== '$in') return comparable(field, value, timezone);
	const parsed = jsonOrText(value);
	const list = Array.isArray(parsed) ? parsed : (listedTexts(String(value)) ?? String(value).split(','));
	return list.map((one: unknown) => comparable(field, typeof one === 'string' ? one.trim() : one, timezone));
}

/** @throws InvalidInput for a value that no option of its column is or contains */
function refuseUnknown(field: Field, unknown: readonly unknown[]): void {
	const { options = [] } = field.type;
	if (unknown.length === 0 || options.length === 0 || !valueRulesOf(field).hasOptions) return;
	throw new InvalidInput(
		`The condition on "${field.name}" compares with ${quotedList(unknown)}, but the column has no such option`,
		`Choose from ${quotedList(options.map(({ name }) => name))}. To find rows that still have another value, use "Filter (JSON)".`,
	);
}

/**
 * The converted value to compare with. Refuses an empty text if it would be converted to null,
 * which would match all rows without a value.
 */
function comparable(field: Field, value: unknown, timezone: string): unknown {
	if (typeof value !== 'string' || value.trim() !== '' || hasEmptyText(field)) {
		const operand = toServiceValue(field, chosenIn(field, value), timezone);
		refuseUnknown(field, unknownOptions(field, [operand].flat()));
		return operand;
	}
	throw new InvalidInput(
		`The condition on "${field.name}" compares with an empty text, which a column of the type ${typeLabel(field.type.name)} cannot contain`,
		'Enter a value, check the expression that returns it, or choose "Is Empty".',
	);
}
