import { chosenSpace } from '../../shared/chosenSpace';
import type { Operation } from '../../shared/operation';
import { simplify } from '../../shared/output';
import { spacePicker } from '../../shared/pickers/space';
import { recordOf } from '../../shared/record';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a space',
	description: 'Read the name, key, icon, properties and plan of a space',
	fields: [spacePicker, simplify],
	async run({ client, parameter }) {
		return recordOf(await chosenSpace(client, parameter), parameter(simplify));
	},
};
