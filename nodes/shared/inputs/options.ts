import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { jsonObject } from '../../../client/formats/json';
import { numeric, parameter, type ReadParameter, type Parameter } from './parameter';

const collectionSchema = jsonObject.nullish();

/**
 * The "Options" of an operation: what most users never need. Its value reads each of them, with the default of one that the user did
 * not add.
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
			return (option) => option.read(given[option.property.name] ?? option.property.default);
		},
	};
}

const namesSchema = z.union([
	z.array(z.string().trim().min(1)),
	z.string().transform((text) =>
		text
			.split(',')
			.map((name) => name.trim())
			.filter((name) => name !== ''),
	),
]);

/** An option that lists columns of the chosen grid; an expression may also yield their names, keys or ids. */
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

/** How many requests of one execution are on their way at a time at most. */
export const requestsAtATime = parameter(
	{
		displayName: 'Requests at a Time',
		name: 'requestsAtATime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 512, numberPrecision: 0 },
		default: 64,
		description:
			'How many requests may be on their way at a time at most. The node starts with few and takes more as long as the service answers as fast; it takes fewer when the service asks for it.',
	},
	numeric.pipe(z.number().int().min(1).max(512)),
);

/** Whether rows are created in the order of the input. */
export const keepOrder = parameter(
	{
		displayName: 'Keep Order',
		name: 'keepOrder',
		type: 'boolean',
		default: false,
		description:
			'Whether new rows are to stand in the grid in the order of the input. Each waits for the one before it, which takes many times as long; if off, rows are created side by side and stand in any order.',
	},
	z.boolean(),
);

/** The columns that get no value. */
export const columnsToClear = columnsOption({
	displayName: 'Columns to Clear',
	name: 'columnsToClear',
	description:
		'Columns whose value is removed (null is written). 0 and false are values and clear nothing, nor does an empty text in a column of texts.',
});
