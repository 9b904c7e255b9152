import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import { rowConditions } from '../../shared/inputs/conditions';
import { combineWithView } from '../../shared/inputs/filters';
import { optionsOf } from '../../shared/inputs/options';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import type { Operation } from '../../shared/runner/operation';
import { countRows, selectionIn } from '../selectedRows';

const options = optionsOf(combineWithView);

export const count: Operation = {
	value: 'count',
	name: 'Count',
	action: 'Count entities',
	description: 'Count the rows of a grid or view that meet conditions, without reading them all',
	fields: [...gridFields, optionalViewPicker, ...rowConditions('count'), options],
	async run({ client, parameter, node }) {
		const chosen = await chosenGrid(client, parameter);
		const selection = selectionIn(parameter, parameter(options), chosen.fields, node.getTimezone());
		return { count: await countRows(client, chosen, { selection, read: parameter }) };
	},
};
