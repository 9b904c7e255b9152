import { chosenSpace } from '../../shared/inputs/chosenSpace';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/rows/output';
import { spacePicker } from '../../shared/inputs/pickers/space';
import { recordOf } from '../../shared/rows/representation';

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
