import { z } from 'zod/v4';
import { parameter } from './parameter';

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
