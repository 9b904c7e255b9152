import { operation } from '../../shared/runner/operation';
import { parameter as input, requiredText } from '../../shared/inputs/parameter';
import { changeableField } from './chosenField';

const newKey = input(
	{
		displayName: 'New Key',
		name: 'newKey',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. delivery_status',
		description: 'The new key that integrations use for the column; unique in the grid',
	},
	requiredText('a key is required'),
);

export const changeKey = operation({
	value: 'changeKey',
	name: 'Change Key',
	action: 'Change key of column',
	description:
		'Change the key of a column (field). Integrations that use the current key must be changed, too.',
	whenRejected: 'If the key is in use by another column, choose another one.',
	on: changeableField,
	fields: [newKey],
	async run({ client, grid, field, parameter }) {
		const key = parameter(newKey);
		await client.fields.changeKey(grid, field.id, key);
		return { id: field.id, name: field.name, key, oldKey: field.key ?? null };
	},
});
