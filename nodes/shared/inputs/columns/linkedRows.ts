import { z } from 'zod/v4';
import { type Field, InvalidInput, isJsonObject } from '../../../../client';
import { typeLabel } from '../../rows/columnTypes';
import { locator } from '../pickers/locators';
import { ColumnNames } from '../../rows/columnNames';
import { linksRows } from '../../rows/valueTypes';
import { namesSchema } from '../options';
import { rowsInput, type Parameter } from '../parameter';
import type { Picker } from '../pickers/resolvedPickers';
import { columnChoice } from '../selection/conditions';

/** The picker of the grid that a column links. */
export const LINKED_GRID: Picker = { name: 'linkedGrid', displayName: 'Linked Grid' };

/** The same as an input. */
export const linkedGridInput = (further: { description: string; whenEmpty?: string }) =>
	locator({
		...LINKED_GRID,
		...further,
		required: false,
		searchMethod: 'searchGrids',
		urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1',
		idPlaceholder: 'e.g. g1',
		keyPlaceholder: 'e.g. sales/customers',
	});

/** Whether a grid is entered. */
export const isPicked = (grid: unknown): boolean =>
	((isJsonObject(grid) ? grid['value'] : grid) ?? '') !== '';

/** Offers only columns that link rows. */
const linkColumnChoice = {
	...columnChoice,
	typeOptions: { ...columnChoice.typeOptions, loadOptionsMethod: 'getLinkFields' },
};

const column = z.string().trim().min(1, 'choose a column');

/** Lets link columns be written with values of the linked rows instead of addresses. */
export const findLinkedRowsBy = rowsInput(
	{
		displayName: 'Find Linked Rows By',
		name: 'findLinkedRowsBy',
		placeholder: 'Add column',
		description:
			'Columns that link rows of another grid, and the column of that grid in which to look up their values. A value such as "Alder & Finch" is then written as a link to the row that has it.',
	},
	{
		displayName: 'Column',
		name: 'rule',
		values: [
			linkColumnChoice,
			linkedGridInput({
				description: 'The grid that contains the linked rows. If empty, the grid that the column links to.',
				whenEmpty: 'The grid that the column links to',
			}),
			{
				displayName: 'Linked Column',
				name: 'linkedColumn',
				type: 'string',
				default: '',
				placeholder: 'e.g. Name, or _id',
				description:
					'The column of the linked grid that contains the values, by name, key or ID; _id for the IDs of rows, as Create outputs them. Leave it empty for its first column.',
			},
		],
	},
	z.object({ column, linkedGrid: z.unknown(), linkedColumn: z.string().trim().default('') }),
);

/** Replaces the addresses of linked rows with their values in the output. */
export const expandLinkedRows = rowsInput(
	{
		displayName: 'Expand Linked Rows',
		name: 'expandLinkedRows',
		placeholder: 'Add column',
		description:
			'Columns that link rows of another grid. The values of those rows are output instead of their addresses. Each linked row is read once.',
	},
	{
		displayName: 'Column',
		name: 'rule',
		values: [
			linkColumnChoice,
			{
				displayName: 'Linked Columns',
				name: 'linkedColumns',
				type: 'string',
				default: '',
				placeholder: 'e.g. Name, City',
				description:
					'The columns of the linked row to output, by name, key or ID, separated by commas. Leave it empty for all columns.',
			},
		],
	},
	z.object({ column, linkedColumns: namesSchema.default([]) }),
);

/** The link column of a rule of an option. @throws InvalidInput if it does not link rows */
export function linkColumn(name: string, fields: readonly Field[], { property }: Parameter<unknown>): Field {
	const field = ColumnNames.of(fields).get(name, property.displayName);
	if (linksRows(field)) return field;
	throw new InvalidInput(
		`"${property.displayName}" refers to the column "${field.name}", whose type ${typeLabel(field.type.name)} does not link rows`,
		`Choose a column of the type Linked Row or Linked Rows in "${property.displayName}".`,
	);
}
