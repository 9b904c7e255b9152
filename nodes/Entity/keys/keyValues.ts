import type { Field, Grid, Values } from '../../../client';
import { KEY_COLUMNS, keyColumns } from '../../shared/inputs/columns/columnMapper';
import { rowsInput } from '../../shared/inputs/parameter';
import { columnAndValue, columnValue } from '../../shared/inputs/selection/conditions';
import { ColumnNames, requireOnce } from '../../shared/rows/columnNames';
import { isBlank, toServiceValue } from '../../shared/rows/values';
import type { ItemContext } from '../../shared/runner/context';
import type { KeyedGrids, KeyedRows } from './keyedRows';

export const matchBy = rowsInput(
	{
		displayName: KEY_COLUMNS,
		name: 'matchBy',
		placeholder: 'Add key column',
		description: 'The columns that identify the row of an item, each with the value to look for',
	},
	{
		displayName: 'Column',
		name: 'key',
		values: columnAndValue({
			placeholder: 'e.g. {{ $json.customerNumber }}',
			description: 'The value to look for. An item without a value matches no row.',
		}),
	},
	columnValue,
);

/** The key columns of an item and the values to look for. @throws InvalidInput */
export function keyValuesOf(
	{ parameter, timezone }: Pick<ItemContext, 'parameter' | 'timezone'>,
	{ grid, fields }: { grid: Grid; fields: readonly Field[] },
	keyed: KeyedGrids,
): { rows: KeyedRows; values: Values } {
	const keyValues = parameter(matchBy);
	const names = keyValues.map(({ column }) => column);
	const keys = keyColumns(names, fields, KEY_COLUMNS);
	requireOnce(keys, KEY_COLUMNS);
	const values = Object.fromEntries(
		keyValues.map(({ column, value }) => {
			const field = ColumnNames.of(fields).get(column, KEY_COLUMNS);
			return [field.id, isBlank(value) ? null : toServiceValue(field, value, timezone)];
		}),
	);
	return { rows: keyed.of(grid, keys, fields), values };
}
