import type { Operation } from '../../shared/runner/operation';
import { parameter as input, textWith } from '../../shared/inputs/parameter';
import { chosenField, changeableFieldFields } from './chosenField';

const newKey = input(
	{
		displayName: 'New Key',
		name: 'newKey',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. delivery_status',
		description: 'The key by which integrations are to know the column; unique in the grid',
	},
	textWith('a key is needed'),
);

export const changeKey: Operation = {
	value: 'changeKey',
	name: 'Change Key',
	action: 'Change the key of a column',
	description:
		'Give a column (field) another key; integrations that use the present one have to be changed too',
	fields: [...changeableFieldFields, newKey],
	async run({ client, parameter }) {
		const { grid, field } = await chosenField(client, parameter);
		const key = parameter(newKey);
		await client.fields.changeKey(grid, field.id, key);
		return { id: field.id, name: field.name, key, oldKey: field.key ?? null };
	},
};
