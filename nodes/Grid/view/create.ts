import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { newName } from '../grid/gridProperties';
import { fieldIdsOf, newSelection, viewColumns, viewSelectionOf } from './viewContent';

const viewName = { ...newName, property: { ...newName.property, placeholder: 'e.g. Open orders' } };

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create view',
	description: 'Create a view: a saved selection of columns, with a filter and a sort order',
	whenRejected:
		'If the name is in use by another grid or view of the space, choose another one, or change the existing view with "Update". Otherwise check the columns and the filter.',
	on: changeableGrid,
	fields: [viewName, viewColumns, ...newSelection],
	async run({ client, grid, fields, parameter, timezone }) {
		const { filter, sorting } = viewSelectionOf(parameter, fields, timezone);
		const content = {
			name: parameter(viewName),
			fields: fieldIdsOf(parameter(viewColumns), fields),
			filter: filter ?? {},
			sorting: sorting ?? {},
		};
		const created = await client.views.create(grid, content);
		return { ...idOrAddress(created), gridId: grid.id, spaceId: grid.address.spaceId, ...content };
	},
});
