import type { GridChange } from '../../../client';
import { iconInputs, iconOf } from '../../shared/inputs/symbolObject';
import { ifKeyExistsOf } from '../../shared/inputs/ifKeyExists';
import { jsonInput } from '../../shared/inputs/json';
import {
	collection,
	optionalInput,
	type ReadAdded,
	requiredText,
	textInput,
	toggle,
	upTo,
} from '../../shared/inputs/parameter';
import { withoutUndefined } from '../../shared/rows/output';

/** §8. */
const MAX_NAME = 80;
const NAME_RULE = 'At most 80 characters, unique among the grids and views of the space';

/** The name of a new grid or view. */
export const newName = textInput(
	{
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder: 'e.g. Orders',
		description: NAME_RULE,
	},
	requiredText('a name is needed').refine(...upTo(MAX_NAME)),
);

/** The name after a change. */
const changedName = optionalInput(
	{ displayName: 'Name', name: 'name', placeholder: 'e.g. Orders 2026', description: NAME_RULE },
	MAX_NAME,
);

/** The new name of a view. */
export const newViewName = optionalInput(
	{
		displayName: 'New Name',
		name: 'newName',
		placeholder: 'e.g. Open Orders',
		description: `${NAME_RULE}. If empty, it stays unchanged.`,
	},
	MAX_NAME,
);

/** The key of a new or changed grid (§8). */
export const newKey = optionalInput(
	{
		displayName: 'Key',
		name: 'key',
		placeholder: 'e.g. orders',
		description: 'A stable key for integrations: at most 25 characters, unique in the space',
	},
	25,
);

const icon = iconInputs('table');

export const ifKeyExists = ifKeyExistsOf('grid', 'space', {
	addMissing: {
		name: 'Return It, Add Missing Columns',
		description:
			'The existing grid gets the columns that it lacks. A column of the same key but another type is refused before anything is changed.',
	},
});

/** Whether to also create a first view. */
export const createView = toggle({
	displayName: 'Create View',
	name: 'createView',
	description: 'Whether to also create a first view of the grid',
});

/** Whether to create the space that is chosen by a key, if there is none. */
export const makeSpace = toggle({
	displayName: 'Make the Space If Missing',
	name: 'makeSpace',
	description:
		'Whether to create the space that "Space" names by a key, if there is none. Its name is made from the key.',
});

/** Key and further properties of a new grid. */
export const newGridOptions = collection(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		placeholder: 'Add property',
		description: 'Further properties of the grid',
	},
	[createView, ...icon, ifKeyExists, newKey, makeSpace],
);

const properties = jsonInput({
	displayName: 'Properties (JSON)',
	name: 'properties',
	placeholder: 'e.g. { "department": "sales" }',
	description: 'A JSON object that replaces the properties of the grid',
});

/** The changes to a grid; properties that are not added stay unchanged. */
export const gridChanges = collection(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		placeholder: 'Add property',
		description: 'The properties to change; all others stay unchanged',
	},
	[...icon, newKey, changedName, properties],
);

/** The change that `gridChanges` describe. @param icon the present one */
export const changeOf = (added: ReadAdded, icon: unknown): GridChange =>
	withoutUndefined({
		name: added(changedName),
		key: added(newKey),
		icon: iconOf(added, icon),
		properties: added(properties),
	});
