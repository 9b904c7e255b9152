import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { dryRun } from '../../shared/inputs/options';
import { removableEntityPicker } from '../../shared/inputs/pickers/entity';
import type { ItemContext } from '../../shared/runner/context';
import { batchOperation } from '../../shared/runner/operation';
import { compareAs } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { CLEAN_UP, KeyedGrids } from '../keys/keyedRows';
import { keepOldValues, onlyIfUnchanged } from '../writing/expectedValues';
import { writeItems, type ItemWrite } from '../writing/items';
import type { Rules } from '../writing/plan';
import { rowsPerRun } from '../writing/rowsPerRun';
import { changeRow } from '../writing/steps';
import { RowChoice } from '../writing/targets';

/** One item, read and checked. */
interface Deletion extends ItemWrite {
	/** Whether the output depends on what the row held. */
	looks: boolean;
}

const NO_ROW = 'Check the values in "Key Columns". The row may have been deleted.';
const rowChoice = new RowChoice('Delete', removableEntityPicker);

export const deleteEntity = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete row',
	description: 'Delete a row of a grid permanently, by its ID or key columns',
	fields: [...changeableGrid.fields, ...rowChoice.fields, dryRun, rowsPerRun],
	options: [compareAs, findRows, keepOldValues, onlyIfUnchanged],
	async runAll(context) {
		const { client } = context;
		const keyed = new KeyedGrids(client);
		const prepare = async (item: ItemContext): Promise<Deletion> => {
			const { grid, fields } = await changeableGrid.open(client, item.parameter);
			const expected = item.option(onlyIfUnchanged);
			const looks = expected !== undefined || item.option(keepOldValues);
			// The output has the whole row.
			const needs = looks || item.parameter(dryRun) ? fields.map(({ id }) => id) : [];
			const target = rowChoice.of(item, { grid, fields }, keyed, needs);
			const shape = { row: item.rowWriter(fields), names: item.columnNames(fields) };
			const rules: Rules = {
				...{ fields, names: shape.names, matched: 'delete', columns: new Map() },
				...{ unmatched: { advice: NO_ROW }, several: { advice: CLEAN_UP }, keyed: target.rows },
			};
			return {
				...{ grid, fields, values: {}, addsOptions: false, ...shape },
				...{ target, key: target.key, expected, rules, looks },
			};
		};
		return await writeItems<Deletion>(context, {
			prepare: async (item) => [await prepare(item)],
			...{ how: context.at(0).option(findRows), findsFirst: true, link: 'remove' },
			blindly: ({ grid, looks }) =>
				looks
					? undefined
					: async (row) => {
							await client.entities.remove(grid, row);
							return { row: { deleted: true, _id: typeof row === 'string' ? row : row._id } };
						},
			output: (write, change, done) => {
				const row = changeRow(change, write, done);
				return done && change.kind === 'delete' ? { deleted: true, ...row } : row;
			},
		});
	},
});
