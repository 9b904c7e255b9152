import type { IExecuteFunctions } from 'n8n-workflow';
import { InvalidInput, type Values } from '../../../../client';
import { toggle } from '../parameter';
import { holdsExpression } from '../rawValues';
import type { Mapping } from './storedColumns';

/** Whether an item without any value creates a row. */
export const allowEmptyRow = toggle({
	displayName: 'Allow Empty Row',
	name: 'allowEmptyRow',
	description:
		'Whether an item without a value for any column creates an empty row. If off, such an item fails, because usually its fields are named differently from the columns.',
});

/**
 * The values of a mapper, or none if nobody has filled it in: the editor stores `false` for each of
 * its switches.
 * @param name the mapper's
 */
export function enteredValues(
	node: IExecuteFunctions,
	name: string,
	{ mapping, values }: { mapping: Mapping; values: Values },
): Values {
	if (mapping.mappingMode === 'autoMapInputData') return values;
	const isPreset = (value: unknown) => value === false || (value ?? null) === null;
	if (!Object.values(values).every(isPreset)) return values;
	return holdsExpression(node.getNode().parameters[name]) ? values : {};
}

/** What an item writes, and where its values come from. */
interface ItemValues {
	values: object;
	/** Members of the item that match no column. */
	unknown: readonly string[];
	/** The input that provides the values. */
	where: string;
	/** Owner of the columns, e.g. `the grid "Orders"`. */
	owner: string;
	/** What the owner calls a column. */
	noun?: 'column' | 'field';
}

/** Requires any value but null. @throws InvalidInput naming the members that match no column */
export function requireValue(
	{ values, unknown, where, owner, noun = 'column' }: ItemValues,
	hint?: string,
): void {
	if (Object.values(values).some((value) => (value ?? null) !== null)) return;
	const names = unknown.slice(0, 10).map((name) => `"${name}"`);
	const more = unknown.length > 10 ? ` and ${unknown.length - 10} more` : '';
	const why = unknown.length > 0 ? `, which has no ${noun} for ${names.join(', ')}${more}` : '';
	throw new InvalidInput(
		`"${where}" has no value for any ${noun} of ${owner}${why}`,
		hint ??
			'Map a value to at least one column; with automatic mapping, name the fields of the item like the columns. To create empty rows, switch on "Allow Empty Row".',
	);
}
