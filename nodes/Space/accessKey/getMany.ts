import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/rows/output';
import { limit, returnAll } from '../../shared/inputs/paging';
import { readSoundly, recordOf, wanted } from '../../shared/rows/representation';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many access keys',
	description: 'List the access keys of the account, without their secrets',
	fields: [returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const found = await client.accessKeys.many(wanted(parameter));
		return readSoundly(found, hint).map((key) => recordOf(key, parameter(simplify)));
	},
};
