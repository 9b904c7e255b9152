import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Filter } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { jsonObject, jsonOrText } from './json';
import { ColumnNames } from '../rows/columnNames';
import { parameter, type ReadParameter, type Parameter } from './parameter';
import { valueText } from '../display/valueText';
import { hasEmptyText, toServiceValue } from '../rows/values';

/** How conditions are given. */
export const selectBy = parameter(
	{
		displayName: 'Specify Conditions',
		name: 'selectBy',
		type: 'options',
		options: [
			{
				name: 'Using Conditions Below',
				value: 'conditions',
				description: 'Columns and values to choose from',
			},
			{ name: 'Using JSON', value: 'json', description: "The service's own filter and sorting objects" },
		],
		default: 'conditions',
		description: 'How to say which rows to return, and in which order',
	},
	z.enum(['conditions', 'json']),
);

/** Shown beside what §2.8 does not document. */
export const UNDOCUMENTED = 'Not documented by the service: it may refuse it';

/** What a user can compare with; only `$eq` is in the spec (§2.8). */
const operators = [
	{ name: 'Contains', value: '$contains', description: UNDOCUMENTED },
	{ name: 'Does Not Equal', value: '$ne', description: UNDOCUMENTED },
	{ name: 'Equals', value: '$eq', description: 'The operator that every service has' },
	{ name: 'Greater Than', value: '$gt', description: UNDOCUMENTED },
	{ name: 'Greater Than or Equal', value: '$gte', description: UNDOCUMENTED },
	{ name: 'Is Empty', value: 'null', description: 'Equals no value (null)' },
	{ name: 'Is One Of', value: '$in', description: `A list, or texts between commas. ${UNDOCUMENTED}.` },
	{ name: 'Less Than', value: '$lt', description: UNDOCUMENTED },
	{ name: 'Less Than or Equal', value: '$lte', description: UNDOCUMENTED },
];

export const columnChoice: INodeProperties = {
	displayName: 'Column Name or ID',
	name: 'column',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getFields', loadOptionsDependsOn: ['space.value', 'grid.value'] },
	default: '',
	description:
		'The column. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const conditionSchema = z.object({
	column: z.string().min(1),
	operator: z.enum(['$contains', '$ne', '$eq', '$gt', '$gte', 'null', '$in', '$lt', '$lte']).default('$eq'),
	value: z.unknown(),
});
type Condition = z.infer<typeof conditionSchema>;

const conditions = parameter(
	{
		displayName: 'Conditions',
		name: 'conditions',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add condition',
		default: {},
		displayOptions: { show: { selectBy: ['conditions'] } },
		description: 'Which rows to return: those that meet all conditions; all rows where there is none',
		options: [
			{
				displayName: 'Condition',
				name: 'condition',
				values: [
					columnChoice,
					{
						displayName: 'Operator',
						name: 'operator',
						type: 'options',
						options: operators,
						default: '$eq',
						description: 'How to compare. "Equals" and "Is Empty" work with every service.',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. shipped',
						displayOptions: { hide: { operator: ['null'] } },
						description:
							'The value to compare with, in the form of the column: a number, true or false, a date, a text. Nothing at all compares with an empty text, which only columns of texts can hold; rows without a value are found by "Is Empty".',
					},
				],
			},
		],
	},
	z.looseObject({ condition: z.array(conditionSchema).default([]) }).transform(({ condition }) => condition),
);

/** §2.8: `{ fieldId: { $eq: value } }`. */
const filterJson = parameter(
	{
		displayName: 'Filter (JSON)',
		name: 'filter',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "f1": { "$eq": "new" } }',
		displayOptions: { show: { selectBy: ['json'] } },
		description:
			'Which rows to return: columns (ID, name or key) with an operator and a value. $eq (equals) is the only operator that every service has.',
	},
	jsonObject,
);

/** The inputs that say which rows are meant. Read them with `conditionsOf`. */
export const conditionFields = [selectBy, conditions, filterJson] as const;

/**
 * The same for operations without sorting.
 * @param verb what happens to the rows, such as `update`
 */
export function rowConditions(verb: string): Array<Parameter<unknown>> {
	const words = new Map([
		[selectBy.property.name, `How to specify which rows to ${verb}`],
		[conditions.property.name, `Which rows to ${verb}: those that meet all conditions`],
		[
			filterJson.property.name,
			`Which rows to ${verb}: columns (ID, name or key) with an operator and a value. Every service supports $eq (equals).`,
		],
	]);
	return conditionFields.map(({ property, read }) => ({
		property: { ...property, description: words.get(property.name) ?? '' },
		read,
	}));
}

/**
 * The filter that the inputs describe (§2.8); undefined for none.
 * @param timezone of the workflow, for moments without an offset
 * @throws InvalidInput where a column is not there, a value does not fit it, or one object cannot hold two conditions
 */
export function conditionsOf(
	parameterOf: ReadParameter,
	fields: readonly Field[],
	timezone: string,
): Filter | undefined {
	if (parameterOf(selectBy) === 'json')
		return byFieldId(parameterOf(filterJson), ColumnNames.of(fields), filterJson);
	const filter = filterOf(parameterOf(conditions), fields, timezone);
	return Object.keys(filter).length > 0 ? filter : undefined;
}

/**
 * JSON may name columns as a person does; operators such as `$and` are left alone.
 * @throws InvalidInput naming `of`, also where two members name one column
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
			`"${of.property.displayName}" names the column "${names.labels.get(twice) ?? twice}" twice`,
			'Join the two members into one.',
		);
	return Object.fromEntries(entries);
}

function filterOf(all: readonly Condition[], fields: readonly Field[], timezone: string): Filter {
	const byField = new Map<string, Map<string, unknown>>();
	for (const condition of all) {
		const field = ColumnNames.of(fields).get(condition.column, 'Conditions');
		const ofField = byField.get(field.id) ?? new Map<string, unknown>();
		const operator = condition.operator === 'null' ? '$eq' : condition.operator;
		if (ofField.has(operator))
			throw new InvalidInput(
				`Two conditions compare "${field.name}" in the same way`,
				'Remove one of them, use "Is One Of" for several values, or write the filter as JSON.',
			);
		ofField.set(operator, operandOf(condition, field, timezone));
		byField.set(field.id, ofField);
	}
	return Object.fromEntries([...byField].map(([id, ofField]) => [id, Object.fromEntries(ofField)]));
}

function operandOf({ operator, value }: Condition, field: Field, timezone: string): unknown {
	if (operator === 'null') return null;
	if (value === undefined || value === null)
		throw new InvalidInput(
			`The condition on "${field.name}" compares with ${valueText(value)}`,
			'Enter a value, check the expression that makes it, or choose "Is Empty".',
		);
	if (operator === '$contains') return String(value);
	if (operator !== '$in') return comparable(field, value, timezone);
	const parsed = jsonOrText(value);
	const list = Array.isArray(parsed) ? parsed : String(value).split(',');
	return list.map((one: unknown) => comparable(field, typeof one === 'string' ? one.trim() : one, timezone));
}

/** A value to compare with. An empty text means no value elsewhere; here it would silently find all rows without one. */
function comparable(field: Field, value: unknown, timezone: string): unknown {
	if (typeof value !== 'string' || value.trim() !== '' || hasEmptyText(field))
		return toServiceValue(field, value, timezone);
	throw new InvalidInput(
		`The condition on "${field.name}" compares with an empty text, which a column of the type ${field.type.name} never holds`,
		'Enter a value, check the expression that makes it, or choose "Is Empty".',
	);
}
