import { BadRequest } from '../errors';

/**
 * §8 names no maximum page size. A service with a lower one returns fewer items and reports it, or
 * refuses the request.
 */
export const MAX_PAGE_SIZE = 1000;

/** §4: page size if none is requested; every service supports it. */
export const DEFAULT_PAGE_SIZE = 300;

/** Whether the service may have refused the size of the page. */
export function refusesPageSize(error: unknown, pageSize: number): boolean {
	return error instanceof BadRequest && pageSize > DEFAULT_PAGE_SIZE;
}
