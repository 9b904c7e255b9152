import { InvalidInput } from '../../../client/errors';
import { chosenSpace } from '../../shared/inputs/chosenSpace';
import type { Operation } from '../../shared/runner/operation';
import { changeableSpacePicker } from '../../shared/inputs/pickers/space';
import { changeOf, spaceChanges } from './properties';

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a space',
	description: 'Change the name, key, organisation, icon or properties of a space; what is not named stays',
	fields: [changeableSpacePicker, spaceChanges],
	async run({ client, parameter }) {
		const given = parameter(spaceChanges);
		const space = await chosenSpace(client, parameter);
		const change = changeOf(given, space.spaceIcon);
		if (Object.keys(change).length === 0)
			throw new InvalidInput('There is nothing to change', 'Add what to change under "Update Fields".');
		await client.spaces.update(space, change);
		return { id: space.id, ...change };
	},
};
