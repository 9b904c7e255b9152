import type { Client } from '../../../client';
import { InvalidInput } from '../../../client/errors';
import type { Grid } from '../../../client/resources/grids';
import { chosenGrid, gridFields, writableGridFields } from '../../shared/inputs/chosenGrid';
import { pickedBy } from '../../shared/inputs/locators';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { optionalViewPicker, viewPicker } from '../../shared/inputs/pickers/view';

/** The pickers that name a view. */
export const viewFields = [...gridFields, viewPicker];
/** The same for a change. */
export const changeableViewFields = [...writableGridFields, viewPicker];
/** The pickers that name a grid, or a view of it. */
export const gridOrViewFields = [...gridFields, optionalViewPicker];
/** The same for a change. */
export const changeableGridOrViewFields = [...writableGridFields, optionalViewPicker];

/** The view that the pickers name, in full, and its grid. A view has an address of the form of a grid's (§2.8). @throws InvalidInput where they name a grid */
export async function chosenView(
	client: Client,
	parameter: ReadParameter,
): Promise<{ grid: Grid; view: Grid }> {
	const { grid } = await chosenGrid(client, parameter);
	const view = await viewOf(client, grid, parameter(viewPicker));
	// Both have addresses of one form (§2.8): a grid taken for a view would be deleted with all its entities.
	if (view.id !== grid.id && (view.type ?? 'virtual') === 'virtual') return { grid, view };
	throw new InvalidInput(
		`"${view.name}" is a grid, not a view`,
		'Choose one of the views of the grid from the list.',
	);
}

/** The view that the pickers name, or the grid where they name none. */
export async function chosenGridOrView(client: Client, parameter: ReadParameter): Promise<Grid> {
	const { grid } = await chosenGrid(client, parameter);
	const viewId = parameter(optionalViewPicker);
	return viewId === undefined ? grid : await viewOf(client, grid, viewId);
}

async function viewOf(client: Client, grid: Grid, viewId: string): Promise<Grid> {
	return await pickedBy(viewPicker, client.grids.open({ spaceId: grid.address.spaceId, gridId: viewId }));
}
