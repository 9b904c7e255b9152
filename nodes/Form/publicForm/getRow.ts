import { columnNaming, simplify } from '../../shared/inputs/output/outputOptions';
import { accountlessOperation } from '../../shared/runner/operation';
import { chosenPublicRows, linkFields } from './link';
import { layoutFor, linkedRow } from './rows';

export const getRow = accountlessOperation({
	value: 'getRow',
	name: 'Get Row',
	action: 'Get row by edit link',
	description: 'Get the row behind an edit link; needs no account',
	fields: [...linkFields, simplify, columnNaming],
	async run({ node, parameter }) {
		const rows = await chosenPublicRows(node, parameter);
		return linkedRow(await rows.get(layoutFor[parameter(columnNaming)]), parameter(simplify));
	},
});
