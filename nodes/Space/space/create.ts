import { readList } from '../../../client';
import { createdOrExisting } from '../../shared/inputs/ifKeyExists';
import { account } from '../../shared/inputs/target';
import { idOrAddress, withoutUndefined } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { ifKeyExists, newSpaceFields, propertiesIn, spaceName } from './properties';

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
		'If the name or key is in use, choose another one, change the existing space with "Update", or add "If the Key Exists" to go on with it.',
	on: account,
	fields: [name, newSpaceFields],
	async run({ client, parameter }) {
		const added = parameter(newSpaceFields);
		const space = withoutUndefined({ name: parameter(name), ...propertiesIn(added) });
		const { existing, created } = await createdOrExisting({
			key: space.key,
			returnsExisting: added(ifKeyExists) === 'return',
			find: async (key) => (await readList(client.spaces.list())).items.find((other) => other.key === key),
			create: async () => await client.spaces.create(space),
		});
		return existing
			? { id: existing.id, name: existing.name, key: existing.key, _outcome: 'existing' }
			: { ...idOrAddress(created), ...space, _outcome: 'created' };
	},
});
