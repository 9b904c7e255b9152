import { type Client, type Grid, InvalidInput } from '../../../client';
import {
	changeableGridFields,
	gridFields,
	openGridWithFields,
	type ChosenGrid,
} from '../../shared/inputs/pickers/chosenGrid';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { optionalViewPicker, viewPicker } from '../../shared/inputs/pickers/view';
import type { Target } from '../../shared/inputs/target';

/** A view, its grid and the grid's columns. @throws InvalidInput if a grid is chosen */
const openView: Target<ChosenGrid & { view: Grid }>['open'] = async (client, parameter) => {
	const { grid, fields } = await openGridWithFields(client, parameter);
	const view = await viewOf(client, grid, parameter(viewPicker));
	// Grids and views have addresses of the same form (§2.8). If a grid were mistaken for a view,
	// Delete would delete it with its rows.
	if (view.id !== grid.id && (view.type ?? 'virtual') === 'virtual') return { grid, fields, view };
	throw new InvalidInput(
		`"${view.name}" is a grid, not a view`,
		'Choose one of the views of the grid from the list.',
	);
};

/** A grid, or a view of it if one is chosen. */
const openGridOrView: Target<{ grid: Grid }>['open'] = async (client, parameter) => {
	const { grid } = await openGridWithFields(client, parameter);
	const viewId = parameter(optionalViewPicker);
	return { grid: viewId === undefined ? grid : await viewOf(client, grid, viewId) };
};

async function viewOf(client: Client, grid: Grid, viewId: string): Promise<Grid> {
	return await pickedBy(viewPicker, client.grids.open({ spaceId: grid.address.spaceId, gridId: viewId }));
}

export const chosenView = { fields: [...gridFields, viewPicker], open: openView };
/** The same for changes. */
export const changeableView = { fields: [...changeableGridFields, viewPicker], open: openView };

export const gridOrView = { fields: [...gridFields, optionalViewPicker], open: openGridOrView };
/** The same for changes. */
export const changeableGridOrView = {
	fields: [...changeableGridFields, optionalViewPicker],
	open: openGridOrView,
};
