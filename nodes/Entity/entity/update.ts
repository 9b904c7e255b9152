import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import { columnMapper, valuesOf } from '../../shared/columns';
import { entityPicker } from '../../shared/pickers/entity';
import { columnNaming, rowOf } from '../../shared/naming';
import type { Operation } from '../../shared/operation';

const columns = columnMapper('update');

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update an entity',
	description: 'Change the values of a row; columns that are left out keep theirs',
	fields: [...gridFields, entityPicker, columns, columnNaming],
	async run({ client, item, parameter, hint }) {
		const { grid, fields } = await chosenGrid(client, parameter);
		const { values, unknown } = valuesOf(parameter(columns), item.json, fields);
		if (unknown.length > 0)
			hint(`Not written, because "${grid.name}" has no such column: ${unknown.join(', ')}`);
		// §4.5: the answer is the entity in its new state, so nothing has to be read back.
		const entity = await client.entities.update(grid, parameter(entityPicker), values);
		return rowOf(entity, fields, parameter(columnNaming));
	},
};
