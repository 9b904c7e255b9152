import { z } from 'zod/v4';
import { parameter } from './parameter';

/** Whether an operation only tells what it would do. */
export const dryRun = parameter(
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description: 'Whether to return what would be done, and write nothing',
	},
	z.boolean(),
);
