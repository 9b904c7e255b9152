import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { chosenField, fieldFields } from './chosenField';
import { fieldRow } from './fieldRow';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a column',
	description: 'Read the name, key, type and description of a column (field)',
	fields: [...fieldFields, simplify],
	async run({ client, parameter }) {
		const { grid, field } = await chosenField(client, parameter);
		return fieldRow(await client.fields.get(grid, field), parameter(simplify));
	},
};
