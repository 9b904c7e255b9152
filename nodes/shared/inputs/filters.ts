import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { EntitiesQuery, Filter, Sorting } from '../../../client/resources/entities';
import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { recordOf } from '../../../client/formats/json';
import { jsonObject, jsonOrText } from './json';
import { ColumnNames } from '../rows/columnNames';
import { parameter, type ReadParameter, type Parameter } from './parameter';
import { valueText } from '../display/valueText';
import { hasEmptyText, toServiceValue } from '../rows/values';

const selectBy = parameter(
	{
		displayName: 'Specify Filter and Sorting',
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

const UNDOCUMENTED = 'Not documented by the service: it may refuse it';

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

const columnChoice: INodeProperties = {
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

const order = parameter(
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add column to sort by',
		default: {},
		displayOptions: { show: { selectBy: ['conditions'] } },
		description: 'The order of the rows: by the first column, then by the next where those are equal',
		options: [
			{
				displayName: 'Column',
				name: 'by',
				values: [
					columnChoice,
					{
						displayName: 'Direction',
						name: 'direction',
						type: 'options',
						options: [
							{ name: 'Ascending', value: 'ascending', description: 'The direction that every service has' },
							{ name: 'Descending', value: 'descending', description: UNDOCUMENTED },
						],
						default: 'ascending',
						description: 'Smallest or earliest first, or last',
					},
				],
			},
		],
	},
	z
		.looseObject({
			by: z
				.array(
					z.object({
						column: z.string().min(1),
						direction: z.enum(['ascending', 'descending']).default('ascending'),
					}),
				)
				.default([]),
		})
		.transform(({ by }) => by),
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

/** §2.8: `{ fieldId: { $order: "ascending" } }`. */
const sortingJson = parameter(
	{
		displayName: 'Sorting (JSON)',
		name: 'sorting',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "f1": { "$order": "ascending" } }',
		displayOptions: { show: { selectBy: ['json'] } },
		description: 'The order of the rows: columns (ID, name or key) with $order',
	},
	jsonObject.pipe(recordOf(z.object({ $order: z.string() })).optional()),
);

/** §4.5 `compose`. */
export const combineWithView = parameter(
	{
		displayName: 'Combine Filter With View',
		name: 'combineWithView',
		type: 'boolean',
		default: true,
		description:
			"Whether rows must meet the view's filter as well as the conditions. If off, the conditions replace the view's filter.",
	},
	z.boolean(),
);

/** The inputs that say which rows to read, and in which order. Read them with `selectionOf`. */
export const selectionFields = [selectBy, conditions, order, filterJson, sortingJson];

/**
 * Filter and sorting in the shapes of §2.8.
 * @param timezone of the workflow, for moments without an offset
 * @throws InvalidInput where a column is not there, a value does not fit it, or two conditions cannot be told in one object
 */
export function selectionOf(
	parameterOf: ReadParameter,
	fields: readonly Field[],
	timezone: string,
): Pick<EntitiesQuery, 'filter' | 'sorting'> {
	const names = ColumnNames.of(fields);
	if (parameterOf(selectBy) === 'json')
		return {
			filter: byFieldId(parameterOf(filterJson), names, filterJson),
			sorting: byFieldId(parameterOf(sortingJson), names, sortingJson),
		};
	const sorting = sortingOf(parameterOf(order), names);
	const filter = filterOf(parameterOf(conditions), fields, timezone);
	return {
		filter: Object.keys(filter).length > 0 ? filter : undefined,
		sorting: Object.keys(sorting).length > 0 ? sorting : undefined,
	};
}

function sortingOf(
	columns: ReadonlyArray<{ column: string; direction: string }>,
	names: ColumnNames,
): Sorting {
	const ids = columns.map(({ column }) => names.get(column, 'Sort').id);
	const sorting = Object.fromEntries(columns.map(({ direction }, at) => [ids[at], { $order: direction }]));
	const told = Object.keys(sorting);
	if (told.length < ids.length)
		throw new InvalidInput('"Sort" names a column twice', 'Remove one of the two.');
	// Members whose names are whole numbers come first in every JavaScript object.
	if (told.some((id, at) => id !== ids[at]))
		throw new InvalidInput(
			'"Sort" cannot be told to the service in this order, because the IDs of these columns are numbers',
			'Sort by one column, or sort the rows in a node after this one.',
		);
	return sorting;
}

/**
 * JSON may name columns as a person does; operators such as `$and` are left alone.
 * @throws InvalidInput naming `of`, also where two members name one column
 */
function byFieldId<Value>(
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
