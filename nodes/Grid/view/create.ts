import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import type { Operation } from '../../shared/operation';
import { parameter as input } from '../../shared/parameter';
import { newName } from '../gridProperties';
import {
	byFieldId,
	columnsProperty,
	columnsSchema,
	fieldIdsOf,
	filterProperty,
	filterSchema,
	sortingProperty,
	sortingSchema,
} from '../viewContent';

const columns = input(columnsProperty, columnsSchema);
const filter = input(filterProperty, filterSchema);
const sorting = input(sortingProperty, sortingSchema);

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a view',
	description: 'Save a view (virtual grid): a selection of columns of a grid, a filter and a sorting',
	fields: [...gridFields, newName, columns, filter, sorting],
	async run({ client, parameter }) {
		const { grid, fields } = await chosenGrid(client, parameter);
		const content = {
			name: parameter(newName),
			fields: fieldIdsOf(parameter(columns), fields, grid),
			filter: byFieldId(parameter(filter) ?? {}, fields, grid),
			sorting: byFieldId(parameter(sorting) ?? {}, fields, grid),
		};
		const { id } = await client.views.create(grid, content);
		return { id, gridId: grid.id, spaceId: grid.address.spaceId, ...content };
	},
};
