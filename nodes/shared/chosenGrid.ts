import type { Client } from '../../client';
import type { Field } from '../../client/fields';
import type { Grid } from '../../client/grids';
import { gridPicker, gridReference } from './pickers/grid';
import { gridSpacePicker } from './pickers/space';
import type { ReadParameter } from './operation';

/** The two pickers that name a grid; every operation on entities begins with them. */
export const gridFields = [gridSpacePicker, gridPicker];

/** The grid that the pickers name, in full, and its fields; both are read once for each execution. */
export async function chosenGrid(
	client: Client,
	parameter: ReadParameter,
): Promise<{ grid: Grid; fields: Field[] }> {
	const grid = await client.grids.open(gridReference(parameter(gridPicker), parameter(gridSpacePicker)));
	return { grid, fields: await client.fields.of(grid) };
}
