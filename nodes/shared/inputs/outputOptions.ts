import { z } from 'zod/v4';
import { columnsOption } from './options';
import { parameter } from './parameter';

const naming = z.enum(['name', 'key', 'id']);

/** What the values of an output row stand under. */
export const columnNaming = parameter(
	{
		displayName: 'Name Columns By',
		name: 'columnNaming',
		type: 'options',
		options: [
			{ name: 'ID', value: 'id', description: 'Never changes, hard to read' },
			{
				name: 'Key',
				value: 'key',
				description: 'The key that a column was given for integrations; its ID where it has none',
			},
			{ name: 'Name', value: 'name', description: 'As people see it in the grid' },
		],
		default: 'name',
		description:
			'What columns are called in the output: by their name as in the grid, or by what a rename does not change. A column called "error" is output as "error (key)", because n8n takes an item with that member for a failed one.',
	},
	naming,
);

/** Which columns the output holds; all where none is named. */
export const outputColumns = columnsOption({
	displayName: 'Output Columns',
	name: 'outputColumns',
	description: 'The columns to output, besides the ID of the row. Leave it empty for all of them.',
});

/** Whether a write answers at once with what is known, or reads the row back at the price of one more request for each row. */
export const returnFullEntity = parameter(
	{
		displayName: 'Return',
		name: 'return',
		type: 'options',
		options: [
			{
				name: 'Full Entity',
				value: 'entity',
				description:
					'The row as the service holds it now, computed columns included; costs one more request for each row',
			},
			{ name: 'ID and Values Sent', value: 'sent', description: 'What is known at once' },
		],
		default: 'sent',
		description: 'What to output for each row written',
	},
	z.enum(['entity', 'sent']).transform((choice) => choice === 'entity'),
);

/** Whether rows are told in the user's own words, or as the service told them. */
export const simplify = parameter(
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	z.boolean(),
);
