import type { SpaceChange } from '../../../client';
import { z } from 'zod/v4';
import { ifKeyExistsOf } from '../../shared/inputs/ifKeyExists';
import { iconInputs, iconOf } from '../../shared/inputs/symbolObject';
import { jsonInput } from '../../shared/inputs/json';
import {
	collection,
	optionalInput,
	type ReadAdded,
	type Shown,
	textInput,
} from '../../shared/inputs/parameter';
import { withoutUndefined } from '../../shared/rows/output';

/** The name of a space (§8). */
const nameInput = (shown: Shown) => optionalInput(shown, 80);

/** The name of a new space or copy; undefined if empty. */
export const spaceName = (words: Pick<Shown, 'displayName' | 'placeholder' | 'description'>) =>
	nameInput({ ...words, name: 'name' });

const changedName = nameInput({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Operations',
	description: 'At most 80 characters, unique in the account',
});

const belongsTo = textInput(
	{
		displayName: 'Belongs To',
		name: 'belongsTo',
		placeholder: 'e.g. acme',
		description: 'The organization that the space is assigned to. Leave empty for none.',
	},
	z
		.string()
		.trim()
		.nullish()
		.transform((text) => (text === '' ? null : text)),
);

const icon = iconInputs('rocket');

/** §8. */
const key = optionalInput(
	{
		displayName: 'Key',
		name: 'key',
		placeholder: 'e.g. operations',
		description: 'A stable key for integrations: at most 25 characters, unique in the account',
	},
	25,
);

export const ifKeyExists = ifKeyExistsOf('space', 'account');

/** Properties of a new space besides its name. */
export const newSpaceFields = collection(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		placeholder: 'Add property',
		description: 'Further properties of the space',
	},
	[belongsTo, ...icon, ifKeyExists, key],
);

const properties = jsonInput({
	displayName: 'Properties (JSON)',
	name: 'properties',
	placeholder: 'e.g. { "department": "sales" }',
	description: 'A JSON object that replaces the properties of the space',
});

/** Changes of a space; properties that are not added stay unchanged. */
export const spaceChanges = collection(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		placeholder: 'Add property',
		description: 'The properties to change; all others stay unchanged',
	},
	[belongsTo, ...icon, key, changedName, properties],
);

/**
 * The properties that a space may get with its creation or later (§2.3).
 * @param presentIcon missing parts of the icon are taken from it
 */
export const propertiesIn = (added: ReadAdded, presentIcon?: unknown) => ({
	belongsTo: added(belongsTo),
	key: added(key),
	spaceIcon: iconOf(added, presentIcon),
});

/** The change that `spaceChanges` describe. */
export const changeOf = (added: ReadAdded, presentIcon: unknown): SpaceChange =>
	withoutUndefined({
		name: added(changedName),
		...propertiesIn(added, presentIcon),
		properties: added(properties),
	});
