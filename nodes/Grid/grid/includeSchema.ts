import { toggle } from '../../shared/inputs/parameter';

/** Whether to read the JSON schema of the rows, too (§4.4). */
export const includeSchema = toggle({
	displayName: 'Include Schema',
	name: 'includeSchema',
	description:
		'Whether to output the JSON schema of the rows, too: the IDs of the columns and the values that each accepts',
});
