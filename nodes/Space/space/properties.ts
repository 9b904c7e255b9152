import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { SpaceChange } from '../../../client';
import { ifKeyExistsOf } from '../../shared/inputs/ifKeyExists';
import { iconOf, iconProperties, iconSchema, type IconInput } from '../../shared/inputs/symbolObject';
import { jsonObject } from '../../shared/inputs/json';
import { parameter, shortText } from '../../shared/inputs/parameter';

/** §8. */
const name = shortText(80);
const key = shortText(25);

/** An empty text counts as no value. */
const orNone = <Schema extends z.ZodType<string>>(schema: Schema) =>
	schema.nullish().transform((text) => text || undefined);

/** The name of a new space or copy; undefined if empty. */
export function spaceName(words: Pick<INodeProperties, 'displayName' | 'placeholder' | 'description'>) {
	const property: INodeProperties = { ...words, name: 'name', type: 'string', default: '' };
	return parameter(property, orNone(name));
}

const belongsTo: INodeProperties = {
	displayName: 'Belongs To',
	name: 'belongsTo',
	type: 'string',
	default: '',
	placeholder: 'e.g. acme',
	description: 'The organization that the space is assigned to. Leave empty for none.',
};

const icon = iconProperties('rocket');

const spaceKey: INodeProperties = {
	displayName: 'Key',
	name: 'key',
	type: 'string',
	default: '',
	placeholder: 'e.g. operations',
	description: 'A stable key for integrations: at most 25 characters, unique in the account',
};

const ifKeyExists = ifKeyExistsOf('space', 'account');

const organization = z
	.string()
	.trim()
	.nullish()
	.transform((text) => (text === '' ? null : text));

/** Properties of a new space besides its name. */
export const newSpaceFields = parameter(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add property',
		default: {},
		description: 'Further properties of the space',
		options: [belongsTo, ...icon, ifKeyExists.property, spaceKey],
	},
	z.object({
		belongsTo: organization,
		ifKeyExists: ifKeyExists.schema.optional(),
		key: orNone(key),
		...iconSchema,
	}),
);

/** Changes of a space; properties that are not added stay unchanged. */
export const spaceChanges = parameter(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add property',
		default: {},
		description: 'The properties to change; all others stay unchanged',
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
		belongsTo: organization,
		key: orNone(key),
		name: orNone(name),
		properties: jsonObject,
		...iconSchema,
	}),
);

/**
 * A change as the service expects it (§2.3): only given properties; missing parts of the icon are
 * taken from the current one.
 */
export function changeOf(
	{ iconColor, iconName, iconSet, ...given }: IconInput & Omit<SpaceChange, 'spaceIcon'>,
	presentIcon: unknown = {},
): SpaceChange {
	const all = { ...given, spaceIcon: iconOf({ iconColor, iconName, iconSet }, presentIcon) };
	return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
