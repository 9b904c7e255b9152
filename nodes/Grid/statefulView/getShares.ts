import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/rows/output';
import { limit, returnAll } from '../../shared/inputs/paging';
import { readSoundly, recordOf, wanted } from '../../shared/rows/representation';
import { chosenStatefulView, statefulViewFields } from '../chosenStatefulView';

export const getShares: Operation = {
	value: 'getShares',
	name: 'Get Shares',
	action: 'Get the shares of a stateful view',
	description: 'List with whom a stateful view is shared, and in which role',
	fields: [...statefulViewFields, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const { grid, statefulView } = await chosenStatefulView(client, parameter);
		const shares = await client.statefulViews.shares(grid, statefulView, wanted(parameter));
		return readSoundly(shares, hint).map((share) => recordOf(share, parameter(simplify)));
	},
};
