import type { Client, Grid } from '../../../client';
import { choice } from '../../shared/inputs/choice';

/** How to find the rows of many items. */
export const findRows = choice(
	'findRows',
	'Find Rows',
	{
		allAtOnce: {
			name: 'All at Once',
			description: 'Reads the whole grid once, and once more before rows are created',
		},
		automatic: { name: 'Automatic', description: 'The way that takes fewer requests' },
		oneByOne: { name: 'One by One', description: 'One request for each distinct key' },
	},
	{ default: 'automatic', description: 'How to find the rows of the items' },
);

export type FindRows = 'allAtOnce' | 'automatic' | 'oneByOne';

/** §4: default page size, used to estimate the number of requests for a grid. */
const PAGE_ROWS = 300;

/** Approximate number of requests that read this many rows. */
export const pagesOf = (rows: number): number => Math.ceil(rows / PAGE_ROWS);

/** Below this number of requests, counting the rows first does not pay off. */
const MIN_REQUESTS = 4;

/** Whether reading the whole grid takes fewer requests; counting its rows takes one. */
export async function isCheaperToReadAll(client: Client, grid: Grid, requests: number): Promise<boolean> {
	if (requests < MIN_REQUESTS) return false;
	return pagesOf(await client.entities.count(grid)) + 1 < requests;
}
