import type { Field } from '../../../client';
import { choice } from '../../shared/inputs/choice';
import { columnsOption } from '../../shared/inputs/options';
import { describedAs, shownFor, type Parameter, type ReadParameter } from '../../shared/inputs/parameter';
import { combineConditions, jsonConditions, rowConditions } from '../../shared/inputs/selection/conditions';
import { jsonSort, rowSelectionOf, rowSort } from '../../shared/inputs/selection/filters';
import { ColumnNames } from '../../shared/rows/columnNames';

/** The columns that a view shows. */
export const viewColumns = columnsOption({
	displayName: 'Column Names or IDs',
	name: 'columns',
	description:
		'The columns that the view shows, in this order; all columns if none is chosen. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

const selectBy = choice(
	'selectBy',
	'Specify Conditions',
	{
		conditions: { name: 'Using Conditions Below', description: 'Choose columns and values' },
		json: { name: 'Using JSON', description: "Enter the service's filter and sorting objects" },
	},
	{ default: 'conditions', description: 'How to specify which rows to return, and in which order' },
);

const byConditions = { selectBy: ['conditions'] };
const byJson = { selectBy: ['json'] };
const sort = describedAs(
	shownFor(rowSort, byConditions),
	'The order of the rows: by the first column; rows with equal values by the next one',
);
const sorting = describedAs(shownFor(jsonSort, byJson), 'The order of the rows: columns with $order');

/** The inputs for filter and sorting of a view. @param none what happens without conditions */
function selectionOfView(none: string): ReadonlyArray<Parameter<unknown>> {
	const conditions = `Which rows the view shows: those that meet the conditions. Without conditions, ${none}.`;
	const filter = `Which rows the view shows: columns with an operator and a value. If empty, ${none}.`;
	return [
		selectBy,
		describedAs(shownFor(rowConditions('show'), byConditions), conditions),
		shownFor(combineConditions, byConditions),
		sort,
		describedAs(shownFor(jsonConditions, byJson), filter),
		sorting,
	];
}

/**
 * The filter and sorting of a view, in the chosen form: the other one, which is not shown, may
 * still have a value.
 * @throws InvalidInput
 */
export function viewSelectionOf(parameter: ReadParameter, fields: readonly Field[], timezone: string) {
	const hidden = parameter(selectBy) === 'json' ? ['conditions', 'sort'] : ['filter', 'sorting'];
	const readShown: ReadParameter = (input) =>
		hidden.includes(input.property.name) ? input.read(input.property.default) : parameter(input);
	return rowSelectionOf(readShown, fields, timezone);
}

/** Filter and sorting of a new view. */
export const newSelection = selectionOfView('it shows all rows');
/** Filter and sorting of an existing view; if not entered, they stay unchanged. */
export const changedSelection = selectionOfView('its filter stays unchanged');
/** Ids of the chosen columns; of all columns if none is chosen. @throws InvalidInput */
export function fieldIdsOf(chosen: readonly string[], fields: readonly Field[]): string[] {
	if (chosen.length === 0) return fields.map(({ id }) => id);
	return [
		...new Set(chosen.map((text) => ColumnNames.of(fields).get(text, viewColumns.property.displayName).id)),
	];
}
