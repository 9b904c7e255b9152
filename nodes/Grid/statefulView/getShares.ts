import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { listItems, representationRow } from '../../shared/rows/output';
import { chosenStatefulView, statefulViewFields } from './chosenStatefulView';

export const getShares: Operation = {
	value: 'getShares',
	name: 'Get Shares',
	action: 'Get the shares of a stateful view',
	description: 'List with whom a stateful view is shared, and in which role',
	fields: [...statefulViewFields, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const { grid, statefulView } = await chosenStatefulView(client, parameter);
		const shares = await client.statefulViews.shares(grid, statefulView, resultLimit(parameter));
		return listItems(shares, hint).map((share) => representationRow(share, parameter(simplify)));
	},
};
