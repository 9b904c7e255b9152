import { account } from '../../shared/inputs/target';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { changeOf, newSpaceFields, spaceName } from './properties';

const name = spaceName({
	displayName: 'Name',
	placeholder: 'e.g. Operations',
	description: 'At most 80 characters, unique in the account. If empty, the service names it Space.',
});

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create space',
	description: 'Create an empty space in the account',
	whenRejected:
		'If the name or key is in use, choose another one, or change the existing space with "Update".',
	on: account,
	fields: [name, newSpaceFields],
	async run({ client, parameter }) {
		const given = changeOf({ name: parameter(name), ...parameter(newSpaceFields) });
		const created = await client.spaces.create(given);
		return { ...idOrAddress(created), ...given };
	},
});
