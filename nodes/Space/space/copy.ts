import { chosenSpace } from '../../shared/inputs/pickers/chosenSpace';
import { toggle } from '../../shared/inputs/parameter';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { spaceName } from './properties';

const name = spaceName({
	displayName: 'Name of Copy',
	placeholder: 'e.g. Operations 2027',
	description: 'At most 80 characters, unique in the account. If empty, the service chooses the name.',
});

const includeEntities = toggle({
	displayName: 'Include Rows',
	name: 'includeEntities',
	description:
		'Whether to copy the rows, too. If off, only grids, columns and views are copied, and views with conditions on linked rows show nothing until you choose other rows.',
});

export const copy = operation({
	value: 'copy',
	name: 'Copy',
	action: 'Copy space',
	description: 'Copy a space with its grids, columns and views, with or without rows',
	whenRejected: 'If the name is in use by another space of the account, choose another one.',
	on: chosenSpace,
	fields: [name, includeEntities],
	async run({ client, space, parameter }) {
		const options = { name: parameter(name), includeEntities: parameter(includeEntities) };
		const created = await client.spaces.copy(space, options);
		return { ...(created ? idOrAddress(created) : {}), copyOf: space.id, ...options };
	},
});
