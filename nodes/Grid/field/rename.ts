import type { Operation } from '../../shared/runner/operation';
import { parameter as input, textWith } from '../../shared/inputs/parameter';
import { chosenField, changeableFieldFields } from './chosenField';

const newName = input(
	{
		displayName: 'New Name',
		name: 'newName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Delivery Status',
		description: 'What people are to see at the head of the column',
	},
	textWith('a name is needed'),
);

export const rename: Operation = {
	value: 'rename',
	name: 'Rename',
	action: 'Rename a column',
	description: 'Give a column (field) another name; its ID, key and values stay',
	fields: [...changeableFieldFields, newName],
	async run({ client, parameter }) {
		const { grid, fields, field } = await chosenField(client, parameter);
		const name = parameter(newName);
		// §4.4: ColumnRename knows a column by its name alone, so of two with one name it could take the wrong one.
		const isUnique = fields.filter((other) => other.name === field.name).length === 1;
		if (isUnique) await client.fields.rename(grid, field.name, name);
		else await client.fields.update(grid, field, { name });
		return { id: field.id, name, oldName: field.name };
	},
};
