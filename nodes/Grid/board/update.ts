import type { StatefulView } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { optionalBoardColumnPicker } from '../../shared/inputs/pickers/board';
import { nothingToChange, optionalInput } from '../../shared/inputs/parameter';
import { operation } from '../../shared/runner/operation';
import {
	furtherSettings,
	OTHER_TYPE,
	otherTypeName,
	properties,
	shownBy,
	slotProperties,
	TYPES,
} from './boardContent';
import { changeableBoard } from './chosenBoard';

const newName = optionalInput({
	displayName: 'New Name',
	name: 'newName',
	placeholder: 'e.g. Orders by Status',
	description: 'The new name that people see. If empty, it stays unchanged.',
});

/** Option that leaves the type as it is. */
const SAME_TYPE = 'unchanged';
const newType = choice(
	'type',
	'New Type',
	{ [SAME_TYPE]: { name: 'Unchanged', description: 'It keeps its type' }, ...TYPES },
	{ default: SAME_TYPE, description: 'How to present the rows' },
);

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update board or calendar',
	description: 'Change the name, type, column or properties of a board or calendar',
	whenRejected: 'Check the type and the properties.',
	on: changeableBoard,
	fields: [newName, newType, otherTypeName, optionalBoardColumnPicker, furtherSettings],
	async run({ client, grid, board, parameter }) {
		const chosen = parameter(newType);
		const column = parameter(optionalBoardColumnPicker);
		const shown = shownBy(
			parameter(newName),
			column,
			column === undefined ? [] : await client.fields.of(grid),
		);
		const settings = parameter(furtherSettings);
		const given = settings(properties);
		const slots = settings(slotProperties);
		// §4.4: PATCH takes the properties as a whole.
		const isChanged = given !== undefined || Object.keys(shown).length > 0;
		const change = {
			...(chosen === SAME_TYPE ? {} : { type: chosen === OTHER_TYPE ? parameter(otherTypeName) : chosen }),
			...(isChanged ? { properties: { ...propertiesAfter(board, given), ...shown } } : {}),
			...(slots === undefined ? {} : { slotProperties: slots }),
		};
		if (Object.keys(change).length === 0)
			throw nothingToChange('"New Name", "New Type", "Column" or "Additional Fields"');
		await client.statefulViews.update(grid, board, change);
		return { id: board.id, gridId: grid.id, ...change };
	},
});

/** Given properties replace all but the name and the column, which have inputs of their own. */
function propertiesAfter({ properties: present = {} }: StatefulView, given: StatefulView['properties']) {
	if (given === undefined) return present;
	const own = Object.entries(present).filter(([member]) => ['name', 'fieldId'].includes(member));
	return { ...Object.fromEntries(own), ...given };
}
