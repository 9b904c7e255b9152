import { z } from 'zod/v4';
import { parameter } from './parameter';

/** The number of the line of a CSV file that names the columns. */
export const firstRow = parameter(
	{
		displayName: 'First Row',
		name: 'firstRow',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 1,
		description:
			'The number of the line with the column names, for a CSV file that begins with a title or comments. The lines before it are left out.',
	},
	z.int('it is not a whole number').min(1, 'it is below 1').max(1_000_000, 'it is above 1,000,000'),
);

/** Advice for a file whose first line does not name the columns of its rows. */
export const CHECK_FIRST_ROW =
	'If the file begins with a title or comments, enter the number of the line with the column names in "First Row" under Options.';
