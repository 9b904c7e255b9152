import type { Operation } from '../../shared/runner/operation';
import { chosenField, changeableFieldFields } from './chosenField';
import { chosenType, typeFields } from './fieldTypes';
import { notice } from '../../shared/inputs/notice';

export const changeType: Operation = {
	value: 'changeType',
	name: 'Change Type',
	action: 'Change the type of a column',
	description: 'Give a column (field) another type; values that do not fit it may be lost',
	fields: [
		notice(
			'notice',
			'Values that do not fit the new type may be lost: the service decides what becomes of them.',
		),
		...changeableFieldFields,
		...typeFields,
	],
	async run({ client, parameter }) {
		const { grid, field } = await chosenField(client, parameter);
		const type = chosenType(parameter, field.name);
		await client.fields.changeType(grid, field.id, type);
		return { id: field.id, name: field.name, type, oldType: field.type };
	},
};
