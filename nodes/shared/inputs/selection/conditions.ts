import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Filter } from '../../../../client/resources/entities';
import { InvalidInput } from '../../../../client/errors';
import type { Field } from '../../../../client/resources/fields';
import { choice } from '../choice';
import { jsonObject, jsonOrText } from '../json';
import { ColumnNames } from '../../rows/columnNames';
import { parameter, type ReadParameter, type Parameter } from '../parameter';
import { valueText } from '../../display/valueText';
import { hasEmptyText, toServiceValue } from '../../rows/values';

export const selectBy = choice(
	'selectBy',
	'Specify Conditions',
	{
		conditions: { name: 'Using Conditions Below', description: 'Choose columns and values' },
		json: { name: 'Using JSON', description: "Enter the service's filter and sorting objects" },
	},
	{ default: 'conditions', description: 'How to specify which rows to return, and in which order' },
);

/** Description of options that §2.8 does not document. */
export const UNDOCUMENTED = 'Not documented by the service, which may reject it';

/** Only `$eq` is in the specification (§2.8). */
const operator = choice(
	'operator',
	'Operator',
	{
		$contains: { name: 'Contains', description: UNDOCUMENTED },
		$ne: { name: 'Does Not Equal', description: UNDOCUMENTED },
		$eq: { name: 'Equals', description: 'Works with every service' },
		$gt: { name: 'Greater Than', description: UNDOCUMENTED },
		$gte: { name: 'Greater Than or Equal', description: UNDOCUMENTED },
		null: { name: 'Is Empty', description: 'Has no value (null)' },
		$in: { name: 'Is One Of', description: `Values separated by commas, or a list. ${UNDOCUMENTED}.` },
		$lt: { name: 'Less Than', description: UNDOCUMENTED },
		$lte: { name: 'Less Than or Equal', description: UNDOCUMENTED },
	},
	{
		default: '$eq',
		description: 'How to compare. "Equals" and "Is Empty" work with every service.',
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

const conditionSchema = z.object({
	column: z.string().min(1),
	operator: operator.schema.default('$eq'),
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
		description: 'Return only rows that meet all conditions. Without conditions, all rows are returned.',
		options: [
			{
				displayName: 'Condition',
				name: 'condition',
				values: [
					columnChoice,
					operator.property,
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. shipped',
						displayOptions: { hide: { operator: ['null'] } },
						description:
							'The value to compare with, as the column holds it: a number, true or false, a date or a text. If empty, text columns are compared with an empty text. To find rows without a value, use "Is Empty".',
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
			'Which rows to return: a column (ID, name or key) with an operator and a value. Only $eq (equals) works with every service.',
	},
	jsonObject,
);

/** The inputs for conditions; `conditionsOf` reads them. */
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
 * @throws InvalidInput if a column is unknown, a value does
 *   not fit, or one object cannot hold two conditions
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
 * Replaces column names and keys in JSON by field ids; operators such as `$and` stay.
 * @throws InvalidInput naming `of`, also if two members name one column
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

function filterOf(all: readonly Condition[], fields: readonly Field[], timezone: string): Filter {
	const byField = new Map<string, Map<string, unknown>>();
	for (const condition of all) {
		const field = ColumnNames.of(fields).get(condition.column, 'Conditions');
		const ofField = byField.get(field.id) ?? new Map<string, unknown>();
		const sent = condition.operator === 'null' ? '$eq' : condition.operator;
		if (ofField.has(sent))
			throw new InvalidInput(
				`Two conditions on "${field.name}" use the same operator`,
				'Remove one of them, use "Is One Of" for several values, or enter the filter as JSON.',
			);
		ofField.set(sent, operandOf(condition, field, timezone));
		byField.set(field.id, ofField);
	}
	return Object.fromEntries([...byField].map(([id, ofField]) => [id, Object.fromEntries(ofField)]));
}

function operandOf({ operator: compareBy, value }: Condition, field: Field, timezone: string): unknown {
	if (compareBy === 'null') return null;
	if (value === undefined || value === null)
		throw new InvalidInput(
			`The condition on "${field.name}" compares with ${valueText(value)}`,
			'Enter a value, check the expression that returns it, or choose "Is Empty".',
		);
	if (compareBy === '$contains') return String(value);
	if (compareBy !== '$in') return comparable(field, value, timezone);
	const parsed = jsonOrText(value);
	const list = Array.isArray(parsed) ? parsed : String(value).split(',');
	return list.map((one: unknown) => comparable(field, typeof one === 'string' ? one.trim() : one, timezone));
}

/**
 * A value to compare with. Elsewhere an empty text means no
 * value; here it would match all empty rows.
 */
function comparable(field: Field, value: unknown, timezone: string): unknown {
	if (typeof value !== 'string' || value.trim() !== '' || hasEmptyText(field))
		return toServiceValue(field, value, timezone);
	throw new InvalidInput(
		`The condition on "${field.name}" compares with an empty text, which a column of the type ${field.type.name} cannot contain`,
		'Enter a value, check the expression that returns it, or choose "Is Empty".',
	);
}
