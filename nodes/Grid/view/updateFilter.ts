import type { Operation } from '../../shared/operation';
import { parameter as input } from '../../shared/parameter';
import { chosenView, viewFields } from '../chosenView';
import { byFieldId, filterProperty, filterSchema } from '../viewContent';

const filter = input({ ...filterProperty, required: true, default: '{}' }, filterSchema);

export const updateFilter: Operation = {
	value: 'updateFilter',
	name: 'Update Filter',
	action: 'Update the filter of a view',
	description: 'Give a view (virtual grid) another filter; an empty one shows all rows',
	fields: [...viewFields, filter],
	async run({ client, parameter }) {
		const given = parameter(filter) ?? {};
		const { grid, view } = await chosenView(client, parameter);
		const compiled = byFieldId(given, await client.fields.of(grid), grid);
		await client.views.changeFilter(grid, view, compiled);
		client.grids.forget();
		return { id: view.id, name: view.name, gridId: grid.id, filter: compiled };
	},
};
