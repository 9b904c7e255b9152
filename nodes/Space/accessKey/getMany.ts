import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { listItems, representationRow } from '../../shared/rows/output';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many access keys',
	description: 'List the access keys of the account, without their secrets',
	fields: [returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const found = await client.accessKeys.many(resultLimit(parameter));
		return listItems(found, hint).map((key) => representationRow(key, parameter(simplify)));
	},
};
