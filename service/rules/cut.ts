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
export interface Cut {
	/** Field IDs in display order; null shows all fields, also those added later. */
	readonly fields: readonly string[] | null;
	readonly filter: FilterJson;
	readonly sorting: SortingJson;
}

/** The condition of a virtual grid for the current fields (see parseStoredFilter). */
export const cutCondition = (cut: Cut | null, fields: readonly Field[]): Condition =>
	cut ? parseStoredFilter(cut.filter, fields, () => undefined) : noCondition;

/** The sorting of a virtual grid without deleted fields. */
export function cutOrders(cut: Cut | null, fields: readonly Field[]): Order[] {
	const existing = Object.entries(cut?.sorting ?? {}).filter(([id]) =>
		fields.some((field) => field.id === id),
	);
	return parseSorting(Object.fromEntries(existing), fields);
}

/** Sentences about conditions that no longer fit the fields and therefore match nothing. */
export function cutProblems(cut: Cut, fields: readonly Field[]): string[] {
	const problems = new Set<string>();
	parseStoredFilter(cut.filter, fields, (problem) => problems.add(problem));
	for (const id of Object.keys(cut.sorting)) {
		if (!fields.some((field) => field.id === id)) problems.add(`Unknown field "${id}" in the sorting`);
	}
	return [...problems];
}
