import { operation } from '../../shared/runner/operation';
import { parameter as input, requiredText } from '../../shared/inputs/parameter';
import { changeableField } from './chosenField';

const newName = input(
	{
		displayName: 'New Name',
		name: 'newName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Delivery Status',
		description: 'The new name that people see at the top of the column',
	},
	requiredText('a name is required'),
);

export const rename = operation({
	value: 'rename',
	name: 'Rename',
	action: 'Rename column',
	description: 'Rename a column (field); its ID, key and values stay the same',
	whenRejected: 'If the name is in use by another column, choose another one.',
	on: changeableField,
	fields: [newName],
	async run({ client, grid, fields, field, parameter }) {
		const name = parameter(newName);
		// §4.4: ColumnRename identifies the column by name, which may not be unique.
		const isUnique = fields.filter((other) => other.name === field.name).length === 1;
		if (isUnique) await client.fields.rename(grid, field.name, name);
		else await client.fields.update(grid, field, { name });
		return { id: field.id, name, oldName: field.name };
	},
});
