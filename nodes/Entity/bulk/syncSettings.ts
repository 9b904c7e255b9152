import { z } from 'zod/v4';
import { choice } from '../../shared/inputs/choice';
import { numeric, parameter } from '../../shared/inputs/parameter';

export const deleteOthers = parameter(
	{
		displayName: 'Delete Other Rows',
		name: 'deleteOthers',
		type: 'boolean',
		default: false,
		description:
			'Whether to delete rows whose key is not in the input. If that would delete more than 20 % of the rows, nothing is written; to change this limit, add the option Deletion Limit (%).',
	},
	z.boolean(),
);

/** Shown before a run that deletes. */
export const deletesOthers = {
	type: 'danger' as const,
	when: '$parameter.deleteOthers === true && !$parameter.dryRun',
	message:
		'"Delete Other Rows" is on: this run deletes every row whose key is not in the input. Switch on "Dry Run" to see them first.',
};

export const deletionLimit = parameter(
	{
		displayName: 'Deletion Limit (%)',
		name: 'deletionLimit',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 20,
		description:
			'Maximum share of the rows that one run may delete. If it would delete more, nothing is written. Protects against an empty or broken source.',
	},
	numeric.pipe(z.number().min(0).max(100)),
);

/** @param source what the key belongs to, such as `an item` or `a line` */
export function rowsWithoutKeyOf(source: string) {
	const [, noun = source] = source.split(' ');
	return choice(
		'rowsWithoutKey',
		'Rows Without Key',
		{
			fail: { name: 'Fail', description: `Nothing is written, and the error names the ${noun}` },
			skip: { name: 'Skip', description: `The ${noun} is skipped; a hint shows how many were` },
		},
		{
			default: 'skip',
			description: `What to do with ${source} that has no value in a key column, such as an empty line of a file. With "Delete Other Rows" on, a row of the grid whose ${noun} has lost its key is deleted like any other row that is not in the input.`,
		},
	);
}
