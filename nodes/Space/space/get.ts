import { chosenSpace } from '../../shared/inputs/pickers/chosenSpace';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { operation } from '../../shared/runner/operation';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get space',
	description: 'Get the name, key, icon, properties and plan of a space',
	on: chosenSpace,
	fields: [simplify],
	run: ({ space, represent }) => represent(space),
});
