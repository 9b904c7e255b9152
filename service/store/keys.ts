/** Maximum number of rows, and of events, that a grid ever has. */
const SPAN = 2 ** 31;
/** Maximum number of grids that a data file ever has: all keys are exact in JavaScript. */
const MAX_GRIDS = 2 ** 22;

/**
 * First key of the rows and events of a grid. All grids share one table of each; the keys of a grid
 * are adjacent and ascend in the order of creation, so its pages lie together.
 */
export function firstKey(grid: number): number {
	if (grid >= MAX_GRIDS) throw new Error(`A data file has at most ${MAX_GRIDS} grids, with deleted ones`);
	return grid * SPAN;
}

/** Key after the last possible one of a grid. */
export const endKey = (grid: number): number => firstKey(grid) + SPAN;
