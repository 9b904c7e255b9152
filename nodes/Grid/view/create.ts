import { chosenGrid, writableGridFields } from '../../shared/inputs/chosenGrid';
import { selectionOf } from '../../shared/inputs/filters';
import { idOrAddress } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { newName } from '../grid/gridProperties';
import { columnsProperty, columnsSchema, fieldIdsOf, newSelection } from './viewContent';

const viewName = { ...newName, property: { ...newName.property, placeholder: 'e.g. Open orders' } };
const columns = input(columnsProperty, columnsSchema);

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a view',
	description: 'Save a view (virtual grid): a selection of columns of a grid, a filter and a sorting',
	fields: [...writableGridFields, viewName, columns, ...newSelection],
	async run({ client, parameter, node }) {
		const { grid, fields } = await chosenGrid(client, parameter);
		const { filter, sorting } = selectionOf(parameter, fields, node.getTimezone());
		const content = {
			name: parameter(viewName),
			fields: fieldIdsOf(parameter(columns), fields),
			filter: filter ?? {},
			sorting: sorting ?? {},
		};
		const made = await client.views.create(grid, content);
		return { ...idOrAddress(made), gridId: grid.id, spaceId: grid.address.spaceId, ...content };
	},
};
