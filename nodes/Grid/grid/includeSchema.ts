import { z } from 'zod/v4';
import { parameter } from '../../shared/inputs/parameter';

/** Whether to read the JSON schema of the rows, too (§4.4). */
export const includeSchema = parameter(
	{
		displayName: 'Include Schema',
		name: 'includeSchema',
		type: 'boolean',
		default: false,
		description:
			'Whether to output the JSON schema of the rows, too: the IDs of the columns and the values that each accepts',
	},
	z.boolean(),
);
