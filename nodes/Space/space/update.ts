import { changeableSpace } from '../../shared/inputs/pickers/chosenSpace';
import { nothingToChange } from '../../shared/inputs/parameter';
import { operation } from '../../shared/runner/operation';
import { changeOf, spaceChanges } from './properties';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update space',
	description: 'Change the name, key, organization, icon or properties of a space',
	whenRejected: 'If the name or key is in use by another space of the account, choose another one.',
	on: changeableSpace,
	fields: [spaceChanges],
	async run({ client, space, parameter }) {
		const change = changeOf(parameter(spaceChanges), space.spaceIcon);
		if (Object.keys(change).length === 0) throw nothingToChange();
		await client.spaces.update(space, change);
		return { id: space.id, ...change };
	},
});
