import type { Operation } from '../../shared/runner/operation';
import { chosenField, changeableFieldFields } from './chosenField';
import { notice } from '../../shared/inputs/notice';

export const deleteField: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a column',
	description: 'Delete a column (field) with the values that all rows have in it, permanently',
	fields: [
		notice(
			'notice',
			'This deletes the column with the values that all rows have in it. It cannot be undone.',
		),
		...changeableFieldFields,
	],
	async run({ client, parameter }) {
		const { grid, field } = await chosenField(client, parameter);
		await client.fields.remove(grid, field.id);
		return { deleted: true, id: field.id, name: field.name };
	},
};
