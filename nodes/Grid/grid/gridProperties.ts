import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { GridChange } from '../../../client';
import { iconProperties, iconSchema } from '../../shared/inputs/symbolObject';
import { ifKeyExistsOf } from '../../shared/inputs/ifKeyExists';
import { jsonObject } from '../../shared/inputs/json';
import { parameter, shortText } from '../../shared/inputs/parameter';

/** §8. */
const nameSchema = shortText(80);
const keySchema = shortText(25);
const optional = <Schema extends z.ZodType<string>>(schema: Schema) =>
	schema.nullish().transform((text) => text || undefined);

/** The name of a new grid or view. */
export const newName = parameter(
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Orders',
		description: 'At most 80 characters, unique among the grids and views of the space',
	},
	nameSchema.refine((name) => name !== '', 'a name is needed'),
);

const keyProperty: INodeProperties = {
	displayName: 'Key',
	name: 'key',
	type: 'string',
	default: '',
	placeholder: 'e.g. orders',
	description: 'A stable key for integrations: at most 25 characters, unique in the space',
};

const icon = iconProperties('table');

const ifKeyExists = ifKeyExistsOf('grid', 'space', {
	addMissing: {
		name: 'Return It, Add Missing Columns',
		description:
			'The existing grid gets the columns that it lacks. A column of the same key but another type is refused before anything is changed.',
	},
});

/** Key and further properties of a new grid. */
export const newGridOptions = parameter(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add property',
		default: {},
		description: 'Further properties of the grid',
		options: [
			{
				displayName: 'Create View',
				name: 'createView',
				type: 'boolean',
				default: false,
				description: 'Whether to also create a first view of the grid',
			},
			...icon,
			ifKeyExists.property,
			keyProperty,
			{
				displayName: 'Make the Space If Missing',
				name: 'makeSpace',
				type: 'boolean',
				default: false,
				description:
					'Whether to create the space that "Space" names by a key, if there is none. Its name is made from the key.',
			},
		],
	},
	z.object({
		createView: z.boolean().optional(),
		key: optional(keySchema),
		ifKeyExists: ifKeyExists.schema.optional(),
		makeSpace: z.boolean().default(false),
		...iconSchema,
	}),
);

/** The key of a grid created from a file. */
export const newKey = parameter(keyProperty, optional(keySchema));

/** The changes to a grid; properties that are not added stay unchanged. */
export const gridChanges = parameter(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add property',
		default: {},
		description: 'The properties to change; all others stay unchanged',
		options: [
			...icon,
			keyProperty,
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Orders 2026',
				description: 'At most 80 characters, unique among the grids and views of the space',
			},
			{
				displayName: 'Properties (JSON)',
				name: 'properties',
				type: 'json',
				default: '',
				placeholder: 'e.g. { "department": "sales" }',
				description: 'A JSON object that replaces the properties of the grid',
			},
		],
	},
	z.object({
		name: optional(nameSchema),
		key: optional(keySchema),
		properties: jsonObject,
		...iconSchema,
	}),
);

/** A change without undefined properties, which would appear in the output row. */
export function given({ name, key, icon, properties }: GridChange): GridChange {
	return {
		...(name === undefined ? {} : { name }),
		...(key === undefined ? {} : { key }),
		...(icon === undefined ? {} : { icon }),
		...(properties === undefined ? {} : { properties }),
	};
}
