import { simplify } from '../../shared/inputs/output/outputOptions';
import { showMisfit } from '../../shared/rows/viewFit';
import { operation } from '../../shared/runner/operation';
import { gridRow } from '../grid/gridRow';
import { chosenView } from './chosenView';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get view',
	description: 'Get the name, columns, filter and sort order of a view',
	on: chosenView,
	fields: [simplify],
	async run({ client, grid, fields, view, parameter, hint }) {
		showMisfit(view, { grid, fields }, hint);
		const shown = await client.fields.of(view);
		return { ...gridRow({ ...view, fields: shown }, parameter(simplify)), gridId: grid.id };
	},
});
