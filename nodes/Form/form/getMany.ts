import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { listItems, representationRow } from '../../shared/rows/output';
import { accountProtection } from './protection';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many forms',
	description: 'List the forms of a grid',
	fields: [accountProtection, ...gridFields, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const { grid } = await chosenGrid(client, parameter);
		const found = await client.forms.many(grid, resultLimit(parameter));
		return listItems(found, hint).map((form) => representationRow(form, parameter(simplify)));
	},
};
