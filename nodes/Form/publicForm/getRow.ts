import { columnNaming, simplify } from '../../shared/inputs/outputOptions';
import type { Operation } from '../../shared/runner/operation';
import { chosenPublicRows, linkFields } from './link';
import { layoutFor, linkedRow } from './rows';

export const getRow: Operation = {
	value: 'getRow',
	name: 'Get Row',
	action: 'Get a row by its edit link',
	description: 'Read the row that an edit link leads to; needs no account',
	fields: [...linkFields, simplify, columnNaming],
	async runWithoutAccount({ node, parameter }) {
		const rows = await chosenPublicRows(node, parameter);
		return linkedRow(await rows.get(layoutFor[parameter(columnNaming)]), parameter(simplify));
	},
};
