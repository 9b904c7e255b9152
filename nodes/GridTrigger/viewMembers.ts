import type { Client } from '../../client';
import { EndlessPages, InvalidInput } from '../../client/errors';
import type { Grid } from '../../client/resources/grids';
import { findLink, type Page } from '../../client/hal/links';
import { inSmallerPages } from '../../client/session/smallerPages';
import type { FetchPage } from '../../client/session/pageScanPlan';

/** As many as a list may have (client/session/pageScan.ts). */
const MAX_PAGES = 10_000;
/** Items of a page (§8 names no largest page size). */
const PAGE_SIZE = 1000;
/** Readings of a view whose rows move meanwhile. */
const MAX_READINGS = 3;

/** A view (virtual grid, §4.5) of a grid. */
export interface ViewOfGrid {
	client: Client;
	grid: Grid;
	viewId: string;
}

/** What is needed of a row; undefined if it is too large to be read. */
type Member = { id: string; href: string | undefined } | undefined;

/** The error for what cannot be done in the time of a poll. */
export function tooSlow(what: string, fix: string): InvalidInput {
	return new InvalidInput(
		`${what} within the time that a poll may take`,
		`${fix}. The cursor has not moved.`,
	);
}

/**
 * Which rows are in a view is told by listing it (§4.5): read only as far as needed, and again
 * where rows moved meanwhile.
 * @param rows ids, with the address of the row where it is known
 * @returns the ids of those that are listed; of all that
 *   are not, if a row of the view is too large to be read
 * @throws InvalidInput if the time is up, EndlessPages
 */
export async function rowsInView(
	{ client, grid, viewId }: ViewOfGrid,
	rows: ReadonlyMap<string, string | undefined>,
	isOver: () => boolean,
): Promise<Set<string>> {
	const fetchPage = inSmallerPages<Member>(
		async (pageIndex, pageSize) => {
			if (isOver())
				throw tooSlow(
					'The view is too large to be searched',
					'Leave "View" empty and filter the items instead',
				);
			const page = await client.entities.page(grid, { viewId, pageIndex, pageSize });
			return {
				...page,
				items: page.items.map((row) => ({ id: row._id, href: findLink(row, 'self')?.href })),
			};
		},
		() => undefined,
	);
	const search = new Search(rows);
	for (let readings = 0; readings < MAX_READINGS; readings++) if (await search.read(fetchPage)) break;
	return search.found;
}

class Search {
	readonly found = new Set<string>();
	private readonly byHref: ReadonlyMap<string, string>;

	constructor(private readonly rows: ReadonlyMap<string, string | undefined>) {
		const linked = [...rows].flatMap(([id, href]) => (href === undefined ? [] : [[href, id] as const]));
		this.byHref = new Map(linked);
	}

	/** Reads the view once. @returns whether nothing can have been missed */
	async read(fetchPage: FetchPage<Member>): Promise<boolean> {
		const met = new Set<string>();
		let size = PAGE_SIZE;
		for (let pageIndex = 1; this.found.size < this.rows.size; pageIndex++) {
			if (pageIndex > MAX_PAGES)
				throw new EndlessPages(`The view has more than ${MAX_PAGES} pages, which are not read`);
			const page = await fetchPage(pageIndex, size);
			const before = met.size;
			for (const member of page.items) this.note(member, met);
			if (pageIndex === 1 && page.pageSize !== undefined) size = Math.min(size, Math.max(1, page.pageSize));
			const isLast = met.size === before || pageIndex >= lastPage(page, size, pageIndex);
			if (isLast) return page.numberOfItems === undefined || met.size >= page.numberOfItems;
		}
		return true;
	}

	private note(member: Member, met: Set<string>): void {
		if (!member) {
			// It may be any of those that are looked for: one event too many is better than one too few.
			for (const id of this.rows.keys()) this.found.add(id);
			return;
		}
		met.add(member.id);
		const id = this.rows.has(member.id) ? member.id : this.byHref.get(member.href ?? '');
		if (id !== undefined) this.found.add(id);
	}
}

/**
 * By whichever count says more; a list that does not count
 * its pages ends with one that is not full.
 */
function lastPage(page: Page<Member>, size: number, pageIndex: number): number {
	const { numberOfPages, numberOfItems, items } = page;
	if (numberOfPages === undefined && numberOfItems === undefined)
		return items.length < size ? pageIndex : Number.POSITIVE_INFINITY;
	return Math.max(numberOfPages ?? 0, Math.ceil((numberOfItems ?? 0) / size));
}
