import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { columnNaming, simplify } from '../../shared/inputs/output/outputOptions';
import { unstableHint } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { eventRow, namesInFeed } from '../../shared/rows/events';
import { limit, returnAll } from '../../shared/inputs/selection/paging';
import { entityPicker } from '../../shared/inputs/pickers/entity';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get history of row',
	description: 'List the changes of a row: who changed which value, and when',
	on: chosenGrid,
	fields: [entityPicker, returnAll, limit],
	options: [columnNaming, simplify],
	async run({ client, grid, fields, parameter, columnNames, hint }) {
		const names = namesInFeed(fields, columnNames(fields));
		const max = parameter(returnAll) ? undefined : parameter(limit);
		const reading = client.history.of(grid, parameter(entityPicker), max);
		const { items, unstable } = await pickedBy(entityPicker, reading);
		if (unstable) hint(unstableHint(unstable, grid.name), 'warning');
		// §6 Gaps: the fields of an event are not specified, so the original is available.
		const isSimple = parameter(simplify);
		return items.map((event) => ({
			...eventRow(event, names),
			...(isSimple ? {} : { raw: event.raw }),
		}));
	},
});
