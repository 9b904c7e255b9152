import { chosenGrid } from '../../shared/inputs/chosenGrid';
import { selectionOf } from '../../shared/inputs/filters';
import type { Operation } from '../../shared/runner/operation';
import { chosenView, changeableViewFields } from './chosenView';
import { filterOnly } from './viewContent';

export const updateFilter: Operation = {
	value: 'updateFilter',
	name: 'Update Filter',
	action: 'Update the filter of a view',
	description: 'Give a view (virtual grid) another filter; without a condition it shows all rows',
	fields: [...changeableViewFields, ...filterOnly],
	async run({ client, parameter, node }) {
		const { grid, fields } = await chosenGrid(client, parameter);
		const { filter = {} } = selectionOf(parameter, fields, node.getTimezone());
		const { view } = await chosenView(client, parameter);
		await client.views.changeFilter(grid, view, filter);
		return { id: view.id, name: view.name, gridId: grid.id, filter };
	},
};
