import { z } from 'zod/v4';
import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { operation } from '../../shared/runner/operation';
import { jsonObject } from '../../shared/inputs/json';
import { numeric, parameter as input, requiredText } from '../../shared/inputs/parameter';
import { chosenType, typeDetailsProperty, typeFields } from './fieldTypes';
import { creatable } from './columnDefinitions';
import { addColumns } from '../../shared/rows/addColumns';

const name = input(
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Status',
		description: 'The name that people see at the top of the column',
	},
	requiredText('a name is required'),
);

const text = z
	.string()
	.trim()
	.nullish()
	.transform((given) => given || undefined);

const further = input(
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add property',
		default: {},
		description: 'Further properties of the column',
		options: [
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
				placeholder: 'e.g. Progress of the order',
				description: 'What the column is for',
			},
			{
				displayName: 'Key',
				name: 'key',
				type: 'string',
				default: '',
				placeholder: 'e.g. status',
				description: 'A stable key for integrations. If empty, the service creates one.',
			},
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
		key: text,
		description: text,
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
	fields: [name, ...typeFields, further],
	async run({ client, grid, parameter }) {
		const columnName = parameter(name);
		const { key, description, position, typeDetails } = parameter(further);
		const column = {
			name: columnName,
			...(key === undefined ? {} : { key }),
			...(description === undefined ? {} : { description }),
			...(position === undefined ? {} : { position }),
			type: chosenType(parameter, columnName, typeDetails),
		};
		const columns = await creatable(client, [column], grid.address.spaceId);
		const [added] = await addColumns(client, grid, columns, undefined);
		return { id: added?.id, ...columns[0] };
	},
});
