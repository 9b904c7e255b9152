import { inBulk } from '../../shared/runner/bulk';
import { writableGridFields } from '../../shared/inputs/chosenGrid';
import { columnMapper } from '../../shared/inputs/columnMapper';
import { pickedBy } from '../../shared/inputs/locators';
import { columnNaming, outputColumns, simplify } from '../../shared/inputs/outputOptions';
import { rowWriter, rawRow } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { columnsToClear, optionsOf, requestsAtATime } from '../../shared/inputs/options';
import { updatableEntityPicker } from '../../shared/inputs/pickers/entity';
import { refuseNothing, WriteReader } from '../write';

const columns = columnMapper('update');
const options = optionsOf(columnsToClear, outputColumns, requestsAtATime);

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update an entity',
	description: 'Change the values of a row by its ID; columns that are left out keep theirs',
	fields: [...writableGridFields, updatableEntityPicker, columns, simplify, columnNaming, options],
	async runAll(context) {
		const client = context.client.limitedTo(context.parameter(options, 0)(requestsAtATime));
		const reader = new WriteReader(columns);
		const results = await inBulk(context, client, {
			async prepare(item) {
				const { parameter } = item;
				const option = parameter(options);
				const write = await reader.read(item, option(columnsToClear));
				if (write.unknown.length > 0 && Object.keys(write.values).length === 0)
					refuseNothing(write, 'Rename the members, or map the columns by hand.');
				const by = parameter(columnNaming);
				const row = rowWriter(write.fields, { by, only: option(outputColumns), hint: context.hint });
				return {
					...write,
					entityId: parameter(updatableEntityPicker),
					row: parameter(simplify) ? row : rawRow,
				};
			},
			turnOf: ({ entityId }) => entityId,
			async perform({ grid, entityId, values, row }) {
				// §4.5: the answer is the entity in its new state, so nothing has to be read back.
				return row(await pickedBy(updatableEntityPicker, client.entities.update(grid, entityId, values)));
			},
		});
		reader.tell(context);
		return results;
	},
};
