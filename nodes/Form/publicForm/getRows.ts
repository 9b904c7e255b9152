import { columnNaming } from '../../shared/rows/naming';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/rows/output';
import { limit, returnAll } from '../../shared/inputs/paging';
import { readSoundly, wanted } from '../../shared/rows/representation';
import { chosenPublicRows, linkFields } from './link';
import { layoutFor, linkedRow } from './rows';

export const getRows: Operation = {
	value: 'getRows',
	name: 'Get Rows of a View',
	action: 'Get rows of a shared view',
	description: 'Read the rows of a view that is shared by a public link; needs no account',
	fields: [...linkFields, returnAll, limit, simplify, columnNaming],
	async runWithoutAccount({ node, parameter, hint }) {
		const rows = await chosenPublicRows(node, parameter);
		const items = await rows.many(layoutFor[parameter(columnNaming)], wanted(parameter));
		return readSoundly(items, hint).map((entity) => linkedRow(entity, parameter(simplify)));
	},
};
