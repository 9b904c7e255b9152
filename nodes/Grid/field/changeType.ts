import { operation } from '../../shared/runner/operation';
import { changeableField } from './chosenField';
import { chosenType, typeFields } from './fieldTypes';
import { notice } from '../../shared/inputs/notice';

export const changeType = operation({
	value: 'changeType',
	name: 'Change Type',
	action: 'Change type of column',
	description: 'Change the type of a column (field); values that do not fit the new type may be lost',
	on: changeableField,
	notice: notice('notice', 'Values that do not fit the new type may be lost.'),
	fields: typeFields,
	async run({ client, grid, field, parameter }) {
		const type = chosenType(parameter, field.name);
		await client.fields.changeType(grid, field.id, type);
		return { id: field.id, name: field.name, type, oldType: field.type };
	},
});
