import type { Client } from '../../../client';
import type { Field } from '../../../client/resources/fields';
import type { Grid, GridReference } from '../../../client/resources/grids';
import { pickedBy } from './locators';
import { gridPicker, gridReference, writableGridPicker } from './pickers/grid';
import { gridSpacePicker } from './pickers/space';
import type { ReadParameter } from './parameter';

/** The two pickers that name a grid; every operation on entities begins with them. */
export const gridFields = [gridSpacePicker, gridPicker];

/** The same for an operation that changes something: the list leaves out grids that the key may only read. */
export const writableGridFields = [gridSpacePicker, writableGridPicker];

export interface ChosenGrid {
	grid: Grid;
	/** In schema order; the same list for each item that names the same grid. */
	fields: Field[];
}

/** A grid is opened once for each client, so its columns are read once, too, where the grid does not carry them (§9). */
const fieldsOf = new WeakMap<Grid, Promise<Field[]>>();

/** The ids of what the pickers name. */
export function chosenReference(parameter: ReadParameter): GridReference {
	return gridReference(parameter(gridPicker), parameter(gridSpacePicker));
}

/** The grid that the pickers name, in full; read once for each execution. @throws NotFound naming the picker, Forbidden (§7) */
export async function openedGrid(client: Client, parameter: ReadParameter): Promise<Grid> {
	const reference = chosenReference(parameter);
	const pickers = reference.spaceId === undefined ? gridPicker : [gridPicker, gridSpacePicker];
	return await pickedBy(pickers, client.grids.open(reference));
}

/** The grid that the pickers name, in full, and its fields; both are read once for each execution. */
export async function chosenGrid(client: Client, parameter: ReadParameter): Promise<ChosenGrid> {
	const grid = await openedGrid(client, parameter);
	const fields = fieldsOf.get(grid) ?? client.fields.of(grid);
	fieldsOf.set(grid, fields);
	return { grid, fields: await fields };
}
