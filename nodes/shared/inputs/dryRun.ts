import { z } from 'zod/v4';
import { parameter } from './parameter';

/** Whether to plan a write without carrying it out. */
export const dryRun = parameter(
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description: 'Whether to return what would be done without writing anything',
	},
	z.boolean(),
);
