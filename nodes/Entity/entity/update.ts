import { columnMapper } from '../../shared/inputs/columns/columnMapper';
import { columnsToClear } from '../../shared/inputs/options';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { columnNaming, outputColumns, simplify } from '../../shared/inputs/output/outputOptions';
import { updatableEntityPicker } from '../../shared/inputs/pickers/entity';
import type { Entity } from '../../../client';
import type { ItemContext } from '../../shared/runner/context';
import { compareAs } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { KeyedGrids } from '../keys/keyedRows';
import { columnRulesOfUpdate, rulesById } from '../writing/columnRules';
import { keepOldValues, onlyIfUnchanged } from '../writing/expectedValues';
import { writeItems } from '../writing/items';
import { writeOperation } from '../writing/runLog';
import { writing } from '../writing/settings';
import { RowChoice } from '../writing/targets';
import { unknownOptions } from '../writing/unknownOptions';
import { requireValues, WriteReader } from '../writing/write';

/** One item, read and checked. */
interface UpdateWrite extends ReturnType<RowChoice['writeOf']> {
	represent: (entity: Entity) => object;
}

const columns = columnMapper('update');
const rowChoice = new RowChoice('Update', updatableEntityPicker);

const WITHOUT_VALUES =
	'Map a value to at least one column; with automatic mapping, name the fields of the item like the columns.';

function withoutValues(count: number, items: number): string {
	return `Items without a value for any column: ${count} of ${items}. Their rows stay as they are.`;
}

export const update = writeOperation({
	value: 'update',
	name: 'Update',
	action: 'Update row',
	description:
		'Change values of a row by its ID or key columns; columns without a mapped value stay as they are',
	fields: [...rowChoice.fields, columns],
	options: [
		columnRulesOfUpdate,
		columnsToClear,
		compareAs,
		findLinkedRowsBy,
		findRows,
		keepOldValues,
		columnNaming,
		onlyIfUnchanged,
		outputColumns,
		simplify,
		unknownOptions,
		writing(),
	],
	async runAll(context) {
		const { client } = context;
		const reader = new WriteReader(context, columns);
		const keyed = new KeyedGrids(client);
		let withoutAny = 0;
		const prepare = async (item: ItemContext): Promise<UpdateWrite> => {
			const write = await reader.read(item, item.option(columnsToClear));
			const { fields, values } = write;
			if (Object.keys(values).length === 0) {
				if (write.unknown.length > 0) requireValues(write, WITHOUT_VALUES);
				withoutAny++;
			}
			const columnRules = item.option(columnRulesOfUpdate);
			const columns = columnRules.length > 0 ? { columns: rulesById(columnRules, fields) } : {};
			const chosen = rowChoice.writeOf(item, write, keyed, { matched: 'update', ...columns });
			return { ...chosen, represent: item.entityWriter(fields) };
		};
		const results = await writeItems<UpdateWrite>(context, {
			prepare: async (item) => [await prepare(item)],
			...{ how: context.at(0).option(findRows), findsFirst: true, link: 'update', isCounted: true },
			blindly: ({ grid, values, looks, represent }) =>
				looks
					? undefined
					: async (row) => {
							// §4.5: the response is the entity in its new state.
							const state = await client.entities.update(grid, row, values);
							return { state, row: represent(state) };
						},
		});
		reader.showHints(context);
		if (withoutAny > 0) context.hint(withoutValues(withoutAny, context.items.length), 'warning');
		return results;
	},
});
