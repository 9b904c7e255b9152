import { openGridWithFields } from '../../shared/inputs/pickers/chosenGrid';
import { removableEntityPicker } from '../../shared/inputs/pickers/entity';
import { compareAs } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { KeyedGrids } from '../keys/keyedRows';
import { keepOldValues, onlyIfUnchanged } from '../writing/expectedValues';
import { writeItems } from '../writing/items';
import { writeOperation } from '../writing/runLog';
import { writing } from '../writing/settings';
import { changeRow } from '../writing/steps';
import { RowChoice } from '../writing/targets';

const rowChoice = new RowChoice('Delete', removableEntityPicker);

export const deleteEntity = writeOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete row',
	description: 'Delete a row of a grid permanently, by its ID or key columns',
	fields: rowChoice.fields,
	options: [compareAs, findRows, keepOldValues, onlyIfUnchanged, writing()],
	async runAll(context) {
		const { client } = context;
		const keyed = new KeyedGrids(client);
		return await writeItems<ReturnType<RowChoice['writeOf']>>(context, {
			prepare: async (item) => {
				const chosen = await openGridWithFields(client, item.parameter);
				const write = { ...chosen, values: {}, addsOptions: false };
				return [rowChoice.writeOf(item, write, keyed, { matched: 'delete' })];
			},
			...{ how: context.at(0).option(findRows), findsFirst: true, link: 'remove' },
			blindly: ({ grid, looks }) =>
				looks
					? undefined
					: async (row) => {
							await client.entities.remove(grid, row);
							return { row: { deleted: true, _id: typeof row === 'string' ? row : row._id } };
						},
			output: (write, change, done) => {
				const row = changeRow(write, change, done);
				return done && change.kind === 'delete' ? { deleted: true, ...row } : row;
			},
		});
	},
});
