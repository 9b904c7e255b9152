import { changeableGridFields } from '../../shared/inputs/chosenGrid';
import { columnMapper } from '../../shared/inputs/columnMapper';
import { pickedBy } from '../../shared/inputs/locators';
import { columnsToClear, requestsAtATime } from '../../shared/inputs/options';
import { columnNaming, outputColumns, simplify } from '../../shared/inputs/outputOptions';
import { updatableEntityPicker } from '../../shared/inputs/pickers/entity';
import { inBulk } from '../../shared/runner/bulk';
import { batchOperation } from '../../shared/runner/operation';
import { settleOptions, unknownOptions } from '../unknownOptions';
import { requireValues, WriteReader } from '../write';

const columns = columnMapper('update');

export const update = batchOperation({
	value: 'update',
	name: 'Update',
	action: 'Update row',
	description: 'Change values of a row by its ID; columns without a mapped value stay as they are',
	fields: [...changeableGridFields, updatableEntityPicker, columns, simplify, columnNaming],
	options: [columnsToClear, outputColumns, requestsAtATime, unknownOptions],
	async runAll(context) {
		const { client } = context;
		const reader = new WriteReader(columns);
		const results = await inBulk(context, {
			async prepare(item) {
				const write = await reader.read(item, item.option(columnsToClear));
				if (write.unknown.length > 0 && Object.keys(write.values).length === 0)
					requireValues(write, 'Rename the fields of the item, or map the columns manually.');
				const entityId = item.parameter(updatableEntityPicker);
				return { ...write, entityId, row: item.entityWriter(write.fields) };
			},
			begin: (all) => settleOptions(context, all),
			turnOf: ({ entityId }) => entityId,
			async perform({ grid, entityId, values, row }) {
				// §4.5: the response is the entity in its new state.
				return row(await pickedBy(updatableEntityPicker, client.entities.update(grid, entityId, values)));
			},
		});
		reader.showHints(context);
		return results;
	},
});
