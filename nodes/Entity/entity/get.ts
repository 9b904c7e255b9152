import { inBulk } from '../../shared/runner/bulk';
import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import { pickedBy } from '../../shared/inputs/locators';
import { columnNaming, outputColumns, simplify } from '../../shared/inputs/outputOptions';
import { rowWriter, rawRow } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { optionsOf, requestsAtATime } from '../../shared/inputs/options';
import { entityPicker } from '../../shared/inputs/pickers/entity';

const options = optionsOf(outputColumns, requestsAtATime);

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get an entity',
	description: 'Read one row of a grid by its ID',
	fields: [...gridFields, entityPicker, simplify, columnNaming, options],
	async runAll(context) {
		const client = context.client.limitedTo(context.parameter(options, 0)(requestsAtATime));
		return await inBulk(context, client, {
			async prepare({ parameter }) {
				const { grid, fields } = await chosenGrid(client, parameter);
				const only = parameter(options)(outputColumns);
				const row = rowWriter(fields, { by: parameter(columnNaming), only, hint: context.hint });
				return { grid, entityId: parameter(entityPicker), row: parameter(simplify) ? row : rawRow };
			},
			async perform({ grid, entityId, row }) {
				return row(await pickedBy(entityPicker, client.entities.get(grid, entityId)));
			},
		});
	},
};
