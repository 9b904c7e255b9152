import type { Field } from '../../../client';
import {
	changeableGridFields,
	gridFields,
	openGridWithFields,
	type ChosenGrid,
} from '../../shared/inputs/pickers/chosenGrid';
import { fieldPicker } from '../../shared/inputs/pickers/field';
import type { Target } from '../../shared/inputs/target';
import { ColumnNames } from '../../shared/rows/columnNames';

/** A column, its grid and all columns. @throws InvalidInput if the grid has no such column */
const open: Target<ChosenGrid & { field: Field }>['open'] = async (client, parameter) => {
	const { grid, fields } = await openGridWithFields(client, parameter);
	return { grid, fields, field: ColumnNames.of(fields).get(parameter(fieldPicker), 'Column') };
};

export const chosenField = { fields: [...gridFields, fieldPicker], open };
/** The same for changes. */
export const changeableField = { fields: [...changeableGridFields, fieldPicker], open };
