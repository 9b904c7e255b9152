import { columnNaming, simplify } from '../../shared/inputs/output/outputOptions';
import { accountlessOperation } from '../../shared/runner/operation';
import { chosenPublicRows, linkFields } from '../link';
import { layoutFor, linkedRow } from '../rows';

export const get = accountlessOperation({
	value: 'get',
	name: 'Get',
	action: 'Get row behind link',
	description: 'Get the row that an edit link leads to',
	fields: [...linkFields, simplify, columnNaming],
	async run({ node, parameter }) {
		const rows = await chosenPublicRows(node, parameter);
		return linkedRow(await rows.get(layoutFor[parameter(columnNaming)]), parameter(simplify));
	},
});
