import { chosenSpace } from '../../shared/inputs/chosenSpace';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { spacePicker } from '../../shared/inputs/pickers/space';
import { representationRow } from '../../shared/rows/output';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a space',
	description: 'Read the name, key, icon, properties and plan of a space',
	fields: [spacePicker, simplify],
	async run({ client, parameter }) {
		return representationRow(await chosenSpace(client, parameter), parameter(simplify));
	},
};
