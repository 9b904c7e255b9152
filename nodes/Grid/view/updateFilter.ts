import { selectionOf } from '../../shared/inputs/selection/filters';
import { operation } from '../../shared/runner/operation';
import { changeableView } from './chosenView';
import { filterOnly } from './viewContent';

export const updateFilter = operation({
	value: 'updateFilter',
	name: 'Update Filter',
	action: 'Update filter of view',
	description: 'Replace the filter of a view (virtual grid); without conditions, the view shows all rows',
	on: changeableView,
	fields: filterOnly,
	async run({ client, grid, fields, view, parameter, timezone }) {
		const { filter = {} } = selectionOf(parameter, fields, timezone);
		await client.views.changeFilter(grid, view, filter);
		return { id: view.id, name: view.name, gridId: grid.id, filter };
	},
});
