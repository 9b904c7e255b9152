import type { Client } from '../../../client';
import type { Grid } from '../../../client/resources/grids';

/** §4: default page size, used to estimate the number of requests for a grid. */
const PAGE_ROWS = 300;

/** Below this number of requests, counting the rows first does not pay off. */
const MIN_REQUESTS = 4;

/** Whether reading the whole grid takes fewer requests; counting its rows takes one. */
export async function isCheaperToReadAll(client: Client, grid: Grid, requests: number): Promise<boolean> {
	if (requests < MIN_REQUESTS) return false;
	const rows = await client.entities.count(grid);
	return rows !== undefined && Math.ceil(rows / PAGE_ROWS) + 1 < requests;
}
