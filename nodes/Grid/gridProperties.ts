import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { GridChange, Icon } from '../../client/grids';
import { jsonObject } from '../shared/json';
import { parameter } from '../shared/parameter';

/** §8. */
const nameSchema = z.string().trim().max(80, 'it is longer than 80 characters');
const keySchema = z.string().trim().max(25, 'it is longer than 25 characters');
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
	nameSchema.min(1, 'a name is needed'),
);

const keyProperty: INodeProperties = {
	displayName: 'Key',
	name: 'key',
	type: 'string',
	default: '',
	placeholder: 'e.g. orders',
	description: 'A stable key for integrations: at most 25 characters, unique in the space',
};

const iconProperties: INodeProperties[] = [
	{
		displayName: 'Icon Color',
		name: 'iconColor',
		type: 'color',
		default: '',
		description: 'The color of the icon',
	},
	{
		displayName: 'Icon Name',
		name: 'iconName',
		type: 'string',
		default: '',
		placeholder: 'e.g. table',
		description: 'The name of the icon within its set',
	},
	{
		displayName: 'Icon Set',
		name: 'iconSet',
		type: 'string',
		default: '',
		placeholder: 'e.g. material',
		description: 'The set that the icon is from',
	},
];

const iconSchema = {
	iconColor: optional(z.string().trim()),
	iconName: optional(z.string().trim()),
	iconSet: optional(z.string().trim()),
};

/** Key and further properties of a new grid. */
export const newGridOptions = parameter(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'What else can be said of the grid',
		options: [
			{
				displayName: 'Create View',
				name: 'createView',
				type: 'boolean',
				default: false,
				description: 'Whether to create a first view of the grid too',
			},
			...iconProperties,
			keyProperty,
		],
	},
	z.object({ createView: z.boolean().optional(), key: optional(keySchema), ...iconSchema }),
);

/** The key of a grid that is made of a file. */
export const newKey = parameter(keyProperty, optional(keySchema));

/** What is to change of a grid; a property that is not added stays as it is. */
export const gridChanges = parameter(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'What to change; what is not added here stays as it is',
		options: [
			...iconProperties,
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

interface IconInput {
	iconColor?: string | undefined;
	iconName?: string | undefined;
	iconSet?: string | undefined;
}

const text = z.string().catch('');
/** §2.8: all three are strings, so what there is not yet stands as an empty one. */
const presentIcon = z
	.looseObject({ name: text, iconset: text, color: text })
	.catch({ name: '', iconset: '', color: '' });

/** The icon as the service takes it, what is not given taken from the present one; undefined where nothing is given. */
export function iconOf({ iconColor, iconName, iconSet }: IconInput, present: unknown = {}): Icon | undefined {
	const given = {
		...(iconName === undefined ? {} : { name: iconName }),
		...(iconSet === undefined ? {} : { iconset: iconSet }),
		...(iconColor === undefined ? {} : { color: iconColor }),
	};
	if (Object.keys(given).length === 0) return undefined;
	return { ...presentIcon.parse(present), ...given };
}

/** Only what is given of a change: JSON has no undefined, but an output row would show it. */
export function given({ name, key, icon, properties }: GridChange): GridChange {
	return {
		...(name === undefined ? {} : { name }),
		...(key === undefined ? {} : { key }),
		...(icon === undefined ? {} : { icon }),
		...(properties === undefined ? {} : { properties }),
	};
}
