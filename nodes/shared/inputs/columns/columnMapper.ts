import type {
	ILoadOptionsFunctions,
	INodeProperties,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { type Field, Forbidden, InvalidInput, isWritable, oncePer, type Values } from '../../../../client';
import { typeLabel } from '../../rows/columnTypes';
import { connect } from '../../connection/connect';
import { escapedItem, escapedName, escapedValue, unescaped } from '../../display/expressionEscape';
import { ColumnNames, labelsOf, ROW_MEMBERS } from '../../rows/columnNames';
import { placeMembers, requireSameValue } from './members';
import { gridOfParentPickers, isGridChosen } from '../pickers/grid';
import { escaped } from '../../display/shownText';
import { parameter, type Parameter } from '../parameter';
import { collectProblem, InvalidItem } from '../problems';
import { unloadedColumns } from './unloadedColumns';
import { mappedValues, mappingSchema, storedNames, type Mapping } from './storedColumns';
import { toServiceValue } from '../../rows/values';
import { valueRulesOf } from '../../rows/valueTypes';

/** Read by n8n 2.41, which then loads new and changed columns when the node is opened. */
const REFRESH_ON_OPEN = { refreshIncompleteSchemaOnOpen: true, refreshStaleSchemaOnOpen: true };

/** Label of the list of key columns in the mapper. */
export const KEY_COLUMNS = 'Key Columns';

/**
 * The column mapper of an operation.
 * @param mode `add` starts with all columns, the others with none: n8n stores `false` for a switch
 * that is shown and never touched, which would overwrite a `true`. `upsert` asks for key columns
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
			'The values to write; other columns stay as they are. Automatic mapping matches input fields by column name, key or ID. Attachments are links to files: enter their addresses, separated by commas. The service accepts no uploads, so a binary file must first be stored where it has a link.',
		builderHint: {
			propertyHint:
				mode === 'upsert'
					? 'Set matchingColumns to the key columns, such as an order number; with defineBelow, value has one member per column.'
					: 'With defineBelow, value has one member per column; a column left out is not written.',
		},
		typeOptions: {
			loadOptionsDependsOn: ['space.value', 'grid.value'],
			resourceMapper: {
				resourceMapperMethod: 'getColumns',
				// `add` shows no matching columns; the user decides which columns are sent.
				mode: mode === 'update' ? 'add' : mode,
				fieldWords: { singular: 'column', plural: 'columns' },
				valuesLabel: 'Columns',
				addAllFields: mode === 'add',
				multiKeyMatch: mode === 'upsert',
				supportAutoMap: true,
				allowEmptyValues: true,
				// The notice gives the reason instead.
				hideNoDataError: true,
				...REFRESH_ON_OPEN,
				...(mode === 'upsert'
					? {
							matchingFieldsLabels: {
								title: KEY_COLUMNS,
								description: 'Columns that together identify a row',
								hint: 'Rows with the same values in all of these columns count as the same row',
							},
						}
					: {}),
			},
		},
	};
	return parameter(property, mappingSchema);
}

/**
 * The column mapper of an operation whose default is automatic mapping. A tool of an AI agent has
 * no input fields to map, so its default is to list the columns for the model to fill in.
 */
export function columnMappers(of: Parameter<Mapping>): Array<Parameter<Mapping>> {
	const { property, read } = of;
	const forTool: INodeProperties = {
		...property,
		default: { mappingMode: 'defineBelow', value: null },
		displayOptions: { show: { '@tool': [true] } },
	};
	const otherwise: INodeProperties = { ...property, displayOptions: { hide: { '@tool': [true] } } };
	return [
		{ property: otherwise, read },
		{ property: forTool, read },
	];
}

async function getColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	if (!isGridChosen(this)) return { fields: [], emptyFieldsNotice: 'Choose a grid to see its columns.' };
	return await connect(this)
		.then(async (client) => {
			const fields = await client.fields.of(await gridOfParentPickers(this, client));
			const labels = labelsOf(fields);
			const names = storedNames(fields);
			return mapperOf(
				fields
					.filter(isWritable)
					.map((field) => columnOf(field, labels.get(field.id) ?? field.name, names.get(field.id))),
				'Columns of this grid',
				'This grid has no writable columns. Add a column to the grid, then refresh the list. Sync adds columns itself: see Missing Columns under Options.',
			);
		})
		.catch((error: unknown) =>
			error instanceof Forbidden
				? { fields: [], emptyFieldsNotice: UNREADABLE }
				: unloadedColumns(this, 'columns', error),
		);
}

/** Shown if the key may add rows but not read them (§5, creator). */
const UNREADABLE =
	'Your key may not read the columns of this grid. To add rows, choose automatic mapping and name the input fields by the keys or IDs of the columns.';

/** Maximum number of names in a notice. */
const MAX_NAMES = 30;

/**
 * Fields for n8n's mapper. With automatic mapping n8n shows the notice even if there are fields,
 * and keeps an older one if there is none, so the notice always lists the fields.
 * @param what introduces the names of the fields
 * @param none shown if there are no fields
 */
export function mapperOf(
	fields: ResourceMapperField[],
	what: string,
	none: string,
): Required<Pick<ResourceMapperFields, 'fields' | 'emptyFieldsNotice'>> {
	const names = fields.slice(0, MAX_NAMES).map(({ displayName }) => escaped(displayName));
	const more = fields.length > MAX_NAMES ? ` and ${fields.length - MAX_NAMES} more` : '';
	return { fields, emptyFieldsNotice: fields.length === 0 ? none : `${what}: ${names.join(', ')}${more}` };
}

/** A field as an input of n8n's mapper. @param id what the mapper stores for the field */
export function columnOf(field: Field, displayName: string, id = field.id): ResourceMapperField {
	const options = field.type.options?.map(({ name, value }) => escapedItem({ name, value }));
	const { input: type, isKey } = valueRulesOf(field);
	return {
		id: escapedValue(id),
		displayName: escapedName(displayName),
		defaultMatch: false,
		canBeUsedToMatch: isKey,
		required: field.required === true,
		display: true,
		// Without known options, an enum is entered as text.
		type: type === 'options' && !options?.length ? 'string' : type,
		...(options?.length ? { options } : {}),
	};
}

/** The option chosen in a list, unescaped. */
export function chosenIn({ type: { options = [] } }: Field, value: unknown): unknown {
	if (typeof value !== 'string' || options.some((option) => option.value === value)) return value;
	return options.find((option) => option.value === unescaped(value))?.value ?? value;
}

/** Loads columns into the mapper; for a node's `methods`. */
export const resourceMapping = { getColumns };

/** The key columns chosen in the mapper. @throws InvalidInput if one cannot be a key */
export function keysOf(mapping: Mapping, fields: readonly Field[]): Field[] {
	return keyColumns(mapping.matchingColumns, fields, KEY_COLUMNS);
}

/** The columns with these names as keys. @param where the input of names @throws InvalidInput */
export function keyColumns(names: readonly string[], fields: readonly Field[], where: string): Field[] {
	if (names.length === 0)
		throw new InvalidInput(
			'No key column is chosen',
			`Choose in "${where}" the columns that identify a row, e.g. an order number.`,
		);
	return names.map((name) => {
		const field = ColumnNames.of(fields).get(name, where);
		if (valueRulesOf(field).isKey) return field;
		throw new InvalidInput(
			`"${field.name}" cannot be a key column, because its type is ${typeLabel(field.type.name)}`,
			'Choose a column with texts, numbers, dates, options, users, or email or web addresses.',
		);
	});
}

export interface WriteSource {
	mapping: Mapping;
	/** The item's JSON, for automatic mapping. */
	input: object;
	fields: readonly Field[];
	/** Columns to write null to, by name, key or id. */
	clear?: readonly string[];
	/** The workflow's time zone, for moments without an offset. */
	timezone?: string;
	/** The input's name in messages; `Columns` if omitted. */
	where?: string;
	/** Converts a value before it is written; `toServiceValue` by default. */
	convert?: (field: Field, value: unknown, timezone: string | undefined) => unknown;
}

/**
 * The values to write, by field id (§2.7, layout field). Automatic mapping matches the input's
 * members by column name, key or id; `unknown` lists those that match none. `undefinedColumns` are
 * not written, because their expressions return undefined.
 * @throws InvalidInput naming column, type and value if a value does not fit
 */
export function valuesOf({
	mapping,
	input,
	fields,
	clear = [],
	timezone,
	where = 'Columns',
	convert = toServiceValue,
}: WriteSource): {
	values: Values;
	unknown: string[];
	undefinedColumns: string[];
} {
	const automatic = mapping.mappingMode === 'autoMapInputData';
	const names = ColumnNames.of(fields);
	const { placed, unknown } = placeMembers(automatic ? input : mappedValues(mapping), names, !automatic);
	if (!automatic && unknown.length > 0)
		throw new InvalidInput(
			`"${where}" contains a value for ${unknown.map((id) => `"${id}"`).join(', ')}, which does not exist or was deleted`,
			`Open "${where}" and refresh the list, then map the value to another column or remove it.`,
		);
	// By field id.
	const values = new Map<string, unknown>();
	const undefinedColumns: string[] = [];
	const problems: InvalidInput[] = [];
	for (const member of placed) {
		const { field, value } = member;
		if (value === undefined) undefinedColumns.push(field.name);
		else if (!automatic || isWritable(field)) {
			const first =
				values.has(field.id) && placed.find((one) => one.field === field && one.value !== undefined);
			if (first) requireSameValue(first, member);
			const cell = automatic ? value : chosenIn(field, value);
			values.set(field.id, collectProblem(problems, convert, field, cell, timezone));
		}
	}
	if (problems.length > 0) throw new InvalidItem(problems, Object.fromEntries(values));
	for (const name of clear) clearColumn(names.get(name, 'Columns to Clear'), values);
	// Members that this package adds to rows are not reported as unknown.
	return {
		values: rowOf(fields, values),
		unknown: unknown.filter((name) => !ROW_MEMBERS.has(name)),
		undefinedColumns,
	};
}

/** IDs of the columns of the last row of a grid, and an object with these members to copy. */
const latestOf = oncePer<readonly Field[], { ids: readonly string[]; blank: Values }>(() => ({
	ids: [],
	blank: {},
}));

/** V8 stores a copy compactly, but an object that gets many members one by one as a hash table. */
function rowOf(fields: readonly Field[], values: ReadonlyMap<string, unknown>): Values {
	// Assigning to `__proto__` would change the prototype.
	if (values.has('__proto__')) return Object.fromEntries(values);
	const latest = latestOf(fields);
	const ids = [...values.keys()];
	if (ids.length !== latest.ids.length || ids.some((id, index) => id !== latest.ids[index]))
		Object.assign(latest, { ids, blank: Object.fromEntries(ids.map((id) => [id, null])) });
	const row = { ...latest.blank };
	for (const [id, value] of values) row[id] = value;
	return row;
}

/** @throws InvalidInput if the column also has a value */
function clearColumn(field: Field, values: Map<string, unknown>): void {
	if ((values.get(field.id) ?? null) !== null)
		throw new InvalidInput(
			`"${field.name}" both has a value and is cleared`,
			'Remove it from "Columns" or from "Columns to Clear".',
		);
	values.set(field.id, null);
}
