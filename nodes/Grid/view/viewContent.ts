import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Field } from '../../../client';
import { selectionFields } from '../../shared/inputs/selection/filters';
import type { Parameter } from '../../shared/inputs/parameter';
import { ColumnNames } from '../../shared/rows/columnNames';

/** The columns that a view shows. */
export const columnsProperty: INodeProperties = {
	displayName: 'Column Names or IDs',
	name: 'columns',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getFields', loadOptionsDependsOn: ['space.value', 'grid.value'] },
	default: [],
	description:
		'The columns that the view shows, in this order; all columns if none is chosen. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};
export const columnsSchema = z
	.array(z.string())
	.nullish()
	.transform((chosen) => chosen ?? []);

/** The inputs for filter and sorting of a view. @param none what happens without conditions */
function selectionOfView(none: string): ReadonlyArray<Parameter<unknown>> {
	const words = new Map([
		['conditions', `Which rows the view shows: those that meet the conditions. Without conditions, ${none}.`],
		['filter', `Which rows the view shows: columns with an operator and a value. If empty, ${none}.`],
		['sort', 'The order of the rows: by the first column; rows with equal values by the next one'],
		['sorting', 'The order of the rows: columns with $order'],
	]);
	return selectionFields.map(({ property, read }) => ({
		read,
		property: { ...property, description: words.get(property.name) ?? property.description ?? '' },
	}));
}

/** Filter and sorting of a new view. */
export const newSelection = selectionOfView('it shows all rows');
/** Filter and sorting of an existing view; if not entered, they stay unchanged. */
export const changedSelection = selectionOfView('its filter stays unchanged');
/** Ids of the chosen columns; of all columns if none is chosen. @throws InvalidInput */
export function fieldIdsOf(chosen: readonly string[], fields: readonly Field[]): string[] {
	if (chosen.length === 0) return fields.map(({ id }) => id);
	return [...new Set(chosen.map((text) => ColumnNames.of(fields).get(text, columnsProperty.displayName).id))];
}
