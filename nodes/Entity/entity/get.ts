import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import { entityPicker } from '../../shared/pickers/entity';
import { columnNaming, rowOf } from '../../shared/naming';
import type { Operation } from '../../shared/operation';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get an entity',
	description: 'Read one row of a grid',
	fields: [...gridFields, entityPicker, columnNaming],
	async run({ client, parameter }) {
		const { grid, fields } = await chosenGrid(client, parameter);
		const entity = await client.entities.get(grid, parameter(entityPicker));
		return rowOf(entity, fields, parameter(columnNaming));
	},
};
