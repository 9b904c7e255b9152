import { z } from 'zod/v4';
import { type Client, InvalidInput, type NewField } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { jsonList } from '../../shared/inputs/json';
import {
	collection,
	optionalInput,
	optionalText,
	parameter,
	type ReadParameter,
	requiredText,
	rowsInput,
	textInput,
} from '../../shared/inputs/parameter';
import { withoutUndefined } from '../../shared/rows/output';
import { optionsSchema, requireKnownTypes, typeFields, typeName, typeNameOf, typeOf } from './fieldTypes';
import { wantedType, withLinkedGrids, type WantedField } from './linkedGrids';

const name = requiredText('a name is required');

export const columnName = textInput(
	{
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder: 'e.g. Status',
		description: 'The name that people see at the top of the column',
	},
	name,
);

export const columnDescription = optionalInput({
	displayName: 'Description',
	name: 'description',
	placeholder: 'e.g. Progress of the order',
	description: 'What the column is for',
});

export const columnKey = optionalInput({
	displayName: 'Key',
	name: 'key',
	placeholder: 'e.g. status',
	description: 'A stable key for integrations. If empty, the service creates one.',
});

const further = collection(
	{ displayName: 'Additional Fields', name: 'further', placeholder: 'Add key or description' },
	[columnDescription, columnKey],
);
const furtherSchema = { key: optionalText, description: optionalText };

const rowSchema = z
	.looseObject({
		name,
		type: typeName.default('string'),
		otherTypeName: optionalText,
		options: optionsSchema,
		linkedGrid: z.unknown(),
		further: z.looseObject(furtherSchema).prefault({}),
	})
	.transform(({ name, options, type, otherTypeName, linkedGrid, further: { key, description } }) => {
		const entered = typeOf(name, typeNameOf(type, otherTypeName), options);
		return withoutUndefined({ name, key, description, type: wantedType(entered, linkedGrid) });
	});

const jsonSchema = z
	.looseObject({
		...furtherSchema,
		name,
		type: z.union([typeName, z.looseObject({ name: typeName })]).default('string'),
		options: optionsSchema,
		linkedGrid: optionalText,
	})
	.transform(({ name, key, description, options, type, linkedGrid }) => {
		const { name: typeNamed, ...details } = typeof type === 'string' ? { name: type } : type;
		const entered = typeOf(name, typeNamed, options, details);
		return withoutUndefined({ name, key, description, type: wantedType(entered, linkedGrid) });
	});

const columnRows = rowsInput(
	{
		displayName: 'Columns',
		name: 'columns',
		typeOptions: {
			sortable: true,
			fixedCollection: { itemTitle: '={{ $collection.item.value.name }}' },
		},
		placeholder: 'Add column',
		displayOptions: { show: { specifyColumns: ['fields'] } },
		description: 'The columns, from left to right',
	},
	{
		displayName: 'Column',
		name: 'column',
		values: [columnName, ...typeFields, further].map(({ property }) => property),
	},
	rowSchema,
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
