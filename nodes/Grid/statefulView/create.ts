import { idOrAddress } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { chosenGridOrView, changeableGridOrViewFields } from '../view/chosenView';
import {
	propertiesProperty,
	propertiesSchema,
	slotPropertiesProperty,
	typeProperty,
	typeSchema,
} from './statefulViewContent';

const type = input({ ...typeProperty, required: true }, typeSchema);
/** The editor marks an empty text as broken JSON. */
const noneYet = { default: '{}' };
const properties = input({ ...propertiesProperty, ...noneYet }, propertiesSchema);
const slotProperties = input({ ...slotPropertiesProperty, ...noneYet }, propertiesSchema);

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a stateful view',
	description: 'Add a presentation of the rows of a grid or view, such as a kanban board or a calendar',
	fields: [...changeableGridOrViewFields, type, properties, slotProperties],
	async run({ client, parameter }) {
		const content = {
			type: parameter(type),
			properties: parameter(properties) ?? {},
			slotProperties: parameter(slotProperties) ?? {},
		};
		const grid = await chosenGridOrView(client, parameter);
		const made = await client.statefulViews.create(grid, content);
		return { ...idOrAddress(made), gridId: grid.id, ...content };
	},
};
