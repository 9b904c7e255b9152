import { z } from 'zod/v4';
import { chosenGrid, writableGridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { numeric, parameter as input, textWith } from '../../shared/inputs/parameter';
import { chosenType, typeFields } from './fieldTypes';
import { addColumns } from './addColumns';

const name = input(
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Status',
		description: 'What people see at the head of the column',
	},
	textWith('a name is needed'),
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
		placeholder: 'Add Field',
		default: {},
		description: 'What else can be said of the column',
		options: [
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
				placeholder: 'e.g. How far the order has come',
				description: 'What the column is for',
			},
			{
				displayName: 'Key',
				name: 'key',
				type: 'string',
				default: '',
				placeholder: 'e.g. status',
				description: 'A stable key for integrations; the service makes one where it is left empty',
			},
			{
				displayName: 'Position',
				name: 'position',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description: 'Where to put the column: 0 is the first place; at the end where it is not added',
			},
		],
	},
	z.object({ key: text, description: text, position: numeric.pipe(z.number().int().min(0)).optional() }),
);

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a column',
	description: 'Add a column (field) to a grid',
	fields: [...writableGridFields, name, ...typeFields, further],
	async run({ client, parameter }) {
		const columnName = parameter(name);
		const { key, description, position } = parameter(further);
		const column = {
			name: columnName,
			...(key === undefined ? {} : { key }),
			...(description === undefined ? {} : { description }),
			...(position === undefined ? {} : { position }),
			type: chosenType(parameter, columnName),
		};
		const { grid } = await chosenGrid(client, parameter);
		const [added] = await addColumns(client, grid, [column], undefined);
		return { id: added?.id, ...column };
	},
};
