import type {
	FieldType,
	ILoadOptionsFunctions,
	INodeProperties,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Values } from '../../../client/resources/entities';
import { Forbidden, InvalidInput } from '../../../client/errors';
import { isWritable, type Field } from '../../../client/resources/fields';
import { jsonObject } from '../../../client/formats/json';
import { connect } from '../connection/connect';
import { inertItem, inertName, inertValue, revived, revivedKeys } from '../display/inertText';
import { ColumnNames, labelsOf, ROW_MEMBERS } from '../rows/columnNames';
import { placeMembers, refuseTwice, type PlacedMember } from './members';
import { gridAbove, isGridChosen } from './pickers/grid';
import { toNodeError } from '../display/nodeError';
import { escaped } from '../display/shownText';
import { parameter, type Parameter } from './parameter';
import { toServiceValue } from '../rows/values';
import { valueTypeOf } from '../rows/valueTypes';

export { labelsOf } from '../rows/columnNames';

/** What the column mapper keeps in a workflow: values by field id, so that renaming a column breaks nothing. */
export const mappingSchema = z.looseObject({
	mappingMode: z.string().catch('defineBelow'),
	value: jsonObject.transform(revivedKeys).nullish(),
	matchingColumns: z.array(z.string()).catch([]),
	/** The columns as the editor knew them; one that the user took out of the mapper keeps its value under `value`. */
	schema: z
		.array(z.looseObject({ id: z.string().transform(revived), removed: z.boolean().catch(false) }))
		.optional()
		.catch(undefined),
});
export type Mapping = z.infer<typeof mappingSchema>;

/**
 * The column mapper of an operation.
 * @param mode `add` begins with all columns, `update` with none, `upsert` asks which columns tell one row from another
 */
export function columnMapper(mode: 'add' | 'update' | 'upsert'): Parameter<Mapping> {
	const property: INodeProperties = {
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: mode === 'upsert' ? 'autoMapInputData' : 'defineBelow', value: null },
		required: true,
		description:
			'The values to write. A column that is left out is not touched. Automatic mapping finds columns by their name, key or ID. Attachments are given as links to files, e.g. [{ "uri": "https://…" }]: the service takes no uploads, so a binary file needs an address of its own first.',
		typeOptions: {
			loadOptionsDependsOn: ['space.value', 'grid.value'],
			resourceMapper: {
				resourceMapperMethod: 'getColumns',
				// `add` shows all columns and asks for no matching ones; which of them are sent is up to the user.
				mode: mode === 'update' ? 'add' : mode,
				fieldWords: { singular: 'column', plural: 'columns' },
				addAllFields: mode !== 'update',
				multiKeyMatch: mode === 'upsert',
				supportAutoMap: true,
				allowEmptyValues: true,
				// Where there is none, the notice says why: n8n's own words would be a fault that nobody has made.
				hideNoDataError: true,
				...(mode === 'upsert'
					? {
							matchingFieldsLabels: {
								title: 'Key columns',
								description: 'Columns that together tell one row from every other',
								hint: 'Rows with equal values in all of these columns are the same row',
							},
						}
					: {}),
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
		array: 'array',
		object: 'object',
	}),
);

/** Types whose values can be looked for with `$eq` (§2.8). */
const KEY_TYPES = new Set([
	'any',
	'string',
	'integer',
	'decimal',
	'currency',
	'boolean',
	'date',
	'date-time',
	'enum',
	'email',
	'phoneNumber',
	'uri',
	'user',
]);

async function getColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	// Nobody has done anything wrong yet.
	if (!isGridChosen(this))
		return { fields: [], emptyFieldsNotice: 'Choose a grid: its columns then appear here.' };
	return await connect(this)
		.then(async (client) => {
			const fields = await client.fields.of(await gridAbove(this, client));
			const labels = labelsOf(fields);
			return mapperOf(
				fields.filter(isWritable).map((field) => columnOf(field, labels.get(field.id) ?? field.name)),
				'Columns of this grid',
				'This grid has no columns that can be written. Add one in the grid, then refresh.',
			);
		})
		.catch((error: unknown) =>
			error instanceof Forbidden
				? { fields: [], emptyFieldsNotice: UNREADABLE }
				: Promise.reject(toNodeError(this, error)),
		);
}

/** What a key is told that may add rows and read nothing (§5, creator). */
const UNREADABLE =
	'Your key may not read the columns of this grid. To add rows all the same, map automatically: name the members of the input by the keys or IDs of the columns.';

/** More names than these would fill the panel. */
const NAMES_TOLD = 30;

/**
 * What n8n's mapper is given. With automatic mapping n8n shows the notice even where there are fields, and goes on showing an older one
 * where there is none: so it always says what there is.
 * @param what introduces the names of the fields @param none is said where there are no fields
 */
export function mapperOf(
	fields: ResourceMapperField[],
	what: string,
	none: string,
): Required<Pick<ResourceMapperFields, 'fields' | 'emptyFieldsNotice'>> {
	const names = fields.slice(0, NAMES_TOLD).map(({ displayName }) => escaped(displayName));
	const more = fields.length > NAMES_TOLD ? ` and ${fields.length - NAMES_TOLD} more` : '';
	return { fields, emptyFieldsNotice: fields.length === 0 ? none : `${what}: ${names.join(', ')}${more}` };
}

/** A field as an input of n8n's mapper, which keeps its id. */
export function columnOf(field: Field, displayName: string): ResourceMapperField {
	const options = field.type.options?.map(({ name, value }) => inertItem({ name, value }));
	const type = INPUT_TYPES.get(valueTypeOf(field)) ?? 'string';
	return {
		id: inertValue(field.id),
		displayName: inertName(displayName),
		defaultMatch: false,
		canBeUsedToMatch: KEY_TYPES.has(valueTypeOf(field)),
		required: field.required === true,
		display: true,
		// An enum whose options the service does not tell is typed freely.
		type: type === 'options' && !options?.length ? 'string' : type,
		...(options?.length ? { options } : {}),
	};
}

/** The option that was chosen in the mapper, which may have been made inert for n8n. */
function chosenIn({ type: { options = [] } }: Field, value: unknown): unknown {
	if (typeof value !== 'string' || options.some((option) => option.value === value)) return value;
	return options.find((option) => option.value === revived(value))?.value ?? value;
}

/** The column mappers' source, for a node's `methods`. */
export const resourceMapping = { getColumns };

/** The key columns that the user chose in the mapper. @throws InvalidInput where there are none, or one cannot be a key */
export function keysOf(mapping: Mapping, fields: readonly Field[]): Field[] {
	return keyColumns(mapping.matchingColumns, fields, 'Columns');
}

/** The columns of these names as keys. @param where the parameter that names them @throws InvalidInput */
export function keyColumns(names: readonly string[], fields: readonly Field[], where: string): Field[] {
	if (names.length === 0)
		throw new InvalidInput(
			'No key column is chosen',
			`Choose in "${where}" which columns tell one row from another, e.g. an order number.`,
		);
	return names.map((name) => {
		const field = ColumnNames.of(fields).get(name, where);
		if (KEY_TYPES.has(valueTypeOf(field))) return field;
		throw new InvalidInput(
			`"${field.name}" cannot be a key column: it is of the type ${field.type.name}`,
			'Choose a column of texts, numbers, dates, options or addresses of people as the key.',
		);
	});
}

export interface WriteSource {
	mapping: Mapping;
	/** The item's JSON, for automatic mapping. */
	input: object;
	fields: readonly Field[];
	/** Columns to write null to, by whatever name. */
	clear?: readonly string[];
	/** The workflow's time zone, for moments without an offset. */
	timezone?: string;
	/** The input's name, for messages; `Columns` where it is left out. */
	where?: string;
}

/**
 * The values to write, by field id (§2.7, layout field). In automatic mapping the input's members are found by column name,
 * key or id; `unknown` are those that no column answers to. `holes` are columns left out because their expression yields undefined.
 * @throws InvalidInput naming column, type and value where a value does not fit
 */
export function valuesOf({ mapping, input, fields, clear = [], timezone, where = 'Columns' }: WriteSource): {
	values: Values;
	unknown: string[];
	holes: string[];
} {
	const automatic = mapping.mappingMode === 'autoMapInputData';
	const names = ColumnNames.of(fields);
	const { placed, unknown } = placeMembers(automatic ? input : mappedValues(mapping), names);
	if (!automatic && unknown.length > 0)
		throw new InvalidInput(
			`"${where}" gives a value to ${unknown.map((id) => `"${id}"`).join(', ')}, which is not there (any more)`,
			`Open "${where}" and refresh the list, then map the value to another column or remove it.`,
		);
	const values = new Map<string, unknown>();
	const given = new Map<Field, PlacedMember>();
	const holes: string[] = [];
	for (const member of placed) {
		const { field, value } = member;
		if (value === undefined) holes.push(field.name);
		else if (!automatic || isWritable(field)) {
			const before = given.get(field);
			if (before) refuseTwice(before, member);
			given.set(field, member);
			values.set(field.id, toServiceValue(field, automatic ? value : chosenIn(field, value), timezone));
		}
	}
	for (const name of clear) {
		const field = names.get(name, 'Columns to Clear');
		if ((values.get(field.id) ?? null) !== null)
			throw new InvalidInput(
				`"${field.name}" is both given a value and cleared`,
				'Remove it from "Columns" or from "Columns to Clear".',
			);
		values.set(field.id, null);
	}
	// What this package itself puts into its rows is no value that went missing.
	return {
		values: Object.fromEntries(values),
		unknown: unknown.filter((name) => !ROW_MEMBERS.has(name)),
		holes,
	};
}

/** The values that the user mapped, without those of columns that were taken out of the mapper again. */
export function mappedValues({ value, schema = [] }: Mapping): Values {
	const removed = new Set(schema.filter((column) => column.removed).map(({ id }) => id));
	return Object.fromEntries(Object.entries(value ?? {}).filter(([id]) => !removed.has(id)));
}
