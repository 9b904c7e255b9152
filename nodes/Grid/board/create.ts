import { choice } from '../../shared/inputs/choice';
import { boardColumnPicker } from '../../shared/inputs/pickers/board';
import { requiredText, shownFor, textInput } from '../../shared/inputs/parameter';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { changeableGridOrView } from '../view/chosenView';
import {
	furtherSettings,
	OTHER_TYPE,
	otherTypeName,
	properties,
	shownBy,
	slotProperties,
	TYPES,
} from './boardContent';

const name = textInput(
	{
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder: 'e.g. Orders by Status',
		description: 'The name that people see',
	},
	requiredText('a name is required'),
);
const type = choice('type', 'Type', TYPES, { default: 'kanban', description: 'How to present the rows' });
const column = shownFor(boardColumnPicker, { type: ['kanban', 'calendar'] });

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create board or calendar',
	description: 'Show the rows of a grid or view as a board with lanes, or in a calendar',
	whenRejected: 'Check the type and the properties.',
	on: changeableGridOrView,
	fields: [name, type, otherTypeName, column, furtherSettings],
	async run({ client, grid, parameter }) {
		const chosen = parameter(type);
		const isOther = chosen === OTHER_TYPE;
		const settings = parameter(furtherSettings);
		const shown = shownBy(
			parameter(name),
			isOther ? undefined : parameter(column),
			isOther ? [] : await client.fields.of(grid),
		);
		const content = {
			type: isOther ? parameter(otherTypeName) : chosen,
			properties: { ...settings(properties), ...shown },
			slotProperties: settings(slotProperties) ?? {},
		};
		const created = await client.statefulViews.create(grid, content);
		return { ...idOrAddress(created), gridId: grid.id, ...content };
	},
});
