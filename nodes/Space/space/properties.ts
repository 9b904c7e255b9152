import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { SpaceChange, Symbol } from '../../../client/spaces';
import { jsonObject } from '../../shared/json';
import { parameter } from '../../shared/parameter';

/** §8. */
const name = z.string().trim().max(80, 'it is longer than 80 characters');
const key = z.string().trim().max(25, 'it is longer than 25 characters');

/** An empty input is none. */
const orNone = <Schema extends z.ZodType<string>>(schema: Schema) =>
	schema.nullish().transform((text) => text || undefined);

/** The name of a new space or of a copy; undefined where none is given. */
export function spaceName(description: string) {
	const property: INodeProperties = {
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Operations',
		description,
	};
	return parameter(property, orNone(name));
}

const belongsTo: INodeProperties = {
	displayName: 'Belongs To',
	name: 'belongsTo',
	type: 'string',
	default: '',
	placeholder: 'e.g. acme',
	description: 'The organisation that the space is assigned to; empty for none',
};

const icon: INodeProperties[] = [
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
		placeholder: 'e.g. rocket',
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

const spaceKey: INodeProperties = {
	displayName: 'Key',
	name: 'key',
	type: 'string',
	default: '',
	placeholder: 'e.g. operations',
	description: 'A stable key for integrations: at most 25 characters, unique in the account',
};

const iconSchema = {
	iconColor: orNone(z.string().trim()),
	iconName: orNone(z.string().trim()),
	iconSet: orNone(z.string().trim()),
};
const organisation = z
	.string()
	.trim()
	.nullish()
	.transform((text) => (text === '' ? null : text));

/** What can be said of a new space beside its name. */
export const newSpaceFields = parameter(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'What else can be said of the space',
		options: [belongsTo, ...icon, spaceKey],
	},
	z.object({ belongsTo: organisation, key: orNone(key), ...iconSchema }),
);

/** What is to change of a space; what is not added stays as it is. */
export const spaceChanges = parameter(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'What to change; what is not added here stays as it is',
		options: [
			belongsTo,
			...icon,
			spaceKey,
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Operations',
				description: 'At most 80 characters, unique in the account',
			},
			{
				displayName: 'Properties (JSON)',
				name: 'properties',
				type: 'json',
				default: '',
				placeholder: 'e.g. { "department": "sales" }',
				description: 'A JSON object that replaces the properties of the space',
			},
		],
	},
	z.object({
		belongsTo: organisation,
		key: orNone(key),
		name: orNone(name),
		properties: jsonObject,
		...iconSchema,
	}),
);

interface IconInput {
	iconColor?: string | undefined;
	iconName?: string | undefined;
	iconSet?: string | undefined;
}

/** A space's properties as the service takes them (§2.3): only those that are given, the icon's added to what it was. */
export function changeOf(
	{ iconColor, iconName, iconSet, ...given }: IconInput & Omit<SpaceChange, 'spaceIcon'>,
	presentIcon: unknown = {},
): SpaceChange {
	const parts: Symbol = {
		...(iconName === undefined ? {} : { name: iconName }),
		...(iconSet === undefined ? {} : { iconset: iconSet }),
		...(iconColor === undefined ? {} : { color: iconColor }),
	};
	const present = z.record(z.string(), z.string()).catch({}).parse(presentIcon);
	// §2.3: an icon has all three, so what nobody gave is empty.
	const blank = { name: '', iconset: '', color: '' };
	const spaceIcon = Object.keys(parts).length === 0 ? undefined : { ...blank, ...present, ...parts };
	const all = { ...given, spaceIcon };
	return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
