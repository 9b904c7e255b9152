import type { Client } from '../../../../client';
import type { Field } from '../../../../client/resources/fields';
import type { Grid, GridReference } from '../../../../client/resources/grids';
import { pickedBy } from './locators';
import type { ReadParameter } from '../parameter';
import { gridPicker, gridReference, writableGridPicker } from './grid';
import { gridSpacePicker } from './space';
import type { Target } from '../target';

/** The two pickers that choose a grid. */
export const gridFields = [gridSpacePicker, gridPicker];

/** The same for changes: the list omits grids that the key may only read. */
export const changeableGridFields = [gridSpacePicker, writableGridPicker];

export interface ChosenGrid {
	grid: Grid;
	/** In schema order; the same array for all items that choose the same grid. */
	fields: Field[];
}

/**
 * Fields by grid. Each grid is opened once per client, so its fields are read once even if the grid
 * omits them (§9).
 */
const fieldsByGrid = new WeakMap<Grid, Promise<Field[]>>();

/** The ids of the chosen grid and its space. */
export function chosenReference(parameter: ReadParameter): GridReference {
	return gridReference(parameter(gridPicker), parameter(gridSpacePicker));
}

/**
 * Opens the chosen grid, once per execution.
 * @throws NotFound naming the pickers, Forbidden (§7)
 */
async function openGrid(client: Client, parameter: ReadParameter): Promise<Grid> {
	const reference = chosenReference(parameter);
	const pickers = reference.spaceId === undefined ? gridPicker : [gridPicker, gridSpacePicker];
	return await pickedBy(pickers, client.grids.open(reference));
}

/** Opens the chosen grid and reads its fields, once per execution. */
export async function openGridWithFields(client: Client, parameter: ReadParameter): Promise<ChosenGrid> {
	const grid = await openGrid(client, parameter);
	const fields = fieldsByGrid.get(grid) ?? client.fields.of(grid);
	fieldsByGrid.set(grid, fields);
	return { grid, fields: await fields };
}

/** A grid and its fields. */
export const chosenGrid: Target<ChosenGrid> = { fields: gridFields, open: openGridWithFields };

/** A grid to change, and its fields. */
export const changeableGrid: Target<ChosenGrid> = { fields: changeableGridFields, open: openGridWithFields };

/** A grid whose fields are not needed. */
export const gridOnly: Target<{ grid: Grid }> = {
	fields: gridFields,
	open: async (client, parameter) => ({ grid: await openGrid(client, parameter) }),
};
