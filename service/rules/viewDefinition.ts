import type { Field } from './fieldTypes';
import {
	noCondition,
	parseSorting,
	parseStoredFilter,
	type Condition,
	type FilterJson,
	type Order,
	type SortingJson,
} from './filter';

/** Fields, filter and sorting of a virtual grid (§2.8). */
export interface ViewDefinition {
	/** Field IDs in display order; null shows all fields, also those added later. */
	readonly fields: readonly string[] | null;
	readonly filter: FilterJson;
	readonly sorting: SortingJson;
}

/** The condition of a virtual grid for the current fields (see parseStoredFilter). */
export const viewCondition = (view: ViewDefinition | null, fields: readonly Field[]): Condition =>
	view ? parseStoredFilter(view.filter, fields, () => undefined) : noCondition;

/** The sorting of a virtual grid without deleted fields. */
export function viewOrders(view: ViewDefinition | null, fields: readonly Field[]): Order[] {
	const existing = Object.entries(view?.sorting ?? {}).filter(([id]) =>
		fields.some((field) => field.id === id),
	);
	return parseSorting(Object.fromEntries(existing), fields);
}

/** Sentences about conditions that no longer fit the fields and therefore match nothing. */
export function viewProblems(view: ViewDefinition, fields: readonly Field[]): string[] {
	const problems = new Set<string>();
	parseStoredFilter(view.filter, fields, (problem) => problems.add(problem));
	for (const id of Object.keys(view.sorting)) {
		if (!fields.some((field) => field.id === id)) problems.add(`Unknown field "${id}" in the sorting`);
	}
	return [...problems];
}
