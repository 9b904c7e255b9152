import { idOrAddress } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { changeOf, newSpaceFields, spaceName } from './properties';

const name = spaceName({
	displayName: 'Name',
	placeholder: 'e.g. Operations',
	description: 'At most 80 characters, unique in the account. Without a name, the service calls it Space.',
});

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a space',
	description: 'Add an empty space to the account',
	fields: [name, newSpaceFields],
	async run({ client, parameter }) {
		const given = changeOf({ name: parameter(name), ...parameter(newSpaceFields) });
		const made = await client.spaces.create(given);
		return { ...idOrAddress(made), ...given };
	},
};
