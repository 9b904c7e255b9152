import type {
	FieldType,
	ILoadOptionsFunctions,
	INodeProperties,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Values } from '../../client/entities';
import { InvalidInput } from '../../client/errors';
import { isWritable, type Field } from '../../client/fields';
import { connect } from './connect';
import { gridPicker, gridReference } from './pickers/grid';
import { gridSpacePicker } from './pickers/space';
import { toNodeError } from './nodeError';
import { parameter, type Parameter } from './parameter';
import { toServiceValue } from './values';

/** What the column mapper keeps in a workflow: values by field id, so that renaming a column breaks nothing. */
const mappingSchema = z.looseObject({
	mappingMode: z.string().catch('defineBelow'),
	value: z.record(z.string(), z.unknown()).nullish(),
});
export type Mapping = z.infer<typeof mappingSchema>;

/** The column mapper of an operation. @param mode what n8n calls the way it is used */
export function columnMapper(mode: 'add' | 'update'): Parameter<Mapping> {
	const property: INodeProperties = {
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description: 'The values to write. A column that is left out is not touched.',
		typeOptions: {
			loadOptionsDependsOn: ['space.value', 'grid.value'],
			resourceMapper: {
				resourceMapperMethod: 'getColumns',
				// `add` shows all columns and asks for no matching ones; which of them are sent is up to the user.
				mode: mode === 'update' ? 'add' : mode,
				fieldWords: { singular: 'column', plural: 'columns' },
				addAllFields: mode === 'add',
				multiKeyMatch: false,
				supportAutoMap: true,
				allowEmptyValues: true,
			},
		},
	};
	return parameter(property, mappingSchema);
}

const INPUT_TYPES = new Map<string, FieldType>(
	Object.entries({
		integer: 'number',
		decimal: 'number',
		currency: 'number',
		boolean: 'boolean',
		date: 'dateTime',
		'date-time': 'dateTime',
		enum: 'options',
		enumcollection: 'array',
		stringcollection: 'array',
		references: 'array',
		attachments: 'array',
		address: 'object',
		geolocation: 'object',
		reference: 'object',
		resource: 'object',
	}),
);

/** A column's name, told apart from another of the same name by key or id. */
export function labelsOf(fields: readonly Field[]): Map<string, string> {
	const counts = new Map<string, number>();
	for (const { name } of fields) counts.set(name, (counts.get(name) ?? 0) + 1);
	return new Map(
		fields.map((field) => {
			const unique = (counts.get(field.name) ?? 0) < 2;
			return [field.id, unique ? field.name : `${field.name} (${field.key ?? field.id})`];
		}),
	);
}

async function getColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return await connect(this)
		.then(async (client) => {
			const grid = gridPicker.read(this.getCurrentNodeParameter('grid'));
			const spaceId = gridSpacePicker.read(this.getCurrentNodeParameter('space'));
			const fields = await client.fields.of(await client.grids.open(gridReference(grid, spaceId)));
			const labels = labelsOf(fields);
			return {
				fields: fields.filter(isWritable).map((field) => columnOf(field, labels.get(field.id) ?? field.name)),
			};
		})
		.catch((error: unknown) => Promise.reject(toNodeError(this, error)));
}

function columnOf(field: Field, displayName: string): ResourceMapperField {
	const options = field.type.options?.map(({ name, value }) => ({ name, value }));
	const type = INPUT_TYPES.get(field.type.name) ?? 'string';
	return {
		id: field.id,
		displayName,
		defaultMatch: false,
		canBeUsedToMatch: false,
		required: field.required === true,
		display: true,
		// An enum whose options the service does not tell is typed freely.
		type: type === 'options' && !options?.length ? 'string' : type,
		...(options?.length ? { options } : {}),
	};
}

/** The column mappers' source, for a node's `methods`. */
export const resourceMapping = { getColumns };

/**
 * The values to write, by field id (§2.7, layout field). In automatic mapping the input's members are found by column name,
 * key or id; `unknown` are those that no column answers to.
 * @throws InvalidInput naming column, type and value where a value does not fit
 */
export function valuesOf(
	mapping: Mapping,
	input: object,
	fields: readonly Field[],
): { values: Values; unknown: string[] } {
	const automatic = mapping.mappingMode === 'autoMapInputData';
	const source = new Map<string, unknown>(Object.entries(automatic ? input : (mapping.value ?? {})));
	const values = new Map<string, unknown>();
	const unknown: string[] = [];
	for (const [name, value] of source) {
		const field = fieldFor(name, fields);
		if (!field) unknown.push(name);
		else if (value !== undefined && (!automatic || isWritable(field)))
			values.set(field.id, toServiceValue(field, value));
	}
	if (!automatic && unknown.length > 0)
		throw new InvalidInput(
			`The grid no longer has the mapped column ${unknown.map((id) => `"${id}"`).join(', ')}`,
			'Open "Columns" and refresh the list of columns, then map the value to another column or remove it.',
		);
	return { values: Object.fromEntries(values), unknown };
}

function fieldFor(name: string, fields: readonly Field[]): Field | undefined {
	const byId = fields.find(({ id }) => id === name);
	if (byId) return byId;
	const labels = labelsOf(fields);
	const byName = fields.filter((field) => field.name === name || labels.get(field.id) === name);
	if (byName.length > 1)
		throw new InvalidInput(
			`The grid has ${byName.length} columns named "${name}"`,
			`Name one of them in full: ${byName.map(({ id }) => `"${labels.get(id) ?? id}"`).join(' or ')}.`,
		);
	return byName[0] ?? fields.find(({ key }) => key === name);
}
