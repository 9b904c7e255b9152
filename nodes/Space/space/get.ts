import { chosenSpace } from '../../shared/inputs/pickers/chosenSpace';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { listItems } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { includeContents, withId } from './contents';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get space',
	description: 'Get the name, key, icon, properties and plan of a space, and if wanted its contents',
	on: chosenSpace,
	fields: [includeContents, simplify],
	async run({ client, space, parameter, represent, hint }) {
		const types = parameter(includeContents);
		if (types.length === 0) return represent(space);
		const contents = listItems(await client.spaces.resources(space, types), hint);
		return { ...represent(space), contents: contents.map(withId) };
	},
});
