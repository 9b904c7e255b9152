import type { Client } from '../../client';
import type { Grid } from '../../client/resources/grids';

/** §4: rows of a page by default, for reckoning how many requests a grid takes. */
const PAGE_ROWS = 300;

/** With fewer requests than this, asking for the number of rows costs more than it saves. */
const MIN_REQUESTS = 4;

/** Compares a number of requests with those for the whole grid, for the price of one. */
export async function isCheaperAtOnce(client: Client, grid: Grid, requests: number): Promise<boolean> {
	if (requests < MIN_REQUESTS) return false;
	const rows = await client.entities.count(grid);
	return rows !== undefined && Math.ceil(rows / PAGE_ROWS) + 1 < requests;
}
