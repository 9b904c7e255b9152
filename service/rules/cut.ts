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

/** What a virtual grid shows of its grid (§2.8). */
export interface Cut {
	/** Field ids in the order shown; null shows all fields, also those added later. */
	readonly fields: readonly string[] | null;
	readonly filter: FilterJson;
	readonly sorting: SortingJson;
}

/**
 * What a virtual grid holds of its grid, read against the fields as they are now (see
 * parseStoredFilter).
 */
export const cutCondition = (cut: Cut | null, fields: readonly Field[]): Condition =>
	cut ? parseStoredFilter(cut.filter, fields, () => undefined) : noCondition;

/** The order of a virtual grid; fields that are gone do not count. */
export function cutOrders(cut: Cut | null, fields: readonly Field[]): Order[] {
	const there = Object.entries(cut?.sorting ?? {}).filter(([id]) => fields.some((field) => field.id === id));
	return parseSorting(Object.fromEntries(there), fields);
}

/** What no longer fits the fields, as sentences; each such condition matches nothing. */
export function cutProblems(cut: Cut, fields: readonly Field[]): string[] {
	const problems = new Set<string>();
	parseStoredFilter(cut.filter, fields, (problem) => problems.add(problem));
	for (const id of Object.keys(cut.sorting)) {
		if (!fields.some((field) => field.id === id)) problems.add(`Unknown field "${id}" in the sorting`);
	}
	return [...problems];
}
