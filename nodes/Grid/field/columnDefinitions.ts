import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { type Client, InvalidInput, type NewField } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { jsonList } from '../../shared/inputs/json';
import { parameter, requiredText, type ReadParameter } from '../../shared/inputs/parameter';
import {
	linkedGridProperty,
	optionsOfEnum,
	optionsSchema,
	otherTypeProperty,
	requireKnownTypes,
	typeName,
	typeNameOf,
	typeOf,
	typeProperty,
} from './fieldTypes';
import { wantedType, withLinkedGrids, type WantedField, type WantedType } from './linkedGrids';

const name = requiredText('a name is required');
const text = z
	.string()
	.trim()
	.nullish()
	.transform((given) => given || undefined);

const nameProperty: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Status',
	description: 'The name that people see at the top of the column',
};
export const columnName = parameter(nameProperty, name);

/** Further properties of a new column. */
export const furtherProperties: INodeProperties[] = [
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Progress of the order',
		description: 'What the column is for',
	},
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		default: '',
		placeholder: 'e.g. status',
		description: 'A stable key for integrations. If empty, the service creates one.',
	},
];
export const furtherSchema = { key: text, description: text };

const rowSchema = z
	.looseObject({
		name,
		type: typeName.default('string'),
		otherTypeName: text,
		options: optionsSchema,
		linkedGrid: z.unknown(),
		further: z.looseObject(furtherSchema).prefault({}),
	})
	.transform(({ name, options, type, otherTypeName, linkedGrid, further }) => {
		const entered = typeOf(name, typeNameOf(type, otherTypeName), options);
		return definition({ ...further, name }, wantedType(entered, linkedGrid));
	});

const jsonSchema = z
	.looseObject({
		...furtherSchema,
		name,
		type: z.union([typeName, z.looseObject({ name: typeName })]).default('string'),
		options: optionsSchema,
		linkedGrid: text,
	})
	.transform(({ options, type, linkedGrid, ...row }) => {
		const { name: typeNamed, ...details } = typeof type === 'string' ? { name: type } : type;
		return definition(row, wantedType(typeOf(row.name, typeNamed, options, details), linkedGrid));
	});

/** A new column without the members that are empty. */
export function definition(
	row: { name: string; key?: string | undefined; description?: string | undefined },
	type: WantedType,
): WantedField {
	return {
		name: row.name,
		...(row.key === undefined ? {} : { key: row.key }),
		...(row.description === undefined ? {} : { description: row.description }),
		type,
	};
}

const columnRows = parameter(
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			sortable: true,
			fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
		},
		placeholder: 'Add column',
		default: {},
		displayOptions: { show: { specifyColumns: ['fields'] } },
		description: 'The columns, from left to right',
		options: [
			{
				displayName: 'Column',
				name: 'column',
				values: [
					nameProperty,
					typeProperty,
					otherTypeProperty,
					optionsOfEnum,
					linkedGridProperty,
					{
						displayName: 'Additional Fields',
						name: 'further',
						type: 'collection',
						placeholder: 'Add key or description',
						default: {},
						options: furtherProperties,
					},
				],
			},
		],
	},
	z
		.looseObject({ column: z.array(rowSchema).optional() })
		.nullish()
		.transform((rows) => rows?.column ?? []),
);

const columnsJson = parameter(
	{
		displayName: 'Columns (JSON)',
		name: 'columnsJson',
		type: 'json',
		// The editor shows no placeholder in an input of this type.
		default: `[
  { "name": "Order", "type": "Text", "key": "order" },
  { "name": "Status", "type": "Choice", "options": ["new", "shipped"] },
  { "name": "Customer", "type": "Linked Row", "linkedGrid": "sales/customers" }
]`,
		displayOptions: { show: { specifyColumns: ['json'] } },
		description:
			'A JSON list of columns. Each has a name and optionally a type (as the list of types names it, or an object with a name), a key, options (for Choice and Several Choices), the key of the linkedGrid (for Linked Row and Linked Rows) and a description.',
	},
	jsonList(jsonSchema),
);

const sources = {
	fields: { name: 'Using Columns Below', description: 'A row for each column' },
	json: { name: 'Using JSON', description: 'A JSON list of columns' },
};
const shown = { default: 'fields', description: 'How to define the columns' } as const;

const source = choice('specifyColumns', 'Specify Columns', sources, shown);
const sourceOrInput = choice(
	'specifyColumns',
	'Specify Columns',
	{ input: { name: 'Input Items', description: 'A column for each member of the input items' }, ...sources },
	shown,
);

/** The inputs that define columns, read by `columnDefinitions`. */
export const columnFields = [source, columnRows, columnsJson];
/** The same, with the input items as a third source, read by `columnsOrInput`. */
export const columnFieldsOrInput = [sourceOrInput, columnRows, columnsJson];

/** The columns defined, or `input` if the items define them. @throws InvalidInput */
export function columnsOrInput(parameter: ReadParameter): WantedField[] | 'input' {
	const from = parameter(sourceOrInput);
	return from === 'input' ? 'input' : definedIn(parameter, from);
}

/** The columns that the inputs define. @throws InvalidInput if two have the same name or key */
export const columnDefinitions = (parameter: ReadParameter) => definedIn(parameter, parameter(source));

function definedIn(parameter: ReadParameter, from: 'fields' | 'json'): WantedField[] {
	const columns = from === 'json' ? parameter(columnsJson) : parameter(columnRows);
	refuseDuplicates(columns, 'name');
	refuseDuplicates(columns, 'key');
	return columns;
}

/**
 * The columns as they are created; everything that can be checked before that is checked.
 * @param spaceId the space in which a linked grid's key is looked up
 * @throws InvalidInput for an unknown type or linked grid
 */
export async function creatable(
	client: Client,
	columns: readonly WantedField[],
	spaceId: string | undefined,
): Promise<NewField[]> {
	await requireKnownTypes(client, columns);
	return await withLinkedGrids(client, columns, spaceId);
}

function refuseDuplicates(columns: readonly WantedField[], what: 'name' | 'key'): void {
	const seen = new Set<string>();
	for (const { [what]: value } of columns) {
		if (value !== undefined && seen.has(value))
			throw new InvalidInput(`Two columns have the ${what} "${value}"`, `Give each column a unique ${what}.`);
		if (value !== undefined) seen.add(value);
	}
}
