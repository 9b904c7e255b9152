import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { changeableGridOrView } from '../view/chosenView';
import {
	propertiesProperty,
	propertiesSchema,
	slotPropertiesProperty,
	typeProperty,
	typeSchema,
} from './statefulViewContent';

const type = input({ ...typeProperty, required: true }, typeSchema);
/** The editor marks an empty text as invalid JSON. */
const emptyObject = { default: '{}' };
const properties = input({ ...propertiesProperty, ...emptyObject }, propertiesSchema);
const slotProperties = input({ ...slotPropertiesProperty, ...emptyObject }, propertiesSchema);

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create stateful view',
	description: 'Create a presentation of the rows of a grid or view, such as a kanban board or a calendar',
	on: changeableGridOrView,
	fields: [type, properties, slotProperties],
	async run({ client, grid, parameter }) {
		const content = {
			type: parameter(type),
			properties: parameter(properties) ?? {},
			slotProperties: parameter(slotProperties) ?? {},
		};
		const created = await client.statefulViews.create(grid, content);
		return { ...idOrAddress(created), gridId: grid.id, ...content };
	},
});
