import { z } from 'zod/v4';
import type { Entity } from '../../../client';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { fittingView } from '../../shared/inputs/pickers/fittingView';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { resultLimit } from '../../shared/inputs/selection/paging';
import { parameter as input, toggle } from '../../shared/inputs/parameter';
import { unstableHint } from '../../shared/rows/output';
import type { ItemContext } from '../../shared/runner/context';
import { readPresent } from './selectedRows';

/** Empty to read the rows that meet the conditions. */
export const searchText = input(
	{
		displayName: 'Search Text',
		name: 'searchText',
		type: 'string',
		default: '',
		placeholder: 'e.g. Alder & Finch',
		description:
			'Return only rows with this text in any of their values. The search of the service takes no conditions and no sorting.',
	},
	z
		.union([z.string(), z.number(), z.boolean()], { error: 'it is not a text' })
		.nullable()
		.transform((given) => String(given ?? '').trim()),
);

/** Shows an input only without a text to search for. */
export const withoutSearch = { searchText: [''] };

/** §4.4: a search returns the first four columns of each row. */
const PREVIEW_COLUMNS = 4;

export const onlyFirstColumns = toggle({
	displayName: 'Only First Columns',
	name: 'onlyFirstColumns',
	description:
		'Whether rows found by Search Text have only the first four columns, which are what the service sends. If off, each row is read in full, which takes one request per row.',
});

/** The rows with a text, in full or as the preview of the service. */
export async function searchedRows(
	{ client, grid, fields, parameter, hint }: ItemContext & ChosenGrid,
	isPreview: boolean,
): Promise<Entity[]> {
	const query = { matching: parameter(searchText), viewId: parameter(optionalViewPicker) };
	await fittingView(client, { grid, fields }, query.viewId, hint);
	const reading = client.entities.search(grid, query, resultLimit(parameter));
	const { items, unstable } = await pickedBy(optionalViewPicker, reading);
	if (unstable) hint(unstableHint(unstable, grid.name), 'warning');
	if (isPreview || fields.length <= PREVIEW_COLUMNS) return items;
	// §4.4: full entities are read through their own links.
	const rows = await readPresent(client, items, async (row) => await client.entities.open(grid, row));
	if (rows.length < items.length)
		hint(
			`${items.length - rows.length} of ${items.length} rows were deleted before they could be read in full. They are missing from the output.`,
			'warning',
		);
	return rows;
}
