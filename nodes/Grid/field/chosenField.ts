import type { Client } from '../../../client';
import type { Field } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';
import { chosenGrid, gridFields, writableGridFields } from '../../shared/inputs/chosenGrid';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { fieldPicker } from '../../shared/inputs/pickers/field';
import { ColumnNames } from '../../shared/rows/columnNames';

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
