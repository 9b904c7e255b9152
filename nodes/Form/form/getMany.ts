import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import type { Operation } from '../../shared/operation';
import { simplify } from '../../shared/output';
import { limit, returnAll } from '../../shared/paging';
import { readSoundly, recordOf, wanted } from '../../shared/record';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many forms',
	description: 'List the forms of a grid',
	fields: [...gridFields, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const { grid } = await chosenGrid(client, parameter);
		const found = await client.forms.many(grid, wanted(parameter));
		return readSoundly(found, hint).map((form) => recordOf(form, parameter(simplify)));
	},
};
