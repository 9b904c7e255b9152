import type { Client } from '../../client';
import type { Field } from '../../client/fields';
import type { Grid } from '../../client/grids';
import { chosenGrid, gridFields, writableGridFields } from '../shared/chosenGrid';
import type { ReadParameter } from '../shared/operation';
import { fieldPicker } from '../shared/pickers/field';
import { ColumnNames } from '../shared/labels';

/** The pickers that name a column. */
export const fieldFields = [...gridFields, fieldPicker];
/** The same for a change. */
export const changeableFieldFields = [...writableGridFields, fieldPicker];

/** The column that the pickers name, with its grid and the columns beside it. @throws InvalidInput where it is not there */
export async function chosenField(
	client: Client,
	parameter: ReadParameter,
): Promise<{ grid: Grid; fields: Field[]; field: Field }> {
	const { grid, fields } = await chosenGrid(client, parameter);
	return { grid, fields, field: ColumnNames.of(fields).get(parameter(fieldPicker), 'Column') };
}
