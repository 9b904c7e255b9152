import { z } from 'zod/v4';
import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { operation } from '../../shared/runner/operation';
import { jsonObject } from '../../shared/inputs/json';
import { numeric, parameter as input } from '../../shared/inputs/parameter';
import { chosenType, typeDetailsProperty, typeFields } from './fieldTypes';
import { columnName, creatable, definition, furtherProperties, furtherSchema } from './columnDefinitions';
import { addColumns } from '../../shared/rows/addColumns';

const further = input(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add property',
		default: {},
		description: 'Further properties of the column',
		options: [
			...furtherProperties,
			{
				displayName: 'Position',
				name: 'position',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description: 'The position of the column, starting at 0. If not added, the column is placed last.',
			},
			typeDetailsProperty,
		],
	},
	z.object({
		...furtherSchema,
		position: numeric.pipe(z.number().int().min(0)).optional(),
		typeDetails: jsonObject,
	}),
);

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create column',
	description: 'Add a column to a grid',
	whenRejected:
		'If the name or key is in use, choose another one; "Add Missing" adds only columns that the grid does not have.',
	on: changeableGrid,
	fields: [columnName, ...typeFields, further],
	async run({ client, grid, parameter }) {
		const name = parameter(columnName);
		const { key, description, position, typeDetails } = parameter(further);
		const column = {
			...definition({ name, key, description }, chosenType(parameter, name, typeDetails)),
			...(position === undefined ? {} : { position }),
		};
		const columns = await creatable(client, [column], grid.address.spaceId);
		const [added] = await addColumns(client, grid, columns, undefined);
		return { id: added?.id, ...columns[0] };
	},
});
