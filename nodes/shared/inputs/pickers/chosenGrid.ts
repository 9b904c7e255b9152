import type { Client, Field, Grid, GridReference } from '../../../../client';
import { cachedName, otherId, pickedBy } from './locators';
import { keysOfGridsNamed } from './pickedKeys';
import type { ReadParameter } from '../parameter';
import { gridPicker, gridReference, writableGridPicker } from './grid';
import { gridSpacePicker, spaceBesideGrid } from './space';
import type { Target } from '../target';

/** The two pickers that choose a grid. */
export const gridFields = [gridPicker, spaceBesideGrid];

/** The same for changes: the list omits grids that the key may only read. */
export const changeableGridFields = [writableGridPicker, spaceBesideGrid];

export interface ChosenGrid {
	grid: Grid;
	/** In schema order; the same array for all items that choose the same grid. */
	fields: Field[];
}

/** The ids of the chosen grid and its space. */
export function chosenReference(parameter: ReadParameter): GridReference {
	return gridReference(parameter(gridPicker), parameter(gridSpacePicker));
}

/**
 * Opens a grid, once per execution.
 * @param cachedName the name that the workflow keeps beside the id
 * @throws NotFound naming the pickers and the key of a grid with that name, Forbidden (§7)
 */
export async function openReference(
	client: Client,
	reference: GridReference,
	cachedName: string | undefined,
): Promise<Grid> {
	const pickers = reference.spaceId === undefined ? gridPicker : [gridPicker, gridSpacePicker];
	const advice = async () =>
		cachedName === undefined
			? undefined
			: otherId(`a grid "${cachedName}"`, await keysOfGridsNamed(client, cachedName));
	return await pickedBy(pickers, client.grids.open(reference), advice);
}

/** Opens the chosen grid and reads its fields, once per execution. @throws as `openReference` */
export async function openGridWithFields(client: Client, parameter: ReadParameter): Promise<ChosenGrid> {
	const reference = chosenReference(parameter);
	const grid = await openReference(client, reference, parameter(cachedName(gridPicker)));
	return { grid, fields: await client.fields.of(grid) };
}

export const chosenGrid: Target<ChosenGrid> = { fields: gridFields, open: openGridWithFields };

/** A grid to change, and its fields. */
export const changeableGrid: Target<ChosenGrid> = { fields: changeableGridFields, open: openGridWithFields };
