import { NotFound } from '../errors';

/**
 * Whether an error means that a list has no such page. A service may respond with 404 after the
 * last page (§2.2 does not say), and a list may have become shorter since its pages were counted.
 */
export function isMissingPage(error: unknown, pageIndex: number): boolean {
	return pageIndex > 1 && error instanceof NotFound;
}
