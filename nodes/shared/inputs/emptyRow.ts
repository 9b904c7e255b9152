import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import { parameter } from './parameter';

/** Whether an item without any value makes a row. */
export const allowEmptyRow = parameter(
	{
		displayName: 'Allow Empty Row',
		name: 'allowEmptyRow',
		type: 'boolean',
		default: false,
		description:
			'Whether an item that has no value for any column creates a row without values. If off, such an item is an error: mostly its members are called otherwise than the columns.',
	},
	z.boolean(),
);

/** What an item was to write, for the message where that is nothing. */
interface Emptiness {
	values: object;
	/** Members of the item that no column answers to. */
	unknown: readonly string[];
	/** The input that gives the values. */
	where: string;
	/** What has the columns, e.g. `the grid "Orders"`. */
	owner: string;
}

/**
 * Makes sure that an item has a value for a column at least; null is none.
 * @throws InvalidInput naming what the item has instead
 */
export function refuseEmpty({ values, unknown, where, owner }: Emptiness, hint?: string): void {
	if (Object.values(values).some((value) => (value ?? null) !== null)) return;
	const names = unknown.slice(0, 10).map((name) => `"${name}"`);
	const more = unknown.length > 10 ? ` and ${unknown.length - 10} more` : '';
	const why = unknown.length > 0 ? `, which has no column for ${names.join(', ')}${more}` : '';
	throw new InvalidInput(
		`"${where}" gives this item no value for any column of ${owner}${why}`,
		hint === undefined
			? 'Rename the members, map the columns by hand, or switch on "Allow Empty Row" if a row without values is meant.'
			: hint,
	);
}
