import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { jsonObject } from '../../../client';
import { parameter, type ReadParameter, type Parameter } from './parameter';

const collectionSchema = jsonObject.nullish();

/**
 * The "Options" of an operation. Its value is a function that reads one option; an option that was
 * not added has its default.
 */
export function optionsOf(...options: ReadonlyArray<Parameter<unknown>>): Parameter<ReadParameter> {
	const properties = options
		.map(({ property }) => property)
		.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));
	const property: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: properties,
	};
	const raw = parameter(property, collectionSchema);
	return {
		property,
		read(value) {
			const given = raw.read(value) ?? {};
			return ({ property: { name, default: unset }, read }) => {
				// If the default is an expression, it stands for an option that was not added.
				const isAdded = Object.hasOwn(given, name) && String(unset).startsWith('=');
				return read(given[name] ?? (isAdded ? null : unset));
			};
		},
	};
}

/** Names as a list, or as a text with commas between them. */
export const namesSchema = z.union([
	z.array(z.string().trim().min(1)),
	z.string().transform((text) =>
		text
			.split(',')
			.map((name) => name.trim())
			.filter((name) => name !== ''),
	),
]);

/**
 * An option that lists columns of the chosen grid; an expression may also return names, keys or
 * ids.
 */
export function columnsOption(of: {
	displayName: string;
	name: string;
	description: string;
}): Parameter<string[]> {
	const property: INodeProperties = {
		...of,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getFields', loadOptionsDependsOn: ['space.value', 'grid.value'] },
		default: [],
	};
	return parameter(property, namesSchema);
}

/** An option that takes names as text, separated by commas. */
export const namesOption = (
	of: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
): Parameter<string[]> => parameter({ ...of, type: 'string', default: '' }, namesSchema);

/** Whether rows are created in the order of the input. */
export const keepOrder = parameter(
	{
		displayName: 'Keep Order',
		name: 'keepOrder',
		type: 'boolean',
		default: false,
		description:
			'Whether to create new rows in the order of the input. Each row waits for the one before it, which takes much longer. If off, rows are created simultaneously, in any order, unless the credential allows one request at a time.',
	},
	z.boolean(),
);

/** Columns whose values are removed. */
export const columnsToClear = columnsOption({
	displayName: 'Columns to Clear',
	name: 'columnsToClear',
	description:
		'Columns whose values are removed (null is written). An input value of 0, false or, in text columns, an empty text does not clear a column.',
});

/** Whether to plan a write without carrying it out. */
export const dryRun = parameter(
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		builderHint: { propertyHint: 'Switch it on for the first run of a write that acts on many rows.' },
		type: 'boolean',
		default: false,
		description: 'Whether to return what would be done without writing anything',
	},
	z.boolean(),
);
