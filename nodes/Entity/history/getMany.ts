import type { Unreadable } from '../../../client/resources/history';
import type { Update } from '../../../client/resources/updates/updates';
import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { columnNaming, simplifySince2 } from '../../shared/inputs/output/outputOptions';
import { unstableHint, unreadableRow, type FailedRow } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { eventRow } from '../../shared/rows/events';
import { limit, returnAll } from '../../shared/inputs/selection/paging';
import { entityPicker } from '../../shared/inputs/pickers/entity';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get history of row',
	description: 'List the changes of a row: who changed which value, and when',
	on: chosenGrid,
	fields: [entityPicker, returnAll, limit, columnNaming, simplifySince2],
	async run({ client, grid, fields, parameter, columnNames, hint, node, version }) {
		const names = columnNames(fields);
		const max = parameter(returnAll) ? undefined : parameter(limit);
		const skipped = new Map<Update, FailedRow>();
		const unreadable = ({ position, error }: Unreadable) => {
			const update: Update = { kind: 'unreadable', entityId: '', changes: [], raw: {} };
			skipped.set(update, unreadableRow(node, position, error));
			return update;
		};
		const reading = client.history.of(grid, parameter(entityPicker), max, unreadable);
		const { items, unstable } = await pickedBy(entityPicker, reading);
		if (unstable) hint(unstableHint(unstable, grid.name), 'warning');
		// §6 Gaps: the fields of an event are not specified, so the original is available.
		const isSimple = version > 1 && parameter(simplifySince2);
		return items.map(
			(event) =>
				skipped.get(event) ?? {
					...eventRow(event, names, version),
					...(isSimple ? {} : { raw: event.raw }),
				},
		);
	},
});
