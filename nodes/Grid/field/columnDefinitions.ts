import { z } from 'zod/v4';
import { InvalidInput, type NewField } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { jsonList } from '../../shared/inputs/json';
import { parameter, requiredText, type ReadParameter } from '../../shared/inputs/parameter';
import {
	optionsOfEnum,
	optionsSchema,
	otherTypeProperty,
	typeName,
	typeNameOf,
	typeOf,
	typeProperty,
} from './fieldTypes';

const name = requiredText('a column needs a name');
const text = z
	.string()
	.trim()
	.nullish()
	.transform((given) => given || undefined);

const rowSchema = z
	.looseObject({
		name,
		key: text,
		type: typeName.default('string'),
		otherTypeName: text,
		options: optionsSchema,
		description: text,
	})
	.transform(({ options, type, otherTypeName, ...row }) =>
		definition(row, typeOf(row.name, typeNameOf(type, otherTypeName), options)),
	);

const jsonSchema = z
	.looseObject({
		name,
		key: text,
		type: z.union([typeName, z.looseObject({ name: typeName })]).default('string'),
		options: optionsSchema,
		description: text,
	})
	.transform(({ options, type, ...row }) => {
		const { name: typeNamed, ...details } = typeof type === 'string' ? { name: type } : type;
		return definition(row, typeOf(row.name, typeNamed, options, details));
	});

function definition(
	row: { name: string; key?: string | undefined; description?: string | undefined },
	type: NewField['type'],
): NewField {
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
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. Status',
						description: 'The name that people see at the top of the column',
					},
					typeProperty,
					otherTypeProperty,
					optionsOfEnum,
					{
						displayName: 'Key',
						name: 'key',
						type: 'string',
						default: '',
						placeholder: 'e.g. status',
						description: 'A stable key for integrations. If empty, the service creates one.',
					},
					{
						displayName: 'Description',
						name: 'description',
						type: 'string',
						default: '',
						placeholder: 'e.g. Progress of the order',
						description: 'What the column is for',
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
		default: '',
		placeholder: 'e.g. [{ "name": "Status", "type": "enum", "options": ["new", "shipped"] }]',
		displayOptions: { show: { specifyColumns: ['json'] } },
		description:
			'A JSON list of columns. Each has a name and optionally a key, a type (a name such as integer, or an object with a name), options (for enum and enumcollection) and a description.',
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

/**
 * The columns that the inputs define, or `input` if they are derived from the input items.
 * @throws InvalidInput
 */
export function columnsOrInput(parameter: ReadParameter): NewField[] | 'input' {
	return parameter(sourceOrInput) === 'input' ? 'input' : columnDefinitions(parameter);
}

/** The columns that the inputs define. @throws InvalidInput if two have the same name or key */
export function columnDefinitions(parameter: ReadParameter): NewField[] {
	const columns = parameter(source) === 'json' ? parameter(columnsJson) : parameter(columnRows);
	refuseDuplicates(columns, 'name');
	refuseDuplicates(columns, 'key');
	return columns;
}

function refuseDuplicates(columns: readonly NewField[], what: 'name' | 'key'): void {
	const seen = new Set<string>();
	for (const { [what]: value } of columns) {
		if (value !== undefined && seen.has(value))
			throw new InvalidInput(`Two columns have the ${what} "${value}"`, `Give each column a unique ${what}.`);
		if (value !== undefined) seen.add(value);
	}
}
