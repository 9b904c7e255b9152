import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import { columnMapper, valuesOf } from '../../shared/columns';
import { columnNaming, rowOf } from '../../shared/naming';
import type { Operation } from '../../shared/operation';
import { returnFullEntity } from '../../shared/output';

const columns = columnMapper('add');

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create an entity',
	description: 'Add a row to a grid',
	fields: [...gridFields, columns, returnFullEntity, columnNaming],
	async run({ client, item, parameter, hint }) {
		const { grid, fields } = await chosenGrid(client, parameter);
		const { values, unknown } = valuesOf(parameter(columns), item.json, fields);
		if (unknown.length > 0)
			hint(`Not written, because "${grid.name}" has no such column: ${unknown.join(', ')}`);
		const { id } = await client.entities.create(grid, values);
		const entity = parameter(returnFullEntity)
			? await client.entities.get(grid, id)
			: { _id: id, _links: new Map(), ...values };
		return rowOf(entity, fields, parameter(columnNaming));
	},
};
