import { columnNaming, simplify } from '../../shared/inputs/output/outputOptions';
import { accountlessOperation } from '../../shared/runner/operation';
import { limit, returnAll, resultLimit } from '../../shared/inputs/selection/paging';
import { listItems } from '../../shared/rows/output';
import { chosenPublicRows, linkFields } from '../link';
import { layoutFor, linkedRow } from '../rows';

export const getRows = accountlessOperation({
	value: 'getRows',
	name: 'Get Rows',
	action: 'Get rows of view behind link',
	description: 'Get the rows of a view that is shared by a public link',
	fields: [...linkFields, returnAll, limit, simplify, columnNaming],
	async run({ node, parameter, hint }) {
		const rows = await chosenPublicRows(node, parameter);
		const items = await rows.many(layoutFor[parameter(columnNaming)], resultLimit(parameter));
		return listItems(items, hint).map((entity) => linkedRow(entity, parameter(simplify)));
	},
});
