import { notice } from '../../shared/inputs/parameter';
import { operation } from '../../shared/runner/operation';
import { changeableField } from './chosenField';

export const deleteField = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete column',
	description: 'Delete a column permanently, with its values in all rows',
	on: changeableField,
	notice: notice('notice', 'Deletes the column with its values in all rows. This cannot be undone.'),
	fields: [],
	async run({ client, grid, field }) {
		await client.fields.remove(grid, field.id);
		return { deleted: true, id: field.id, name: field.name };
	},
});
