import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/rows/output';
import { limit, returnAll } from '../../shared/inputs/paging';
import { readSoundly, recordOf, wanted } from '../../shared/rows/representation';
import { accountProtection } from './protection';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many forms',
	description: 'List the forms of a grid',
	fields: [accountProtection, ...gridFields, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const { grid } = await chosenGrid(client, parameter);
		const found = await client.forms.many(grid, wanted(parameter));
		return readSoundly(found, hint).map((form) => recordOf(form, parameter(simplify)));
	},
};
